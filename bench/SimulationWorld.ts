/** Tenants with many policies that have started, of a few hundred different risks, row by row. */
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import { priceInput, unexplained } from "@quittance/operations/quotes/Pricing"
import { encodePremiumItems } from "@quittance/persistence/policies/PremiumItemsCodec"
import * as Sql from "@quittance/persistence/sql/Sql"
import * as TestServer from "@quittance/testing/TestServer"
import { compile } from "@quittance/pricing/Engine"
import { explain } from "@quittance/pricing/Explain"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Result } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { QuoteId } from "@quittance/domain/values/Ids"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

export const product = shippedProduct("motor-fr")

/** How many different risks there are. */
const risks = 400
const startedAt = fromEpochMillis(Date.UTC(2026, 0, 1))

/** A risk like the product's example, and the state of a policy on it. */
const stateOf = (risk: number): PolicyState => {
  const { assets, customers, customFields } = exampleOf(product)
  const named = <A extends object>(prefix: string, records: ReadonlyArray<A>) =>
    Object.fromEntries(records.map((record, seq) => [`${prefix}-${seq}`, { seq, ...record }]))
  const state = {
    stage: "SIGNED",
    contract: "STARTED",
    startedAt,
    signedAt: startedAt,
    periodDuration: { amount: 1, unit: "YEAR" },
    invoicingConfig: { frequency: "MONTHLY", timing: "IN_ADVANCE", firstPayment: "NONE" },
    customFields: {
      ...customFields,
      bonusMalus: 50 + (risk % 200),
      annualMileage: 1000 * (risk % 30)
    },
    selection: { tierId: product.tiers[risk % product.tiers.length]!.id, perils: [] },
    customers: named("customer", customers),
    assets: named(
      "asset",
      assets.map(({ customFields }) => ({
        type: product.assets.type,
        customFields: { ...customFields, power: 3 + (risk % 12) }
      }))
    )
  }
  // What prices don't depend on need not be what the product offers.
  return state as unknown as PolicyState
}

/** A risk as its rows: the states, and the quote that was accepted. */
const variantOf = (risk: number) => {
  const { assets, customers, ...policy } = stateOf(risk)
  const state = { assets, customers, ...policy }
  const priced = Result.getOrThrow(
    compile(product).price(priceInput(product, state, state.startedAt))
  )
  const identity = { id: QuoteId.make(`quote_${"Q".repeat(21)}`), entityId: "policy" }
  const { premiumItems, ...quote } = unexplained(product, state, priced, identity)
  return {
    risk,
    policy,
    entities: [
      ...Object.entries(customers).map(([id, state]) => ({ id, kind: "CUSTOMER", state })),
      ...Object.entries(assets).map(([id, state]) => ({ id, kind: "ASSET", state }))
    ],
    quote: { ...quote, explanation: explain(product, priced) },
    premiumItems: encodePremiumItems(premiumItems)
  }
}

/** What one statement can write within its time. */
const batch = 5_000

/** A tenant with so many policies. */
const seed = Effect.fnUntraced(function* (tenant: TenantId, count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO tenant (tenant_id, name, environment, locale, currency, time_zone)
    VALUES (${tenant}, ${tenant}, 'production', 'fr-FR', 'EUR', 'Europe/Paris')
  `
  yield* sql`
    INSERT INTO product_version (tenant_id, product_id, version, seq, definition, published_at)
    VALUES (${tenant}, ${product.productId}, ${product.version}, 1,
      ${JSON.stringify(product)}::text::jsonb, now())
  `
  for (let from = 1; from <= count; from += batch) {
    yield* seedBatch(tenant, from, Math.min(from + batch - 1, count))
  }
})

const seedBatch = Effect.fnUntraced(function* (tenant: TenantId, from: number, to: number) {
  const sql = yield* SqlClient.SqlClient
  // Identifiers of the form that ours have, made of a number.
  const id = (prefix: string) =>
    sql`${prefix}::text || lpad(translate(i::text, '0123456789', '346789ABCD'), 21, 'Q')`
  const policies = sql`
    generate_series(${from}::int, ${to}::int) i JOIN bench_risk r ON r.risk = i % ${risks}::int`
  yield* sql`
    INSERT INTO policy (tenant_id, id, incremental_id, product_id, product_version, type,
      default_branch_id, change_seq, event_seq, status, started_at, created_at, last_modified_at)
    SELECT ${tenant}, ${id("policy_")}, i, ${product.productId}, ${product.version}, 'INDIVIDUAL',
      ${id("branch_")}, 1, 1, 'POLICY_STARTED', ${startedAt}::text::timestamptz, now(), now()
    FROM ${policies}
  `
  yield* sql`
    INSERT INTO branch (tenant_id, policy_id, id, branch_type, name, status, stage, forked_at,
      forked_seq, first_forked_at, first_forked_seq, seq, author, created_at)
    SELECT ${tenant}, ${id("policy_")}, ${id("branch_")}, 'BASE', 'base', 'OPEN', 'SIGNED', now(),
      0, now(), 0, 1, 'bench', now() FROM ${policies}
  `
  yield* sql`
    INSERT INTO quote (tenant_id, id, policy_id, branch_id, segment_from, priced_hash, created_at,
      expires_at, content, premium_items)
    SELECT ${tenant}, ${id("quote_")}, ${id("policy_")}, ${id("branch_")},
      ${startedAt}::text::timestamptz, '', now(), now(), r.quote, r.premium_items
    FROM ${policies}
  `
  yield* sql`
    INSERT INTO validity (tenant_id, policy_id, branch_id, entity_id, entity_kind, valid_from,
      valid_to, state)
    SELECT ${tenant}, ${id("policy_")}, ${id("branch_")}, e.id, e.kind,
      ${startedAt}::text::timestamptz, '9999-12-31T23:59:59.999Z', e.state
    FROM ${policies}, LATERAL (
      SELECT ${id("policy_")} AS id, 'POLICY' AS kind,
        r.policy || jsonb_build_object('quoteId', ${id("quote_")}) AS state
      UNION ALL
      SELECT id, kind, state FROM jsonb_to_recordset(r.entities) AS t(id text, kind text, state jsonb)
    ) e
  `
})

/** A database with a tenant for each of the given numbers of policies. */
export const database = Effect.fn("SimulationWorld.database")(function* (
  tenants: ReadonlyMap<TenantId, number>
) {
  const made = yield* TestServer.database(yield* TestServer.start)
  const superuser = yield* Sql.pool(made.superuserUrl, "postgres")
  const variants = Array.from({ length: risks }, (_, risk) => variantOf(risk))
  yield* Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`
      CREATE TABLE bench_risk AS
      SELECT risk, policy, entities, quote, "premiumItems" AS premium_items FROM jsonb_to_recordset(${JSON.stringify(variants)}::text::jsonb)
        AS t(risk int, policy jsonb, entities jsonb, quote jsonb, "premiumItems" json)
    `
    for (const [tenant, count] of tenants) yield* seed(tenant, count)
    yield* sql`DROP TABLE bench_risk`
    yield* sql`ANALYZE policy, branch, validity, quote`
  }).pipe(Effect.provideService(SqlClient.SqlClient, superuser))
  return made
}, Effect.provide(Reactivity.layer))
