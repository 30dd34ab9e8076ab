/** The treasury's journal as it is read, and what banks are still awaited to tell. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { TreasuryEntry, type TreasuryPosting } from "@quittance/domain/treasury/TreasuryEntry"
import { AwaitedCash } from "@quittance/domain/treasury/AwaitedCash"
import type { BankAccountId } from "@quittance/domain/values/Ids"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { InstantColumn, IntColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const { postings: _, ...fields } = TreasuryEntry.fields
const Row = Schema.Struct({
  ...fields,
  recordedAt: InstantColumn,
  accounts: Schema.Array(Schema.String),
  amounts: Schema.Array(IntColumn)
})
const decode = Schema.decodeUnknownEffect(Row)

const found = (row: object) =>
  Effect.map(decode(withoutNulls(row)), ({ accounts, amounts, ...entry }): TreasuryEntry => ({
    ...entry,
    postings: accounts.map((account, index) => ({ account, amount: amounts[index]! }))
  }))

const AwaitedRow = Schema.Struct({
  ...AwaitedCash.fields,
  amount: IntColumn,
  since: Schema.optionalKey(InstantColumn)
})
const decodeAwaited = Schema.decodeUnknownEffect(AwaitedRow)

/** The products whose money an account is for, where no record names one. */
export type ServedProducts =
  | { readonly only: ReadonlyArray<string> }
  | { readonly allBut: ReadonlyArray<string> }

