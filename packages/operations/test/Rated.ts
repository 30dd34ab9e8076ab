/** A tenant whose motor product is priced by a server on this machine, and a policy to be quoted. */
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer, Redacted, References } from "effect"
import { SqlClient } from "effect/sql"
import { elsewhere } from "../../pricing/test/Elsewhere.ts"
import { Assets } from "../src/assets/Assets.ts"
import { Customers } from "../src/customers/Customers.ts"
import { Policies } from "../src/policies/Policies.ts"
import { Preview } from "../src/quotes/Preview.ts"
import { QuoteProviders } from "../src/products/QuoteProviders.ts"
import { Quotes } from "../src/quotes/Quotes.ts"
import { Sales } from "../src/lifecycle/PolicySale.ts"
import * as RateServer from "./RateServer.ts"
import * as World from "./World.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export const product = elsewhere(World.motor)

export const layer = Layer.mergeAll(
  Assets.layer,
  Customers.layer,
  Policies.layer,
  Preview.layer,
  QuoteProviders.layer,
  Quotes.layer,
  Sales.layer
).pipe(
  Layer.provideMerge(World.layer),
  // What is told to the operator is no finding of a test.
  Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "None"))
)

export interface Timeouts {
  readonly tryTimeout?: number
  readonly totalTimeout?: number
}

/** Used within a scope: the server ends with it. */
export const make = Effect.fnUntraced(function* (timeouts: Timeouts = {}) {
  const rates = yield* RateServer.start
  const world = yield* World.make(undefined, [product])
  const { settings } = yield* Effect.provideService(
    QuoteProviders.use((providers) =>
      providers.set({
        id: "rates",
        url: rates.url,
        secret: Redacted.make(RateServer.secret),
        tryTimeout: 9000,
        totalTimeout: 9000,
        ...timeouts
      })
    ),
    CurrentTenant,
    world.tenant
  )
  const run = World.as(world, world.manager)
  const { id: policyId } = yield* run(
    Policies.use((policies) =>
      policies.create({
        productId: product.productId,
        startedAt: World.at("2026-04-01T00:00:00+02:00"),
        customFields: World.examples(product.fields.policy)
      })
    )
  )
  yield* run(
    Customers.use((customers) =>
      customers.addToPolicy(
        { policyId },
        {
          role: "POLICYHOLDER",
          name: "Camille Martin",
          email: "camille@example.test",
          customFields: World.examples(product.fields.customer, "POLICYHOLDER")
        }
      )
    )
  )
  yield* run(
    Assets.use((assets) =>
      assets.addToPolicy({ policyId }, { customFields: World.examples(product.fields.asset) })
    )
  )
  return { rates, world, run, policyId, settings }
})

export type Rated = Effect.Success<ReturnType<typeof make>>

/** All that a quote could have left behind, as numbers of rows, and the head of the policy. */
export const traces = Effect.fnUntraced(function* ({ policyId, run }: Rated) {
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  const [row] = yield* run(tenantSql.read(rowsOf(sql, policyId)))
  return row
})

const rowsOf = (sql: SqlClient.SqlClient, policyId: PolicyId) => sql<Record<string, number>>`
  SELECT
    (SELECT count(*)::int FROM quote) AS quotes,
    (SELECT count(*)::int FROM policy_change) AS changes,
    (SELECT count(*)::int FROM event) AS events,
    (SELECT count(*)::int FROM audit) AS audits,
    (SELECT count(*)::int FROM idempotency) AS keys,
    (SELECT change_seq::int FROM policy WHERE id = ${policyId}) AS seq
`
