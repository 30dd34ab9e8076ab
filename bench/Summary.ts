/**
 * The accounting summary of a tenant in which very many owe something: each filter and order, the first page
 * and the thousandth, as the service asks for it under row level security, against the same query written by
 * hand without it. With `--million` 100,000 of a million policies are in arrears, else 10,000 of 100,000, and
 * the last page is the hundredth.
 */
import type { OrderKey } from "@quittance/domain/accounting/AccountingSummary"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import {
  type ReceivableFilter,
  ReceivablesRepo
} from "@quittance/persistence/accounting/ReceivablesRepo"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { pipelineBoth } from "@quittance/persistence/sql/Pipelining"
import { ConfigProvider, Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { type Bar, compare } from "./Interleaved.ts"
import { suffixSql } from "./PolicyIds.ts"
import * as PolicyWorld from "./PolicyWorld.ts"
import { sized } from "./Smoke.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Direction } from "@quittance/domain/values/Page"

const inArrears = process.argv.includes("--million") ? 100_000 : sized(10_000, 200)
const perPage = 100

/** Rows in bulk, as a superuser: one policy in ten is in arrears. */
const fill = Effect.fn("Summary.fill")(function* (policyId: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly names: string }>`
    SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns
    WHERE table_name = 'policy' AND column_name NOT IN ('id', 'incremental_id', 'next_due_at', 'status')
  `
  const status = "(ARRAY['POLICY_STARTED', 'POLICY_SUSPENDED', 'POLICY_STOPPED'])[1 + n % 3]"
  yield* sql.withTransaction(
    Effect.andThen(
      sql`SET LOCAL session_replication_role = replica`,
      sql.unsafe(`
        INSERT INTO policy (id, incremental_id, status, ${row!.names})
        SELECT 'policy_test_' || ${suffixSql("n")}, incremental_id + n, ${status}, ${row!.names}
        FROM policy, generate_series(1, ${inArrears * 10}) n WHERE id = '${policyId}'
      `)
    )
  )
  yield* sql.withTransaction(
    Effect.all([
      sql`SET LOCAL session_replication_role = replica`,
      // VACUUM takes no row for visible to all whose commit is not on the disk yet.
      sql`SET LOCAL synchronous_commit = on`,
      sql.unsafe(`
        INSERT INTO receivable (tenant_id, policy_id, customer_id, product_id, time_zone,
          brokerage_firm_id, status, stop_reason, customer_name, policy_created_at, search,
          unpaid_count, oldest_issued_at, unpaid_issued_at, last_formal_notice_sent_at)
        SELECT p.tenant_id, p.id, 'customer_test_' || ${suffixSql("(n * 7919 % 90000)")}, p.product_id,
          'Europe/Paris', p.brokerage_firm_id, p.status,
          CASE p.status WHEN 'POLICY_STOPPED' THEN 'NON_PAYMENT' END, 'name ' || n * 7919 % 90000,
          p.created_at - n * interval '1 minute',
          p.search || ' name ' || n * 7919 % 90000 || ' x' || n || '@example.test example test',
          1 + n % 3, at, array_fill(at, ARRAY[(1 + n % 3)::int]),
          CASE n % 5 WHEN 0 THEN at + interval '12 days' END
        FROM (SELECT *, incremental_id AS n FROM policy WHERE incremental_id % 10 = 0) p,
          LATERAL (SELECT now() - n * 104729 % 900 * interval '1 hour' AS at) t
      `),
      sql`
        INSERT INTO policy_word (tenant_id, word, policy_id)
        SELECT tenant_id, part, id FROM policy, search_parts(search) AS part
        WHERE part <> ALL (search_common()) ON CONFLICT DO NOTHING
      `,
      sql`
        INSERT INTO customer_word (tenant_id, word, customer_id)
        SELECT DISTINCT r.tenant_id, part, r.customer_id
        FROM receivable r JOIN policy p ON p.tenant_id = r.tenant_id AND p.id = r.policy_id,
          search_parts(substr(r.search, length(p.search) + 1)) AS part
        WHERE part <> ALL (search_common())
      `
    ])
  )
  yield* sql`VACUUM ANALYZE policy`
  yield* sql`VACUUM ANALYZE receivable`
  yield* sql`VACUUM ANALYZE policy_word`
  yield* sql`VACUUM ANALYZE customer_word`
})

const days = (now: string) => `((timestamptz '${now}' AT TIME ZONE time_zone)::date
  - (oldest_issued_at AT TIME ZONE time_zone)::date)`

