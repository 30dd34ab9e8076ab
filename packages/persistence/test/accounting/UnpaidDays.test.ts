/** Who has owed for so many local days, in time zones that are far apart, skip a day or change their clocks. */
import { assert, layer } from "@effect/vitest"
import { Instant } from "@quittance/domain/values/Instant"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { ReceivablesRepo } from "../../src/accounting/ReceivablesRepo.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { TenantsRepo } from "../../src/tenants/TenantsRepo.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { inTenant, inTransaction } from "../People.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = Layer.mergeAll(ReceivablesRepo.layer, TenantsRepo.layer).pipe(
  Layer.provideMerge(PgTest.layer)
)

const zones = [
  "Europe/Paris",
  "America/Havana",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Pacific/Pago_Pago"
]

/** One that owes since every 47th minute of ten days, in each zone. */
const owing = Effect.fnUntraced(function* (now: Instant) {
  const sql = yield* SqlClient.SqlClient
  const { write } = yield* TenantSql
  const tenantId = yield* CurrentTenant
  const id = (prefix: string) =>
    sql.literal(`'${prefix}_test_' || translate(lpad((n * 9 + z)::text, 21, '0'), '0125', 'ABCD')`)
  yield* write(sql`
    INSERT INTO receivable (tenant_id, policy_id, customer_id, product_id, time_zone, status,
      policy_created_at, search, unpaid_count, oldest_issued_at, unpaid_issued_at)
    SELECT ${tenantId}, ${id("policy")}, ${id("customer")}, 'motor', zone, 'POLICY_STARTED', at, '', 1,
      at, ARRAY[at]
    FROM unnest(${zones}::text[]) WITH ORDINALITY AS zones(zone, z), generate_series(0, 300) n,
      LATERAL (SELECT ${now}::timestamptz - n * interval '47 minutes' AS at) t
  `)
})

layer(Live, { excludeTestServices: true })("who has owed for so many days", (it) => {
  it.effect.each([
    "2026-06-10T12:00:00.000Z",
    // Summer time has begun, ended; Samoa has left out the 30th of December.
    "2026-03-31T22:30:00.000Z",
    "2026-11-03T04:30:00.000Z",
    "2012-01-03T09:59:59.999Z"
  ])("is found by what is shown of it: %s", (at) =>
    inTenant(
      Effect.gen(function* () {
        const now = Instant.make(at)
        yield* inTransaction(owing(now))
        const repo = yield* ReceivablesRepo
        const list = (minimumUnpaidDays?: number) =>
          repo.list({
            coverage: { _tag: "Tenant" },
            filter: { minimumUnpaidDays },
            now,
            order: { by: "oldestUnpaidInvoiceIssuedAt", direction: "ASC" },
            page: { page: 1, count: 2_000 }
          })
        const all = yield* list()
        assert.strictEqual(all.total, 301 * zones.length)
        for (const days of [0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 1_000_000]) {
          const right = all.rows.filter(({ unpaidDays }) => unpaidDays >= days)
          assert.deepStrictEqual(yield* list(days), { rows: right, total: right.length })
        }
      })
    )
  )
})