export class TreasuryLedgerRepo extends Context.Service<
  TreasuryLedgerRepo,
  {
    /** The newest first. */
    list(
      id: BankAccountId,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<TreasuryEntry>; readonly total: number },
      never,
      CurrentTenant
    >
    /**
     * Says on which bank account the cash of a payment or a refund will be seen, and under which record where that
     * is another one.
     */
    expectOn(
      sourceId: string,
      id: BankAccountId,
      recordId?: string
    ): Effect.Effect<void, never, CurrentTenant>
    /** What each account of the journal of a bank account sums to, by its name. */
    balances(id: BankAccountId): Effect.Effect<ReadonlyArray<TreasuryPosting>, never, CurrentTenant>
    /** What one of them sums to. */
    balance(id: BankAccountId, account: string): Effect.Effect<number, never, CurrentTenant>
    /** Records whose cash the books and the statements do not tell alike, the oldest first. */
    awaited(
      id: BankAccountId,
      products: ServedProducts,
      page: PageRequest
    ): Effect.Effect<
      {
        readonly rows: ReadonlyArray<AwaitedCash>
        readonly total: number
        readonly sum: number
      },
      never,
      CurrentTenant
    >
    /**
     * The first record whose cash a bank has moved, and not back, and no book of a policy has or is about to have;
     * absent where each has it.
     */
    readonly unbooked: Effect.Effect<string | undefined, never, CurrentTenant>
    /** What all policies' books and the whole journal have on `cash`, and what all records await. */
    readonly cash: Effect.Effect<
      { readonly books: number; readonly journal: number; readonly awaited: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/TreasuryLedgerRepo") {
  static readonly layer = Layer.effect(
    TreasuryLedgerRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql`t.id, t.bank_account_id, t.kind, t.bank_entry_id, t.record_id,
        t.booked_on::text, t.recorded_at, t.currency, t.accounts, t.amounts`

      const list = Effect.fn("TreasuryLedgerRepo.list")(function* (
        id: BankAccountId,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM treasury_entry t
          WHERE t.tenant_id = ${tenantId} AND t.bank_account_id = ${id}
          ORDER BY t.booked_on DESC, t.id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM treasury_entry
          WHERE tenant_id = ${tenantId} AND bank_account_id = ${id}
        `)
        return { rows: yield* Effect.forEach(rows, found), total: counted!.total }
      }, Effect.orDie)

      const expectOn = Effect.fn("TreasuryLedgerRepo.expectOn")(function* (
        sourceId: string,
        bankAccountId: BankAccountId,
        recordId: string = sourceId
      ) {
        const row = { tenantId: yield* CurrentTenant, sourceId, recordId, bankAccountId }
        yield* tenantSql.write(sql`INSERT INTO cash_record ${sql.insert(row)}`)
      }, Effect.orDie)

      const balances = Effect.fn("TreasuryLedgerRepo.balances")(function* (id: BankAccountId) {
        const rows = yield* tenantSql.read(sql<{ readonly account: string; readonly sum: bigint }>`
          SELECT p.account, sum(p.amount)::bigint AS sum
          FROM treasury_entry t CROSS JOIN LATERAL unnest(t.accounts, t.amounts) AS p(account, amount)
          WHERE t.tenant_id = ${yield* CurrentTenant} AND t.bank_account_id = ${id}
          GROUP BY p.account ORDER BY p.account
        `)
        return rows.map(({ account, sum }) => ({ account, amount: Number(sum) }))
      }, Effect.orDie)

      const balance = Effect.fn("TreasuryLedgerRepo.balance")(function* (
        id: BankAccountId,
        account: string
      ) {
        return (yield* balances(id)).find((one) => one.account === account)?.amount ?? 0
      })

      /** What both journals have on `cash`, record by record. */
      const byRecord = (tenantId: string): Statement.Fragment => sql`
        SELECT k.record_id, min(k.bank_account_id) AS bank_account_id,
          min(k.product_id) AS product_id, sum(k.amount)::bigint AS amount, min(k.at) AS since,
          min(k.currency) AS currency
        FROM (
          SELECT coalesce(c.record_id, e.source_id) AS record_id, c.bank_account_id, p.product_id,
            a.amount, e.occurred_at AS at, e.currency
          FROM entry e
          CROSS JOIN LATERAL unnest(e.accounts, e.amounts) AS a(account, amount)
          JOIN policy p ON p.tenant_id = e.tenant_id AND p.id = e.policy_id
          LEFT JOIN cash_record c ON c.tenant_id = e.tenant_id AND c.source_id = e.source_id
          WHERE e.tenant_id = ${tenantId} AND a.account = 'cash'
          UNION ALL
          SELECT t.record_id, t.bank_account_id, NULL, a.amount, NULL, t.currency
          FROM treasury_entry t
          CROSS JOIN LATERAL unnest(t.accounts, t.amounts) AS a(account, amount)
          WHERE t.tenant_id = ${tenantId} AND a.account = 'cash'
        ) AS k
        GROUP BY k.record_id HAVING sum(k.amount) <> 0`

      const awaited = Effect.fn("TreasuryLedgerRepo.awaited")(function* (
        id: BankAccountId,
        products: ServedProducts,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const served =
          "only" in products
            ? sql`r.product_id = ANY(${[...products.only]})`
            : sql`NOT coalesce(r.product_id = ANY(${[...products.allBut, ""]}), false)`
        const where = sql`
          r.bank_account_id = ${id} OR (r.bank_account_id IS NULL AND ${served})`
        const rows = yield* tenantSql.read(sql`
          SELECT r.record_id, r.amount, r.currency, r.since FROM (${byRecord(tenantId)}) AS r
          WHERE ${where} ORDER BY r.since NULLS LAST, r.record_id
          LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{
          readonly total: number
          readonly sum: bigint
        }>`
          SELECT count(*)::int AS total, coalesce(sum(r.amount), 0)::bigint AS sum
          FROM (${byRecord(tenantId)}) AS r WHERE ${where}
        `)
        return {
          rows: yield* Effect.forEach(rows, (row) => decodeAwaited(withoutNulls(row))),
          total: counted!.total,
          sum: Number(counted!.sum)
        }
      }, Effect.orDie)

      const cash = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const sumOf = (table: "entry" | "treasury_entry") => sql`
          (SELECT coalesce(sum(a.amount), 0)::bigint FROM ${sql(table)} e
            CROSS JOIN LATERAL unnest(e.accounts, e.amounts) AS a(account, amount)
            WHERE e.tenant_id = ${tenantId} AND a.account = 'cash')`
        const [row] = yield* tenantSql.read(sql<{
          readonly books: bigint
          readonly journal: bigint
          readonly awaited: bigint
        }>`
          SELECT ${sumOf("entry")} AS books, ${sumOf("treasury_entry")} AS journal,
            (SELECT coalesce(sum(r.amount), 0)::bigint FROM (${byRecord(tenantId)}) AS r) AS awaited
        `)
        const { awaited, books, journal } = row!
        return { books: Number(books), journal: Number(journal), awaited: Number(awaited) }
      }).pipe(Effect.orDie, Effect.withSpan("TreasuryLedgerRepo.cash"))

      const unbooked = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ readonly recordId: string }>`
          SELECT t.record_id FROM treasury_entry t
          CROSS JOIN LATERAL unnest(t.accounts, t.amounts) AS a(account, amount)
          WHERE t.tenant_id = ${tenantId} AND a.account = 'cash'
            AND NOT EXISTS (
              SELECT FROM entry e LEFT JOIN cash_record c
                ON c.tenant_id = e.tenant_id AND c.source_id = e.source_id
              WHERE e.tenant_id = t.tenant_id AND coalesce(c.record_id, e.source_id) = t.record_id
            )
            -- What a bank credits early is in a book once its day has begun.
            AND NOT EXISTS (
              SELECT FROM debit d WHERE d.tenant_id = t.tenant_id
                AND d.payment_file_id = t.record_id AND d.status IN ('IN_FILE', 'SUBMITTED')
            )
          GROUP BY t.record_id HAVING sum(a.amount) <> 0
          ORDER BY t.record_id LIMIT 1
        `)
        return row?.recordId
      }).pipe(Effect.orDie, Effect.withSpan("TreasuryLedgerRepo.unbooked"))

      return TreasuryLedgerRepo.of({ list, expectOn, balances, balance, awaited, unbooked, cash })
    })
  )
}
