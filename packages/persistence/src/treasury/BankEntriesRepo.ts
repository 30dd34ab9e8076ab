/** Payments on statements, and what each is in the books. */
import type { Action } from "@quittance/domain/requests/Action"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import {
  BankEntry,
  BankEntryNotFound,
  type BankEntryStatus
} from "@quittance/domain/treasury/BankEntry"
import type { EntryFilter } from "@quittance/domain/treasury/TreasuryRequests"
import type { BankAccountId, BankEntryId, PaymentId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { matchesWords } from "../access/SearchWords.ts"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** What was read of the entry's texts when it came. */
const StoredClues = Schema.Struct({
  identifiers: Schema.Array(Schema.String),
  numbers: Schema.Array(Schema.String),
  references: Schema.Array(Schema.Array(Schema.String)),
  invoiceNumbers: Schema.Array(Schema.String),
  isSpoiled: Schema.Boolean
})

const { party: _, ...fields } = BankEntry.fields
const Row = Schema.Struct({
  ...fields,
  amount: IntColumn,
  charge: IntColumn,
  allocated: IntColumn,
  recordedAt: InstantColumn,
  partyName: Schema.optionalKey(Schema.String),
  partyLast4: Schema.optionalKey(Schema.String),
  partyPrint: Schema.optionalKey(Schema.String),
  clues: StoredClues
})
const decode = Schema.decodeUnknownEffect(Row)

/** An entry with what rules need of it and no answer shows. */
export interface StoredBankEntry {
  readonly entry: BankEntry
  readonly clues: typeof StoredClues.Type
  /** Of the account on the other side, in hexadecimal. */
  readonly partyPrint: string | undefined
}

const found = (row: object) =>
  decode(withoutNulls(row)).pipe(
    Effect.map(({ clues, partyLast4, partyName, partyPrint, ...entry }): StoredBankEntry => {
      const party = {
        ...(partyName === undefined ? {} : { name: partyName }),
        ...(partyLast4 === undefined ? {} : { last4: partyLast4 })
      }
      const isNamed = partyName !== undefined || partyLast4 !== undefined
      return { entry: { ...entry, ...(isNamed ? { party } : {}) }, clues, partyPrint }
    }),
    Effect.orDie
  )

/** A payment that an entry was allocated to. */
export interface EntryPayment {
  readonly paymentId: PaymentId
  readonly amount: number
  readonly isMade: boolean
}

export class BankEntriesRepo extends Context.Service<
  BankEntriesRepo,
  {
    /** Fetches an entry together with the permission on it. */
    authorize(
      action: Action,
      id: BankEntryId
    ): Effect.Effect<StoredBankEntry, BankEntryNotFound | Forbidden, CurrentTenant | CurrentCaller>
    /** One that is there. */
    find(id: BankEntryId): Effect.Effect<StoredBankEntry, never, CurrentTenant>
    /** The same, locked until the transaction ends; heads of policies are locked before. */
    hold(id: BankEntryId): Effect.Effect<StoredBankEntry, never, CurrentTenant>
    /** The newest first. */
    list(
      filter: EntryFilter,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<BankEntry>; readonly total: number },
      never,
      CurrentTenant
    >
    /** Records what an entry is taken for. */
    update(entry: BankEntry): Effect.Effect<void, never, CurrentTenant>
    /** The payments that an entry stands for now. */
    paymentsOf(id: BankEntryId): Effect.Effect<ReadonlyArray<EntryPayment>, never, CurrentTenant>
    addPayment(id: BankEntryId, payment: EntryPayment): Effect.Effect<void, never, CurrentTenant>
    /** An entry no longer stands for any payment. */
    undoPayments(id: BankEntryId, at: Instant): Effect.Effect<void, never, CurrentTenant>
    /** Tenants with entries of which a rule has found what they are. */
    readonly matchingTenants: Effect.Effect<ReadonlyArray<TenantId>>
    /** Such entries, the oldest first. */
    matching(limit: number): Effect.Effect<ReadonlyArray<BankEntryId>, never, CurrentTenant>
    /** A rule, or a person, is done with an entry. */
    settled(id: BankEntryId): Effect.Effect<void, never, CurrentTenant>
    /** What is open of the entries of an account, and all that it moved, in minor units. */
    sums(
      id: BankAccountId
    ): Effect.Effect<{ readonly open: number; readonly moved: number }, never, CurrentTenant>
  }
>()("@quittance/persistence/BankEntriesRepo") {
  static readonly layer = Layer.effect(
    BankEntriesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const columns = sql`b.id, b.bank_account_id, b.statement_id, b.booked_on::text,
        b.value_on::text, b.amount, b.charge, b.currency, b.status, b.rule, b.record_id, b.flag,
        b.allocated, b.party_name, b.party_last4, encode(b.party_print, 'hex') AS party_print,
        b.end_to_end_id, b.bank_reference, b.family, b.sub_family, b.return_reason, b.came_back,
        b.clues, b."references", b.texts, b.ignored, b.recorded_at`

      const authorize = Effect.fn("BankEntriesRepo.authorize")(function* (
        action: Action,
        bankEntryId: BankEntryId
      ) {
        const granted = yield* grants.onTenant(action)
        const tenantId = yield* CurrentTenant
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<{ readonly granted: boolean }>`
            SELECT ${columns}, ${granted} AS granted FROM bank_entry b
            WHERE b.tenant_id = ${tenantId} AND b.id = ${bankEntryId}
          `)
        )
        if (row === undefined) return yield* new BankEntryNotFound({ bankEntryId })
        if (!row.granted) return yield* grants.refuse(action)
        return yield* found(row)
      })

      const one = Effect.fnUntraced(function* (id: BankEntryId, lock: boolean) {
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM bank_entry b
          WHERE b.tenant_id = ${yield* CurrentTenant} AND b.id = ${id}
          ${lock ? sql`FOR NO KEY UPDATE` : sql``}
        `)
        return yield* found(row!)
      }, Effect.orDie)

      const list = Effect.fn("BankEntriesRepo.list")(function* (
        { bankAccountId, queryString, statuses }: EntryFilter,
        { count, page }: PageRequest
      ) {
        const text = sql`search_text(concat_ws(' ', b.party_name, b.end_to_end_id, b.bank_reference,
          b.party_last4, array_to_string(b."references", ' '), array_to_string(b.texts, ' ')))`
        const where = sql.and([
          sql`b.tenant_id = ${yield* CurrentTenant}`,
          ...(bankAccountId === undefined ? [] : [sql`b.bank_account_id = ${bankAccountId}`]),
          ...(statuses === undefined ? [] : [sql`b.status = ANY(${[...statuses]})`]),
          ...(queryString === undefined ? [] : [matchesWords(sql, text, queryString)])
        ])
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM bank_entry b WHERE ${where}
          ORDER BY b.booked_on DESC, b.id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM bank_entry b WHERE ${where}
        `)
        const entries = yield* Effect.forEach(rows, found)
        return { rows: entries.map(({ entry }) => entry), total: counted!.total }
      }, Effect.orDie)

      const update = Effect.fn("BankEntriesRepo.update")(function* (entry: BankEntry) {
        const row = {
          status: entry.status,
          rule: entry.rule ?? null,
          recordId: entry.recordId ?? null,
          flag: entry.flag ?? null,
          allocated: entry.allocated,
          ignored: entry.ignored === undefined ? null : PgTypes.jsonb(entry.ignored)
        }
        yield* tenantSql.write(sql`
          UPDATE bank_entry SET ${sql.update(row)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${entry.id}
        `)
      }, Effect.orDie)

      const paymentsOf = Effect.fn("BankEntriesRepo.paymentsOf")(function* (id: BankEntryId) {
        const rows = yield* tenantSql.read(sql<{
          readonly paymentId: PaymentId
          readonly amount: bigint
          readonly isMade: boolean
        }>`
          SELECT payment_id, amount, is_made FROM bank_entry_payment
          WHERE tenant_id = ${yield* CurrentTenant} AND bank_entry_id = ${id}
            AND undone_at IS NULL ORDER BY payment_id
        `)
        return rows.map((row) => ({ ...row, amount: Number(row.amount) }))
      }, Effect.orDie)

      const addPayment = Effect.fn("BankEntriesRepo.addPayment")(function* (
        bankEntryId: BankEntryId,
        payment: EntryPayment
      ) {
        const row = { tenantId: yield* CurrentTenant, bankEntryId, ...payment }
        // A payment that was recorded by hand may be found again after its link was undone.
        yield* tenantSql.write(sql`
          INSERT INTO bank_entry_payment ${sql.insert(row)}
          ON CONFLICT (tenant_id, bank_entry_id, payment_id) DO UPDATE SET undone_at = NULL
        `)
      }, Effect.orDie)

      const undoPayments = Effect.fn("BankEntriesRepo.undoPayments")(function* (
        id: BankEntryId,
        at: Instant
      ) {
        yield* tenantSql.write(sql`
          UPDATE bank_entry_payment SET undone_at = ${toDate(at)}
          WHERE tenant_id = ${yield* CurrentTenant} AND bank_entry_id = ${id}
            AND undone_at IS NULL
        `)
      }, Effect.orDie)

      const matchingTenants = tenantSql
        .unscoped(
          "bank_entry_match",
          sql<{ readonly tenantId: TenantId }>`SELECT DISTINCT tenant_id FROM bank_entry_match`
        )
        .pipe(
          Effect.map((rows) => rows.map(({ tenantId }) => tenantId)),
          Effect.orDie,
          Effect.withSpan("BankEntriesRepo.matchingTenants")
        )

      const matching = Effect.fn("BankEntriesRepo.matching")(function* (limit: number) {
        const rows = yield* tenantSql.read(sql<{ readonly id: BankEntryId }>`
          SELECT b.id FROM bank_entry_match m
          JOIN bank_entry b ON b.tenant_id = m.tenant_id AND b.id = m.bank_entry_id
          WHERE m.tenant_id = ${yield* CurrentTenant} ORDER BY b.booked_on, b.id LIMIT ${limit}
        `)
        return rows.map(({ id }) => id)
      }, Effect.orDie)

      const settled = Effect.fn("BankEntriesRepo.settled")(function* (id: BankEntryId) {
        yield* tenantSql.write(sql`
          DELETE FROM bank_entry_match
          WHERE tenant_id = ${yield* CurrentTenant} AND bank_entry_id = ${id}
        `)
      }, Effect.orDie)

      const sums = Effect.fn("BankEntriesRepo.sums")(function* (id: BankAccountId) {
        // What rules have posted when it came is explained, though they have not finished with it.
        const [row] = yield* tenantSql.read(sql<{ readonly open: bigint; readonly moved: bigint }>`
          SELECT coalesce(sum(amount - allocated), 0)::bigint AS open,
            coalesce(sum(amount), 0)::bigint AS moved
          FROM bank_entry WHERE tenant_id = ${yield* CurrentTenant} AND bank_account_id = ${id}
            AND status <> ${"TOLD" satisfies BankEntryStatus}
        `)
        return { open: Number(row!.open), moved: Number(row!.moved) }
      }, Effect.orDie)

      return BankEntriesRepo.of({
        authorize,
        find: Effect.fn("BankEntriesRepo.find")((id: BankEntryId) => one(id, false)),
        hold: Effect.fn("BankEntriesRepo.hold")((id: BankEntryId) => one(id, true)),
        list,
        update,
        paymentsOf,
        addPayment,
        undoPayments,
        matchingTenants,
        matching,
        settled,
        sums
      })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
