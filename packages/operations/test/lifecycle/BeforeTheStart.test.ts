/** Contracts that are stopped, taken up again or signed on the other side of their start. */
import { assert, layer } from "@effect/vitest"
import type { Product } from "@quittance/domain/products/Product"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { Sales } from "../../src/lifecycle/PolicySale.ts"
import { Payments } from "../../src/payments/Payments.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import { InvoiceId, type PolicyId } from "@quittance/domain/values/Ids"

const liability = shippedProduct("liability-fr")
const gated: Product = {
  ...liability,
  activation: { ...liability.activation, notTakenUpAfterDays: 10 },
  limits: World.motor.limits,
  reinstatement: { withinDays: 90 }
}

/** A policy from 1 April 2026, signed on 10 March. */
const scene = Effect.fnUntraced(function* (product: Product = World.motor) {
  const world = yield* World.make(undefined, [product])
  const run = World.as(world, world.manager)
  const contract = yield* PolicyLifecycle.signed(world, { product })
  const { policyId } = contract
  const read = (whenAt?: string) =>
    run(
      Policies.use((x) =>
        x.get({ policyId, ...(whenAt === undefined ? {} : { whenAt: World.at(whenAt) }) })
      )
    )
  const stop = (whenAt: string) =>
    run(ContractSteps.use((x) => x.stop({ policyId, whenAt: World.at(whenAt) }, reason)))
  const reinstate = (gap: "COVERED" | "NOT_COVERED") =>
    run(ContractSteps.use((x) => x.reinstate({ policyId }, { gap })))
  const pay = Effect.gen(function* () {
    for (const invoice of yield* PolicyLifecycle.invoices(world, contract)) {
      if (invoice.type !== "INVOICE" || invoice.amountDue === 0) continue
      const payment = {
        amount: invoice.amountDue,
        method: "BANK_TRANSFER",
        reference: "r"
      } as const
      yield* run(Payments.use((x) => x.record(InvoiceId.make(invoice.id), payment)))
    }
  })
  return { world, run, contract, policyId, read, stop, reinstate, pay }
})

const reason = { reason: "CUSTOMER_REQUEST" }

layer(PolicyLifecycle.layer)("a policy that is taken up again before it had started", (it) => {
  for (const gap of ["COVERED", "NOT_COVERED"] as const) {
    it.effect(`waits for its start, ${gap}`, () =>
      Effect.gen(function* () {
        const { read, reinstate, stop, world } = yield* scene()
        yield* PolicyLifecycle.moveTo(world, "2026-03-12T12:00:00Z")
        yield* stop("2026-03-12T12:00:00Z")
        yield* PolicyLifecycle.moveTo(world, "2026-03-15T12:00:00Z")
        assert.strictEqual((yield* reinstate(gap)).status, "POLICY_SIGNED")
        assert.strictEqual((yield* read("2026-04-02T00:00:00Z")).status, "POLICY_SIGNED")
        yield* PolicyLifecycle.moveTo(world, "2026-04-01T12:00:00Z")
        assert.strictEqual((yield* read()).status, "POLICY_STARTED")
        assert.strictEqual((yield* read("2026-03-31T21:00:00Z")).status, "POLICY_SIGNED")
      })
    )

    it.effect(`waits for its first payment, ${gap}, before its start and after`, () =>
      Effect.gen(function* () {
        for (const day of ["03-15", "04-05"]) {
          const { pay, read, reinstate, stop, world } = yield* scene(gated)
          yield* PolicyLifecycle.moveTo(world, `2026-${day}T12:00:00Z`)
          yield* stop(`2026-${day}T12:00:00Z`)
          yield* PolicyLifecycle.moveTo(world, "2026-04-07T12:00:00Z")
          assert.strictEqual((yield* reinstate(gap)).status, "POLICY_CONFIRMED", day)
          yield* pay
          assert.strictEqual((yield* read()).status, "POLICY_STARTED", day)
        }
      })
    )

    it.effect(`waits again for a payment that had not come in its time, ${gap}`, () =>
      Effect.gen(function* () {
        const { pay, read, reinstate, world } = yield* scene(gated)
        yield* PolicyLifecycle.moveTo(world, "2026-04-20T12:00:00Z")
        assert.strictEqual((yield* read()).stop?.reason, "NOT_TAKEN_UP")
        assert.strictEqual((yield* reinstate(gap)).status, "POLICY_CONFIRMED")
        yield* PolicyLifecycle.moveTo(world, "2026-04-25T12:00:00Z")
        assert.strictEqual((yield* read()).status, "POLICY_CONFIRMED")
        yield* pay
        assert.strictEqual((yield* read()).status, "POLICY_STARTED")
      })
    )
  }

  it.effect("is dropped once more where the payment does not come then either", () =>
    Effect.gen(function* () {
      const { read, reinstate, world } = yield* scene(gated)
      yield* PolicyLifecycle.moveTo(world, "2026-04-20T12:00:00Z")
      yield* reinstate("COVERED")
      yield* PolicyLifecycle.moveTo(world, "2026-05-10T12:00:00Z")
      assert.strictEqual((yield* read()).stop?.reason, "NOT_TAKEN_UP")
    })
  )
})

