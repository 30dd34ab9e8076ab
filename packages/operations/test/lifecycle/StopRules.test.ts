/** Stops for reasons of the law: moved to the day that it allows, or refused with the article that says so. */
import { assert, layer } from "@effect/vitest"
import type { StopPolicy } from "@quittance/domain/lifecycle/LifecycleRequests"
import type { Product } from "@quittance/domain/products/Product"
import { Effect, Layer } from "effect"
import { Worklists } from "../../src/accounting/Worklists.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { PolicyLifecycle } from "../../src/lifecycle/PolicyLifecycle.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"

const article = "art. L113-15-2 code des assurances"
const hamon = {
  id: "INFRA_ANNUAL",
  name: "Hamon",
  refund: "PRO_RATA",
  rule: {
    article,
    end: "NOTICE",
    notice: { amount: 1, unit: "MONTH" },
    notBefore: { amount: 1, unit: "YEAR" },
    refundWithinDays: 30
  }
} as const
const product: Product = { ...World.motor, stopReasons: [...World.motor.stopReasons, hamon] }
const free = World.motor.stopReasons.find(({ id }) => id === "SALE")!

/** A policy from 1 April 2026, whose cover has begun. */
const started = Effect.gen(function* () {
  const world = yield* World.make(undefined, [product])
  const startedAt = World.at("2026-04-01T00:00:00+02:00")
  const contract = yield* Contracts.signed(world, { product, startedAt })
  yield* Contracts.moveTo(world, "2026-04-15T12:00:00+02:00")
  const stop = (whenAt: string | undefined, input: StopPolicy, dryRun = false) =>
    World.as(world, world.manager, { dryRun })(
      PolicyLifecycle.use((lifecycle) =>
        lifecycle.stop(
          {
            policyId: contract.policyId,
            ...(whenAt === undefined ? {} : { whenAt: World.at(whenAt) })
          },
          input
        )
      )
    )
  return { world, contract, stop }
})

const TestLayer = Layer.mergeAll(PolicyLifecycle.layer, Worklists.layer).pipe(
  Layer.provideMerge(Contracts.layer)
)

layer(TestLayer, { excludeTestServices: true })("a stop for a reason with a rule", (it) => {
  it.effect("takes effect when the law allows it, where no time was asked for", () =>
    Effect.gen(function* () {
      const { stop } = yield* started
      const tried = yield* stop(undefined, { reason: hamon.id }, true)
      // A year after 1 April 2026 it may be asked for; then the month of the notice.
      assert.strictEqual(tried.endedAt, World.at("2027-05-02T00:00:00+02:00"))
      const stopped = yield* stop(undefined, { reason: hamon.id })
      assert.strictEqual(stopped.endedAt, tried.endedAt)
      assert.strictEqual(stopped.status, "POLICY_STARTED")
    })
  )

  it.effect("is refused before that, with the day and the article", () =>
    Effect.gen(function* () {
      const { stop } = yield* started
      const refused = yield* Effect.flip(stop("2026-05-15T00:00:00+02:00", { reason: hamon.id }))
      assert.deepInclude(refused, {
        _tag: "StopNotPossible",
        reason: hamon.id,
        earliest: World.at("2027-05-02T00:00:00+02:00"),
        article
      })
    })
  )

  it.effect("counts from the day on which the notice came, which is not to come", () =>
    Effect.gen(function* () {
      const { stop, world } = yield* started
      const receivedAt = World.at("2027-04-20T18:00:00+02:00")
      const early = yield* Effect.flip(stop(undefined, { reason: hamon.id, receivedAt }))
      assert.deepInclude(early, { _tag: "InvalidEffectiveDate", field: "receivedAt" })
      yield* Contracts.moveTo(world, "2027-04-26T12:00:00+02:00")
      const { endedAt } = yield* stop(undefined, { reason: hamon.id, receivedAt })
      assert.strictEqual(endedAt, World.at("2027-05-21T00:00:00+02:00"))
    })
  )

  it.effect("is at any time within the limits where the reason has no rule", () =>
    Effect.gen(function* () {
      const { stop } = yield* started
      const { status } = yield* stop(undefined, { reason: free.id })
      assert.strictEqual(status, "POLICY_STOPPED")
    })
  )

  it.effect("gives the refund its day of the law on the worklist", () =>
    Effect.gen(function* () {
      const { contract, stop, world } = yield* started
      yield* Contracts.moveTo(world, "2027-04-10T12:00:00+02:00")
      const run = World.as(world, world.manager)
      for (const { amountDue, id } of yield* Contracts.invoices(world, contract)) {
        yield* run(
          Payments.use(({ record }) =>
            // Nothing was credited yet.
            record(id as InvoiceId, { amount: amountDue, method: "CARD", reference: "R" })
          )
        )
      }
      const { endedAt } = yield* stop(undefined, { reason: hamon.id })
      assert.strictEqual(endedAt, World.at("2027-05-11T00:00:00+02:00"))
      yield* Contracts.moveTo(world, "2027-05-01T12:00:00+02:00")
      for (const { amountDue, id } of yield* Contracts.invoices(world, contract)) {
        if (amountDue <= 0) continue
        yield* run(
          Payments.use(({ record }) =>
            record(id as InvoiceId, { amount: amountDue + 700, method: "CARD", reference: "R" })
          )
        )
      }
      const { data } = yield* run(
        Worklists.use((worklists) =>
          worklists.list({ kinds: ["BALANCE_TO_PAY_BACK"] }, { count: 10, page: 1 })
        )
      )
      assert.isNotEmpty(data)
      for (const { dueOn } of data) assert.strictEqual(dueOn, "2027-06-10")
    })
  )
})
