/** Small rests of premium: they stay owed, and neither notice nor suspension follows from them. */
import { assert, layer } from "@effect/vitest"
import { origin } from "@quittance/domain/policies/Change"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import type { Product } from "@quittance/domain/products/Product"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { Dunning } from "../../src/dunning/Dunning.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import * as SoldPolicies from "../SoldPolicies.ts"
import * as World from "../World.ts"

const TestLayer = Layer.mergeAll(Dunning.layer, DunningRepo.layer, PolicyHistory.layer).pipe(
  Layer.provideMerge(SoldPolicies.layer)
)

const tolerance = 200
const product: Product = { ...World.motor, dunning: { ...World.motor.dunning, tolerance } }

/** A policy from 1 April 2026 with monthly invoices, each due on the 11th; the notices go by themselves. */
const sold = Effect.gen(function* () {
  const world = yield* World.make(undefined, [product])
  const contract = yield* SoldPolicies.signed(world, { product })
  const { policyId } = contract
  yield* TenantSql.use((sql) =>
    sql.transaction(DunningRepo.use((dunning) => dunning.setDispatch("SIMULATED_POST")))
  ).pipe(Effect.provideService(CurrentTenant, world.tenant))
  const run = World.as(world, world.manager)
  const invoices = SoldPolicies.invoices(world, contract)
  /** Pays an invoice but for a rest. */
  const pay = ({ amountDue, id }: Invoice, rest: number, paidAt: string) =>
    run(
      Payments.use((payments) =>
        payments.record(id as InvoiceId, {
          amount: amountDue - rest,
          method: "BANK_TRANSFER",
          reference: "R-1",
          paidAt: World.at(paidAt)
        })
      )
    )
  const noticed = run(
    Dunning.use((dunning) => dunning.notices(policyId, { count: 100, page: 1 }))
  ).pipe(Effect.map(({ data }) => data.flatMap(({ invoiceIds }) => invoiceIds)))
  const statuses = run(PolicyHistory.use((history) => history.timeline({ policyId }))).pipe(
    Effect.map(({ segments }) =>
      segments.filter(({ from }) => from !== origin).map(({ from, status }) => `${status} ${from}`)
    )
  )
  return { world, invoices, pay, noticed, statuses }
})

layer(TestLayer, { excludeTestServices: true })("a small rest of premium", (it) => {
  it.effect("is owed, and leads to no notice", () =>
    Effect.gen(function* () {
      const at = yield* sold
      yield* SoldPolicies.moveTo(at.world, "2026-04-05T12:00:00+02:00")
      const [first] = yield* at.invoices
      yield* at.pay(first!, tolerance, "2026-04-05T12:00:00+02:00")
      yield* SoldPolicies.moveTo(at.world, "2026-04-30T12:00:00+02:00")
      assert.deepStrictEqual(yield* at.noticed, [])
      const [after] = yield* at.invoices
      assert.deepStrictEqual([after!.status, after!.amountDue], ["PARTIALLY_PAID", tolerance])
    })
  )

  it.effect("changes nothing when it is paid long after the notice would have gone", () =>
    Effect.gen(function* () {
      const at = yield* sold
      yield* SoldPolicies.moveTo(at.world, "2026-04-05T12:00:00+02:00")
      yield* at.pay((yield* at.invoices)[0]!, tolerance, "2026-04-05T12:00:00+02:00")
      yield* SoldPolicies.moveTo(at.world, "2026-05-20T12:00:00+02:00")
      const [first, second] = yield* at.invoices
      yield* at.pay(second!, 0, "2026-05-20T12:00:00+02:00")
      yield* at.pay(first!, 0, "2026-05-20T12:00:00+02:00")
      yield* SoldPolicies.moveTo(at.world, "2026-06-05T12:00:00+02:00")
      assert.strictEqual((yield* at.invoices)[0]!.status, "PAID")
      assert.deepStrictEqual(yield* at.noticed, [])
      assert.include((yield* at.statuses).at(-1), "POLICY_STARTED")
    })
  )

  it.effect("leads to a notice where it is one cent more", () =>
    Effect.gen(function* () {
      const at = yield* sold
      yield* SoldPolicies.moveTo(at.world, "2026-04-05T12:00:00+02:00")
      const [first] = yield* at.invoices
      yield* at.pay(first!, tolerance + 1, "2026-04-05T12:00:00+02:00")
      yield* SoldPolicies.moveTo(at.world, "2026-04-30T12:00:00+02:00")
      assert.deepStrictEqual(yield* at.noticed, [first!.id])
    })
  )

  it.effect("keeps no cover away when the rest is left of what was noticed", () =>
    Effect.gen(function* () {
      const at = yield* sold
      yield* SoldPolicies.moveTo(at.world, "2026-06-03T15:00:00+02:00")
      const [first, second] = yield* at.invoices
      assert.include((yield* at.statuses).at(-1), "POLICY_SUSPENDED")
      yield* at.pay(first!, tolerance, "2026-06-03T14:00:00+02:00")
      yield* at.pay(second!, tolerance, "2026-06-03T15:00:00+02:00")
      yield* SoldPolicies.moveTo(at.world, "2026-06-04T12:00:00+02:00")
      assert.strictEqual((yield* at.statuses).at(-1), "POLICY_STARTED 2026-06-04T10:00:00.000Z")
    })
  )
})