layer(PolicyLifecycle.layer)("a stop that was announced", (it) => {
  it.effect("shows at no time once the policy was taken up without a gap", () =>
    Effect.gen(function* () {
      const { read, reinstate, stop, world } = yield* scene()
      const before = yield* read("2026-05-01T00:00:00Z")
      yield* PolicyLifecycle.moveTo(world, "2026-04-20T12:00:00Z")
      yield* stop("2026-05-20T00:00:00Z")
      assert.isDefined((yield* read("2026-05-01T00:00:00Z")).stop)
      yield* PolicyLifecycle.moveTo(world, "2026-05-25T12:00:00Z")
      yield* reinstate("COVERED")
      for (const whenAt of [
        "2026-04-20T12:00:00Z",
        "2026-05-01T00:00:00Z",
        "2026-05-20T00:00:00Z"
      ]) {
        const { endedAt, stop: shown } = yield* read(whenAt)
        assert.isUndefined(shown, whenAt)
        assert.strictEqual(endedAt, before.endedAt, whenAt)
      }
    })
  )

  it.effect("shows until its day where the policy was without cover since", () =>
    Effect.gen(function* () {
      const { read, reinstate, stop, world } = yield* scene()
      yield* PolicyLifecycle.moveTo(world, "2026-04-20T12:00:00Z")
      yield* stop("2026-05-20T00:00:00Z")
      yield* PolicyLifecycle.moveTo(world, "2026-05-25T12:00:00Z")
      yield* reinstate("NOT_COVERED")
      assert.strictEqual((yield* read("2026-05-01T00:00:00Z")).stop?.reason, "CUSTOMER_REQUEST")
      assert.isUndefined((yield* read("2026-05-26T00:00:00Z")).stop)
    })
  )
})

layer(PolicyLifecycle.layer)("a policy that starts before its signature", (it) => {
  it.effect("is in force from its start, and can be stopped from there", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const run = World.as(world, world.manager)
      const startedAt = World.at("2026-02-20T00:00:00+01:00")
      const contract = yield* PolicyLifecycle.signed(world, { startedAt })
      const { policyId } = contract
      const statusOn = (whenAt: string) =>
        Effect.map(
          run(Policies.use((x) => x.get({ policyId, whenAt: World.at(whenAt) }))),
          ({ status }) => status
        )
      assert.strictEqual(yield* statusOn("2026-02-19T22:59:59Z"), "POLICY_CONFIRMED")
      assert.strictEqual(yield* statusOn("2026-02-19T23:00:00Z"), "POLICY_STARTED")
      assert.strictEqual(yield* statusOn("2026-03-09T00:00:00Z"), "POLICY_STARTED")
      const { signedAt } = yield* run(Policies.use((x) => x.get({ policyId })))
      assert.strictEqual(signedAt, World.at("2026-03-10T09:00:00Z"))
      const whenAt = World.at("2026-03-01T00:00:00+01:00")
      yield* run(ContractSteps.use((x) => x.stop({ policyId, whenAt }, reason)))
      assert.strictEqual(yield* statusOn("2026-03-02T00:00:00Z"), "POLICY_STOPPED")
    })
  )

  it.effect("is in force from its start once it is paid for, where its cover waits for that", () =>
    Effect.gen(function* () {
      const world = yield* World.make(undefined, [gated])
      const run = World.as(world, world.manager)
      const startedAt = World.at("2026-02-20T00:00:00+01:00")
      const contract = yield* PolicyLifecycle.signed(world, { product: gated, startedAt })
      const { policyId } = contract
      const [invoice] = yield* PolicyLifecycle.invoices(world, contract)
      const payment = {
        amount: invoice!.amountDue,
        method: "BANK_TRANSFER",
        reference: "r"
      } as const
      yield* run(Payments.use((x) => x.record(InvoiceId.make(invoice!.id), payment)))
      const whenAt = World.at("2026-02-21T00:00:00Z")
      const { status } = yield* run(Policies.use((x) => x.get({ policyId, whenAt })))
      assert.strictEqual(status, "POLICY_STARTED")
    })
  )
})

layer(PolicyLifecycle.layer)("an offer of renewal", (it) => {
  const offered = Effect.fnUntraced(function* (policyId: PolicyId) {
    const { data } = yield* Branches.use((x) => x.listByPolicy({ policyId }, { page: 1, count: 9 }))
    return data.find(({ branchType }) => branchType === "RENEWAL")!
  })

  it.effect("goes with the term that ends without it", () =>
    Effect.gen(function* () {
      const product: Product = {
        ...World.motor,
        renewal: { mode: "ON_ACCEPTANCE", openDaysBefore: 75 }
      }
      const { policyId, read, run, world } = yield* scene(product)
      yield* PolicyLifecycle.moveTo(world, "2027-02-01T12:00:00Z")
      const { id: branchId } = yield* run(offered(policyId))
      yield* PolicyLifecycle.moveTo(world, "2027-04-01T12:00:00Z")
      assert.strictEqual((yield* read()).status, "POLICY_STOPPED")
      const { invalidation, status } = yield* run(offered(policyId))
      assert.strictEqual(status, "INVALIDATED")
      assert.strictEqual(invalidation?.reason, "POLICY_STOPPED")
      const refused = yield* Effect.flip(run(Sales.use((x) => x.accept({ policyId, branchId }))))
      assert.strictEqual(refused._tag, "BranchClosed")
    })
  )
})
