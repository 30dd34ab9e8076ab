import type { MakeCharge } from "@quittance/domain/billing/BillingRequests"
import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Effect, Layer } from "effect"
import { Branches } from "../../src/branches/Branches.ts"
import { ManualCharges } from "../../src/billing/ManualCharges.ts"
import { PolicyLifecycle as ContractsOf } from "../../src/lifecycle/PolicyLifecycle.ts"
import { Customers } from "../../src/customers/Customers.ts"
import { PaymentReturns } from "../../src/payments/PaymentReturns.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Reconciliation } from "../../src/reconciliation/Reconciliation.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { BranchId, InvoiceId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const charge = (
  world: World.World,
  policyId: PolicyId,
  input: Partial<MakeCharge> = {},
  caller: Caller = world.manager,
  request: Parameters<typeof World.as>[2] = {}
) =>
  World.as(
    world,
    caller,
    request
  )(
    ManualCharges.use((charges) =>
      charges.make(policyId, { componentId: "COPY", label: "Copy", amount: 1500, ...input })
    )
  )

const withInvoice = Effect.gen(function* () {
  const world = yield* World.make()
  const contract = yield* PolicyLifecycle.signed(world)
  yield* PolicyLifecycle.moveTo(world, "2026-04-15T12:00:00Z")
  const [first] = yield* PolicyLifecycle.invoices(world, contract)
  return { world, contract, first: first! }
})

const assertSound = (world: World.World) =>
  Effect.gen(function* () {
    const { difference } = yield* Reconciliation.use(({ reconcile }) => reconcile)
    assert.isUndefined(difference)
  }).pipe(Effect.provideService(CurrentTenant, world.tenant))

const TestLayer = Layer.mergeAll(
  ManualCharges.layer,
  PaymentReturns.layer,
  Reconciliation.layer
).pipe(Layer.provideMerge(PolicyLifecycle.layer))

layer(TestLayer, { excludeTestServices: true })("a charge by hand", (it) => {
  it.effect("is made by who may, on a signed policy of the tenant, of a sensible amount", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* withInvoice
      const other = yield* World.make()
      const unsigned = yield* PolicyLifecycle.confirmed(world)
      const errors = [
        yield* Effect.flip(charge(other, contract.policyId)),
        yield* Effect.flip(charge(world, (yield* Ids).next("policy"))),
        yield* Effect.flip(charge(world, contract.policyId, {}, world.auditor)),
        yield* Effect.flip(charge(world, contract.policyId, {}, world.north)),
        yield* Effect.flip(charge(world, unsigned.policyId)),
        yield* Effect.flip(charge(world, contract.policyId, { amount: 0 })),
        yield* Effect.flip(charge(world, contract.policyId, { amount: 100_000_000_001 }))
      ]
      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        [
          "PolicyNotFound",
          "PolicyNotFound",
          "Forbidden",
          "Forbidden",
          "InvalidTransition",
          "InvalidAmount",
          "InvalidAmount"
        ]
      )
      assert.strictEqual((yield* PolicyLifecycle.invoices(world, contract)).length, 1)
    })
  )

  it.effect("has an invoice of its own, once also for a repetition with the same key", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* withInvoice
      const request = { idempotency: { key: "k", fingerprint: "f" } }
      const one = yield* charge(world, contract.policyId, {}, world.manager, request)
      const two = yield* charge(world, contract.policyId, {}, world.manager, request)
      assert.deepStrictEqual(two, one)
      const [, invoice, ...more] = yield* PolicyLifecycle.invoices(world, contract)
      assert.deepStrictEqual(
        [invoice?.id, invoice?.number, invoice?.amountDue, more.length],
        [one.invoiceId, "INV-000002", 1500, 0]
      )
      assert.deepStrictEqual(
        invoice!.lines.map(({ chargeType, componentId, label }) => [
          componentId,
          label,
          chargeType
        ]),
        [["COPY", "Copy", "SPOT"]]
      )
      yield* assertSound(world)
    })
  )

  it.effect("charges today's payer, not a later one", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* withInvoice
      const { customerId, policyId } = contract
      const run = World.as(world, world.manager)
      const { id } = yield* run(
        Branches.use((branches) =>
          branches.open(
            { policyId },
            { branchType: "MTA", effectiveAt: World.at("2026-06-10T12:00:00Z") }
          )
        )
      )
      const on = { policyId, branchId: id as BranchId }
      const payer = yield* run(
        Customers.use((customers) =>
          customers.addToPolicy(on, {
            role: "PAYER",
            name: "Alix Durand",
            customFields: World.examples(World.motor.fields.customer, "PAYER")
          })
        )
      )
      yield* run(Customers.use((customers) => customers.confirm({ customerId: payer.customerId })))
      yield* PolicyLifecycle.endorse(world, on)
      assert.strictEqual((yield* charge(world, policyId)).customerId, customerId)
      // A change's day is billed as it is changed.
      yield* PolicyLifecycle.moveTo(world, "2026-06-10T06:00:00Z")
      assert.strictEqual((yield* charge(world, policyId)).customerId, payer.customerId)
    })
  )

  it.effect("can be made twice on one day, and stays when the policy is stopped", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* withInvoice
      const { policyId } = contract
      const charges = [yield* charge(world, policyId), yield* charge(world, policyId)]
      yield* World.as(
        world,
        world.manager
      )(ContractsOf.use((lifecycle) => lifecycle.stop({ policyId }, { reason: "SALE" })))
      const after = yield* PolicyLifecycle.invoices(world, contract)
      const ids = new Set<string>(charges.map(({ invoiceId }) => invoiceId))
      const corrected = after.flatMap(({ lines }) =>
        lines.flatMap(({ corrects }) => corrects ?? [])
      )
      assert.isAbove(corrected.length, 0)
      assert.isTrue(corrected.every((id) => !ids.has(id)))
      assert.strictEqual(after.filter(({ id }) => ids.has(id)).length, 2)
      yield* assertSound(world)
    })
  )

  it.effect("pays for a returned debit, beside what is owed again", () =>
    Effect.gen(function* () {
      const { contract, first, world } = yield* withInvoice
      const run = World.as(world, world.manager)
      const payment = yield* run(
        Payments.use(({ record }) =>
          record(
            // The first invoice of a policy is an invoice.
            first.id as InvoiceId,
            { amount: first.amountDue, method: "DIRECT_DEBIT", reference: "R" }
          )
        )
      )
      const giveBack = (fee: number) =>
        run(PaymentReturns.use(({ record }) => record(payment.id, { reasonCode: "AM04", fee })))
      assert.strictEqual((yield* Effect.flip(giveBack(0)))._tag, "InvalidAmount")
      yield* giveBack(1000)
      const after = yield* PolicyLifecycle.invoices(world, contract)
      assert.deepStrictEqual(
        after.map(({ amountDue, status }) => [status, amountDue]),
        [
          ["PAYMENT_FAILED", first.amountDue],
          ["ISSUED", 1000]
        ]
      )
      assert.deepStrictEqual(
        after[1]!.lines.map(({ componentId }) => componentId),
        ["RETURNED_PAYMENT"]
      )
      yield* assertSound(world)
    })
  )
})
