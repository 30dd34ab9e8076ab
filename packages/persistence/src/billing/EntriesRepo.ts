import type { AccountSum, StoredEntry } from "@quittance/domain/billing/Entry"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Currency } from "@quittance/domain/values/Amount"
import { EntryKind } from "@quittance/domain/billing/Entry"
import * as PrefixedId from "@quittance/domain/values/PrefixedId"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"
import { CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const EntryRow = Schema.Struct({
  id: PrefixedId.schema("entry"),
  policyId: PolicyId,
  customerId: CustomerId,
  kind: EntryKind,
  /** The invoice or payment that it posts. */
  sourceId: Schema.String,
  occurredAt: InstantColumn,
  recordedAt: InstantColumn,
  currency: Currency,
  accounts: Schema.Array(Schema.String),
  amounts: Schema.Array(IntColumn)
})
const decode = Schema.decodeUnknownEffect(Schema.Array(EntryRow))

const insertedTypes = {
  id: "text",
  policyId: "text",
  customerId: "text",
  kind: "text",
  sourceId: "text",
  occurredAt: "timestamptz",
  recordedAt: "timestamptz",
  currency: "text",
  accounts: "text[]",
  amounts: "bigint[]"
} as const

const SumRow = Schema.Struct({
  policyId: PolicyId,
  account: Schema.String,
  sum: Schema.BigIntFromString
})
const decodeSums = Schema.decodeUnknownEffect(Schema.Array(SumRow))

/** The ledger: append only, and refused by the database when a posting does not sum to zero. */
export class EntriesRepo extends Context.Service<
  EntriesRepo,
  {
    insert(entries: ReadonlyArray<StoredEntry>): Effect.Effect<void, never, CurrentTenant>
    /** One page of the postings of a policy, the newest first, and how many there are. */
    listByPolicy(
      policyId: PolicyId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<StoredEntry>; readonly total: number },
      never,
      CurrentTenant
    >
    /** What accounts whose name begins so sum to, for each policy, in minor units. */
    sums(
      policyIds: ReadonlyArray<PolicyId>,
      prefix: string
    ): Effect.Effect<ReadonlyArray<AccountSum>, never, CurrentTenant>
  }
>()("@quittance/persistence/EntriesRepo") {
  static readonly layer = Layer.effect(
    EntriesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql`id, policy_id, customer_id, kind, source_id, occurred_at, recorded_at,
        currency, accounts, amounts`

      const insert = Effect.fn("EntriesRepo.insert")(function* (
        entries: ReadonlyArray<StoredEntry>
      ) {
        if (entries.length === 0) return
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO entry (tenant_id, ${columns})
          SELECT ${tenantId}, id, "policyId", "customerId", kind, "sourceId", "occurredAt",
            "recordedAt", currency, accounts, amounts
          FROM ${unnested(sql, entries, insertedTypes)} AS e
        `)
      }, Effect.orDie)

      const listByPolicy = Effect.fn("EntriesRepo.listByPolicy")(function* (
        policyId: PolicyId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM entry WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
          ORDER BY recorded_at DESC, id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const totals = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM entry
          WHERE tenant_id = ${tenantId} AND policy_id = ${policyId}
        `)
        return { rows: yield* decode(rows), total: totals[0]!.total }
      }, Effect.orDie)

      const sums = Effect.fn("EntriesRepo.sums")(function* (
        policyIds: ReadonlyArray<PolicyId>,
        prefix: string
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT e.policy_id, p.account, sum(p.amount)::text AS sum
          FROM entry e CROSS JOIN LATERAL unnest(e.accounts, e.amounts) AS p(account, amount)
          WHERE e.tenant_id = ${tenantId} AND e.policy_id = ANY(${[...policyIds]})
            AND starts_with(p.account, ${prefix})
          GROUP BY e.policy_id, p.account
        `)
        return yield* decodeSums(rows)
      }, Effect.orDie)

      return EntriesRepo.of({ insert, listByPolicy, sums })
    })
  )
}