/** What orders by each key, written by hand. */
const columns = (now: string): Readonly<Record<OrderKey, string>> => ({
  oldestUnpaidInvoiceIssuedAt: "oldest_issued_at",
  unpaidDurationInDay: days(now),
  numberOfUnpaidInvoices: "unpaid_count",
  lastFormalNoticeSentAt: "last_formal_notice_sent_at",
  customerName: "customer_name",
  policyCreatedAt: "policy_created_at"
})

/** Filters of the service, each with the same condition written by hand. */
const filters = (now: string, lately: string) => {
  const instant = fromEpochMillis(Date.parse(lately))
  return [
    ["no filter", {}, "true"],
    ["words", { words: "name 777" }, "search LIKE '% name%' AND search LIKE '% 777%'"],
    [
      "issued after",
      { issuedAfter: instant },
      `EXISTS (SELECT FROM unnest(unpaid_issued_at) i(at) WHERE i.at >= '${lately}')`
    ],
    [
      "issued before",
      { issuedBefore: instant },
      `EXISTS (SELECT FROM unnest(unpaid_issued_at) i(at) WHERE i.at < '${lately}')`
    ],
    ["statuses", { statuses: ["POLICY_SUSPENDED"] }, "status = 'POLICY_SUSPENDED'"],
    ["products", { productIds: ["motor-fr"] }, "product_id = 'motor-fr'"],
    ["stop reasons", { stopReasons: ["NON_PAYMENT"] }, "stop_reason = 'NON_PAYMENT'"],
    ["with a notice", { hasFormalNotice: true }, "last_formal_notice_sent_at IS NOT NULL"],
    ["unpaid for days", { minimumUnpaidDays: 20 }, `${days(now)} >= 20`]
  ] as const satisfies ReadonlyArray<readonly [string, ReceivableFilter, string]>
}

interface Case {
  readonly what: string
  readonly filter: ReceivableFilter
  readonly condition: string
  readonly order: { readonly by: OrderKey; readonly direction: Direction }
  readonly page: number
}

const cases = (now: string, lately: string): ReadonlyArray<Case> => {
  const order = { by: "oldestUnpaidInvoiceIssuedAt", direction: "ASC" } as const
  // Its keys are the orders.
  const keys = Object.keys(columns(now)) as Array<OrderKey>
  return [
    ...filters(now, lately).map(([what, filter, condition]): Case => ({
      what,
      filter,
      condition,
      order,
      page: 1
    })),
    ...keys.flatMap((by) =>
      [1, inArrears / perPage].map((page): Case => ({
        what: `by ${by}, page ${page}`,
        filter: {},
        condition: "true",
        order: { by, direction: "DESC" },
        page
      }))
    )
  ]
}

const measure = Effect.fn("Summary.measure")(function* (superuser: SqlClient.SqlClient) {
  const repo = yield* ReceivablesRepo
  const now = fromEpochMillis(Date.now())
  const lately = fromEpochMillis(Date.now() - 5 * 86_400_000)
  const bars: Array<Bar> = []
  for (const { condition, filter, order, page, what } of cases(now, lately)) {
    const where = `FROM receivable WHERE tenant_id = '${PolicyWorld.tenant}' AND ${condition}`
    const byHand = pipelineBoth(
      superuser.unsafe(`
        SELECT policy_id, customer_id, unpaid_count, ${days(now)} AS unpaid_days, oldest_issued_at,
          last_formal_notice_sent_at ${where}
        ORDER BY ${columns(now)[order.by]} ${order.direction} NULLS LAST, policy_id, customer_id
        LIMIT ${perPage} OFFSET ${(page - 1) * perPage}
      `),
      superuser.unsafe(`SELECT count(*) ${where}`)
    )
    const query = {
      coverage: { _tag: "Tenant" },
      filter,
      now,
      order,
      page: { page, count: perPage }
    } as const
    const options = { rounds: 15, operationsPerRound: 2, concurrency: 1 }
    bars.push(
      yield* compare(
        what,
        1.5,
        () => byHand,
        () => repo.list(query),
        options
      )
    )
  }
  return bars
})

/** A million rows are vacuumed longer than any statement of the product may take. */
const patient = ConfigProvider.fromUnknown({ DATABASE_STATEMENT_TIMEOUT: "30 minutes" })

export const bench = Effect.gen(function* () {
  const { database, policyId } = yield* PolicyWorld.make()
  const superuser = yield* Sql.pool(database.superuserUrl, "postgres").pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, patient)
  )
  yield* Effect.provideService(fill(policyId), SqlClient.SqlClient, superuser)
  const runtime = yield* Sql.pool(database.url, runtimeRole)
  return yield* measure(superuser).pipe(
    Effect.provideService(CurrentTenant, PolicyWorld.tenant),
    Effect.provide(
      ReceivablesRepo.layer.pipe(
        Layer.provide(TenantSql.layer),
        Layer.provide(Sql.succeed(runtime))
      )
    )
  )
}).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
