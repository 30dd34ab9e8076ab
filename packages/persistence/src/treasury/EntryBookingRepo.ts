/** Writes what statements bring: entries by the thousand, and what each posts. */
import type { NewEntry } from "@quittance/domain/treasury/NewEntry"
import type { TreasuryEntry } from "@quittance/domain/treasury/TreasuryEntry"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BankAccountId } from "@quittance/domain/values/Ids"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"

const entryTypes = {
  id: "text",
  bankAccountId: "text",
  statementId: "text",
  likeness: "text",
  nth: "integer",
  part: "integer",
  bookedOn: "date",
  valueOn: "date",
  amount: "bigint",
  charge: "bigint",
  currency: "text",
  status: "text",
  rule: "text",
  recordId: "text",
  allocated: "bigint",
  partyName: "text",
  partyLast4: "text",
  partyPrint: "text",
  endToEndId: "text",
  bankReference: "text",
  family: "text",
  subFamily: "text",
  returnReason: "text",
  cameBack: "boolean",
  clues: "jsonb",
  references: "text[]",
  texts: "text[]",
  recordedAt: "timestamptz"
} as const

const journalTypes = {
  id: "text",
  bankAccountId: "text",
  kind: "text",
  bankEntryId: "text",
  recordId: "text",
  bookedOn: "date",
  recordedAt: "timestamptz",
  currency: "text",
  accounts: "text[]",
  amounts: "bigint[]"
} as const

export class EntryBookingRepo extends Context.Service<
  EntryBookingRepo,
  {
    /** How many entries of each likeness are kept; those of which none is are left out. */
    countKnown(
      id: BankAccountId,
      likenesses: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, number>, never, CurrentTenant>
    insert(entries: ReadonlyArray<NewEntry>): Effect.Effect<void, never, CurrentTenant>
    post(facts: ReadonlyArray<TreasuryEntry>): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/EntryBookingRepo") {
  static readonly layer = Layer.effect(
    EntryBookingRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const countKnown = Effect.fn("EntryBookingRepo.countKnown")(function* (
        id: BankAccountId,
        likenesses: ReadonlyArray<string>
      ) {
        const rows = likenesses.map((likeness) => ({ likeness }))
        const found = yield* tenantSql.read(sql<{
          readonly likeness: string
          readonly nth: number
        }>`
          SELECT b.likeness, max(b.nth)::int AS nth
          FROM ${unnested(sql, rows, { likeness: "text" })} AS l
          JOIN bank_entry b ON b.tenant_id = ${yield* CurrentTenant} AND b.bank_account_id = ${id}
            AND b.likeness = l.likeness
          GROUP BY b.likeness
        `)
        return new Map(found.map(({ likeness, nth }) => [likeness, nth]))
      }, Effect.orDie)

      const insert = Effect.fn("EntryBookingRepo.insert")(function* (
        entries: ReadonlyArray<NewEntry>
      ) {
        if (entries.length === 0) return
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO bank_entry (tenant_id, id, bank_account_id, statement_id, likeness, nth, part,
            booked_on, value_on, amount, charge, currency, status, rule, record_id, allocated,
            party_name, party_last4, party_print, end_to_end_id, bank_reference, family, sub_family,
            return_reason, came_back, clues, "references", texts, recorded_at)
          SELECT ${tenantId}, id, "bankAccountId", "statementId", likeness, nth, part, "bookedOn",
            "valueOn", amount, charge, currency, status, rule, "recordId", allocated, "partyName",
            "partyLast4", decode("partyPrint", 'hex'), "endToEndId", "bankReference", family,
            "subFamily", "returnReason", "cameBack", clues, "references", texts, "recordedAt"
          FROM ${unnested(sql, entries, entryTypes)} AS e
        `)
        const waiting = entries.filter(({ isPending }) => isPending)
        if (waiting.length === 0) return
        yield* tenantSql.write(sql`
          INSERT INTO bank_entry_match (tenant_id, bank_entry_id)
          SELECT ${tenantId}, id FROM ${unnested(sql, waiting, { id: "text" })} AS e
        `)
      }, Effect.orDie)

      const post = Effect.fn("EntryBookingRepo.post")(function* (
        facts: ReadonlyArray<TreasuryEntry>
      ) {
        if (facts.length === 0) return
        const rows = facts.map(({ postings, ...fact }) => ({
          ...fact,
          accounts: postings.map(({ account }) => account),
          amounts: postings.map(({ amount }) => amount)
        }))
        yield* tenantSql.write(sql`
          INSERT INTO treasury_entry (tenant_id, id, bank_account_id, kind, bank_entry_id, record_id,
            booked_on, recorded_at, currency, accounts, amounts)
          SELECT ${yield* CurrentTenant}, id, "bankAccountId", kind, "bankEntryId", "recordId",
            "bookedOn", "recordedAt", currency, accounts, amounts
          FROM ${unnested(sql, rows, journalTypes)} AS e
        `)
      }, Effect.orDie)

      return EntryBookingRepo.of({ countKnown, insert, post })
    })
  )
}
