/** The laws of other countries on real policies: ends by law, ends that were announced, and their undoing. */
import { assert, layer } from "@effect/vitest"
import { origin } from "@quittance/domain/policies/Change"
import type { Product } from "@quittance/domain/products/Product"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Layer } from "effect"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { DueSteps } from "../../src/worker/DueSteps.ts"
import { PaymentReturns } from "../../src/payments/PaymentReturns.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { PolicyHistory } from "../../src/policies/PolicyHistory.ts"
import { InvoiceAdjustments } from "../../src/billing/InvoiceAdjustments.ts"
import * as Clones from "../Clones.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(
  DunningRepo.layer,
  PaymentReturns.layer,
  PolicyHistory.layer,
  InvoiceAdjustments.layer
).pipe(Layer.provideMerge(PolicyLifecycle.layer))

const shipped = (country: string): Product => shippedProduct(`bicycle-${country}`)

/** A yearly policy from 1 April 2026 whose notices, if it has any, go by themselves. */
const unpaid = Effect.fnUntraced(function* (country: string, signing?: PolicyLifecycle.Signing) {
  const product = shipped(country)
  const world = yield* World.make(undefined, [product])
  const contract = yield* PolicyLifecycle.signed(world, { product, ...signing })
  yield* TenantSql.use((sql) =>
    sql.transaction(DunningRepo.use((dunning) => dunning.setDispatch("SIMULATED_POST")))
  ).pipe(Effect.provideService(CurrentTenant, world.tenant))
  return { world, contract }
})

type Unpaid = Effect.Success<ReturnType<typeof unpaid>>

/** Takes the first step of a kind back by hand. */
const revert = Effect.fnUntraced(function* (
  { contract: { policyId }, world }: Unpaid,
  kind: "REACTIVATE" | "STOP"
) {
  const run = World.as(world, world.manager)
  const { data } = yield* run(
    PolicyHistory.use((history) => history.changes({ policyId }, { count: 100, page: 1 }))
  )
  const { id: changeId } = data.find((change) => change.kind === kind)!
  yield* run(ContractSteps.use((lifecycle) => lifecycle.revert({ policyId, changeId })))
})

/** Pays what is due of the policy's first invoice. */
const pay = Effect.fnUntraced(function* ({ contract, world }: Unpaid, paidAt: string) {
  const [first] = yield* PolicyLifecycle.invoices(world, contract)
  return yield* World.as(
    world,
    world.manager
  )(
    Payments.use((payments) =>
      // The first invoice of a policy is an invoice.
      payments.record(first!.id as InvoiceId, {
        amount: first!.amountDue,
        method: "BANK_TRANSFER",
        reference: "R-1",
        paidAt: World.at(paidAt)
      })
    )
  )
})

/** What the policy was and will be, from when on. */
const timeline = Effect.fnUntraced(function* ({ contract: { policyId }, world }: Unpaid) {
  const { segments } = yield* World.as(
    world,
    world.manager
  )(PolicyHistory.use((history) => history.timeline({ policyId })))
  return segments
    .filter(({ from }) => from !== origin)
    .map(({ from, status }) => `${status} ${from}`)
    .filter((text, index, all) => text.split(" ")[0] !== all[index - 1]?.split(" ")[0])
})

const signed = "POLICY_SIGNED 2026-03-10T09:00:00.000Z"

layer(TestLayer, { excludeTestServices: true })("unpaid premiums", (it) => {
  it.effect("end an Italian contract by law after six months, and keep the premium due", () =>
    Effect.gen(function* () {
      const at = yield* unpaid("it")
      const { ran } = yield* PolicyLifecycle.moveTo(at.world, "2026-12-01T00:00:00Z")
      assert.strictEqual(ran.terminatePolicies, 1)
      assert.isUndefined(ran.noticePayers)
      assert.deepStrictEqual((yield* timeline(at)).slice(-2), [
        "POLICY_SUSPENDED 2026-03-31T22:00:00.000Z",
        "POLICY_STOPPED 2026-10-01T22:00:00.000Z"
      ])
      const invoices = yield* PolicyLifecycle.invoices(at.world, at.contract)
      assert.deepStrictEqual(
        invoices.map(({ amountDue, status }) => [status, amountDue]),
        [["ISSUED", at.contract.premium]]
      )
    })
  )

  it.effect("keep Italian cover away also where the first premium is invoiced anew", () =>
    Effect.gen(function* () {
      const invoicingConfig = {
        frequency: "YEARLY",
        timing: "IN_ADVANCE",
        firstPayment: "FULL_AT_SIGNATURE"
      } as const
      const at = yield* unpaid("it", { policy: { invoicingConfig } })
      const { policyId } = at.contract
      const run = World.as(at.world, at.world.manager)
      const stop = { policyId, whenAt: World.at("2026-03-25T00:00:00Z") }
      yield* run(
        ContractSteps.use((lifecycle) => lifecycle.stop(stop, { reason: "CUSTOMER_REQUEST" }))
      )
      yield* run(ContractSteps.use((lifecycle) => lifecycle.withdrawStop({ policyId })))
      const invoices = yield* PolicyLifecycle.invoices(at.world, at.contract)
      assert.sameMembers(
        invoices.map(({ status, type }) => `${type} ${status}`),
        ["INVOICE CREDITED", "CREDIT_NOTE PAID", "INVOICE ISSUED"]
      )
      yield* PolicyLifecycle.moveTo(at.world, "2026-04-05T10:00:00Z")
      assert.strictEqual((yield* timeline(at)).at(-1), "POLICY_SUSPENDED 2026-03-31T22:00:00.000Z")
    })
  )

  it.effect(
    "end a Spanish contract by law, where the first day of the calendar has another date",
    () =>
      Effect.gen(function* () {
        const at = yield* unpaid("es")
        const { ran } = yield* PolicyLifecycle.moveTo(at.world, "2026-12-01T00:00:00Z")
        assert.strictEqual(ran.terminatePolicies, 1)
        assert.deepStrictEqual((yield* timeline(at)).slice(-2), [
          "POLICY_SUSPENDED 2026-03-31T22:00:00.000Z",
          "POLICY_STOPPED 2026-10-01T22:00:00.000Z"
        ])
        const invoices = yield* PolicyLifecycle.invoices(at.world, at.contract)
        assert.deepStrictEqual(
          invoices.map(({ amountDue, status }) => [status, amountDue]),
          [["ISSUED", at.contract.premium]]
        )
      })
  )

  it.effect("take an Italian end back once a payment before it is recorded", () =>
    Effect.gen(function* () {
      const at = yield* unpaid("it")
      yield* PolicyLifecycle.moveTo(at.world, "2026-12-01T00:00:00Z")
      yield* pay(at, "2026-09-30T08:00:00Z")
      assert.deepStrictEqual(yield* timeline(at), [
        signed,
        "POLICY_SUSPENDED 2026-03-31T22:00:00.000Z",
        "POLICY_STARTED 2026-09-30T22:00:00.000Z"
      ])
    })
  )

  it.effect("resume Italian cover with the payment where its end was reverted", () =>
    Effect.gen(function* () {
      const at = yield* unpaid("it")
      yield* PolicyLifecycle.moveTo(at.world, "2026-10-10T00:00:00Z")
      yield* revert(at, "STOP")
      yield* PolicyLifecycle.moveTo(at.world, "2026-11-15T00:00:00Z")
      yield* pay(at, "2026-11-14T08:00:00Z")
      assert.deepStrictEqual(yield* timeline(at), [
        signed,
        "POLICY_SUSPENDED 2026-03-31T22:00:00.000Z",
        "POLICY_STARTED 2026-11-14T23:00:00.000Z"
      ])
    })
  )

  it.effect("stop Italian cover anew, and not before, once the bank takes the payment back", () =>
    Effect.gen(function* () {
      const at = yield* unpaid("it")
      yield* PolicyLifecycle.moveTo(at.world, "2026-05-10T08:00:00Z")
      const { id } = yield* pay(at, "2026-05-10T08:00:00Z")
      yield* PolicyLifecycle.moveTo(at.world, "2026-07-20T08:00:00Z")
      yield* World.as(
        at.world,
        at.world.manager
      )(PaymentReturns.use((returns) => returns.record(id, { reasonCode: "AM04" })))
      assert.deepStrictEqual(yield* timeline(at), [
        signed,
        "POLICY_SUSPENDED 2026-03-31T22:00:00.000Z",
        "POLICY_STARTED 2026-05-10T22:00:00.000Z",
        "POLICY_SUSPENDED 2026-07-20T08:00:00.000Z"
      ])
    })
  )

  it.effect("start no Italian cover where the first premium is written off", () =>
    Effect.gen(function* () {
      const at = yield* unpaid("it")
      yield* PolicyLifecycle.moveTo(at.world, "2026-05-10T08:00:00Z")
      const [first] = yield* PolicyLifecycle.invoices(at.world, at.contract)
      const id = first!.id as InvoiceId
      yield* World.as(
        at.world,
        at.world.manager
      )(InvoiceAdjustments.use((all) => all.run("write-off", id, { reason: "Insolvent" })))
      yield* PolicyLifecycle.moveTo(at.world, "2026-05-12T08:00:00Z")
      assert.deepStrictEqual(yield* timeline(at), [
        signed,
        "POLICY_SUSPENDED 2026-03-31T22:00:00.000Z"
      ])
    })
  )

  it.effect("end no Italian contract at the moment at which the bank takes a payment back", () =>
    Effect.gen(function* () {
      const at = yield* unpaid("it")
      yield* PolicyLifecycle.moveTo(at.world, "2026-04-01T08:00:00Z")
      const { id } = yield* pay(at, "2026-04-01T08:00:00Z")
      yield* PolicyLifecycle.moveTo(at.world, "2026-10-20T08:00:00Z")
      yield* World.as(
        at.world,
        at.world.manager
      )(PaymentReturns.use((returns) => returns.record(id, { reasonCode: "MD01" })))
      yield* PolicyLifecycle.moveTo(at.world, "2026-10-21T08:00:00Z")
      assert.deepStrictEqual((yield* timeline(at)).slice(-1), [
        "POLICY_SUSPENDED 2026-10-20T08:00:00.000Z"
      ])
      yield* pay(at, "2026-10-21T08:00:00Z")
      yield* PolicyLifecycle.moveTo(at.world, "2026-10-22T08:00:00Z")
      assert.deepStrictEqual((yield* timeline(at)).slice(-1), [
        "POLICY_STARTED 2026-10-21T22:00:00.000Z"
      ])
    })
  )

  it.effect("leave Italian cover suspended where its reactivation was reverted", () =>
    Effect.gen(function* () {
      const at = yield* unpaid("it")
      yield* PolicyLifecycle.moveTo(at.world, "2026-05-10T08:00:00Z")
      const { id: paymentId } = yield* pay(at, "2026-05-10T08:00:00Z")
      yield* PolicyLifecycle.moveTo(at.world, "2026-05-20T08:00:00Z")
      const run = World.as(at.world, at.world.manager)
      yield* revert(at, "REACTIVATE")
      // The bank returns the payment: suspended cover is not suspended again.
      yield* run(PaymentReturns.use((returns) => returns.record(paymentId, { reasonCode: "AM04" })))
      yield* PolicyLifecycle.moveTo(at.world, "2026-06-10T08:00:00Z")
      assert.deepStrictEqual(yield* timeline(at), [
        signed,
        "POLICY_SUSPENDED 2026-03-31T22:00:00.000Z"
      ])
      yield* pay(at, "2026-06-10T08:00:00Z")
      yield* PolicyLifecycle.moveTo(at.world, "2026-06-12T00:00:00Z")
      assert.deepStrictEqual((yield* timeline(at)).slice(-1), [
        "POLICY_STARTED 2026-06-10T22:00:00.000Z"
      ])
    })
  )

  it.effect("stop Italian cover for what falls due after an end that did not come", () =>
    Effect.gen(function* () {
      const at = yield* unpaid("it", {
        policy: {
          invoicingConfig: { frequency: "HALF_YEARLY", timing: "IN_ADVANCE", firstPayment: "NONE" }
        }
      })
      yield* PolicyLifecycle.moveTo(at.world, "2026-04-20T08:00:00Z")
      const { policyId } = at.contract
      yield* World.as(
        at.world,
        at.world.manager
      )(ContractSteps.use((lifecycle) => lifecycle.reactivate({ policyId })))
      yield* PolicyLifecycle.moveTo(at.world, "2026-12-01T00:00:00Z")
      assert.deepStrictEqual(yield* timeline(at), [
        signed,
        "POLICY_SUSPENDED 2026-03-31T22:00:00.000Z",
        "POLICY_STARTED 2026-04-20T08:00:00.000Z",
        "POLICY_SUSPENDED 2026-10-16T22:00:00.000Z"
      ])
    })
  )

  it.effect(
    "leave a German contract without cover from its start, also for a late worker, once",
    () =>
      Effect.gen(function* () {
        const at = yield* unpaid("de")
        yield* Clones.onRealTime(at.world)
        const run = Effect.provideService(CurrentTenant, at.world.tenant)
        const first = yield* run(DueSteps.use((steps) => steps.runBatch()))
        assert.strictEqual(first.ran.suspendPolicies, 1)
        // Its invoice is issued and due when the worker comes: until then nothing can be noticed.
        assert.isUndefined(first.ran.noticePayers)
        assert.deepStrictEqual((yield* timeline(at)).slice(-1), [
          "POLICY_SUSPENDED 2026-03-31T22:00:00.000Z"
        ])
        const again = yield* run(DueSteps.use((steps) => steps.runBatch()))
        assert.deepStrictEqual(again.ran, {})
      })
  )

  it.effect("end a German contract before its cover begins, once, and ask for nothing of it", () =>
    Effect.gen(function* () {
      const at = yield* unpaid("de", {
        startedAt: World.at("2026-05-01T00:00:00+02:00"),
        policy: {
          invoicingConfig: {
            frequency: "YEARLY",
            timing: "IN_ADVANCE",
            firstPayment: "FULL_AT_SIGNATURE"
          }
        }
      })
      const { ran } = yield* PolicyLifecycle.moveTo(at.world, "2026-06-01T00:00:00Z")
      assert.strictEqual(ran.terminatePolicies, 1)
      assert.deepStrictEqual(yield* timeline(at), [
        signed,
        "POLICY_STOPPED 2026-03-25T23:00:00.000Z"
      ])
      const invoices = yield* PolicyLifecycle.invoices(at.world, at.contract)
      assert.deepStrictEqual(
        invoices.map(({ amountDue }) => amountDue),
        [0, 0]
      )
    })
  )

  it.effect("revive a German contract with a payment within a month, and bill it as before", () =>
    Effect.gen(function* () {
      const at = yield* unpaid("de")
      // Noticed on 2 April, over on the 17th.
      const { ran } = yield* PolicyLifecycle.moveTo(at.world, "2026-04-20T00:00:00Z")
      assert.strictEqual(ran.terminatePolicies, 1)
      assert.strictEqual((yield* timeline(at)).at(-1), "POLICY_STOPPED 2026-04-16T22:00:00.000Z")
      const ended = yield* PolicyLifecycle.invoices(at.world, at.contract)
      assert.isBelow(ended[0]!.amountDue, at.contract.premium)
      yield* PolicyLifecycle.moveTo(at.world, "2026-04-21T00:00:00Z")
      yield* pay(at, "2026-04-20T10:00:00Z")
      assert.deepStrictEqual(yield* timeline(at), [
        signed,
        "POLICY_SUSPENDED 2026-03-31T22:00:00.000Z",
        "POLICY_STARTED 2026-04-20T10:00:00.000Z"
      ])
      const invoices = yield* PolicyLifecycle.invoices(at.world, at.contract)
      const total = invoices.reduce((sum, { total }) => sum + total.amountWithFeesAndTaxes, 0)
      assert.strictEqual(total, at.contract.premium)
    })
  )

  it.effect("end a Belgian contract fifteen days after its cover, as the notice said", () =>
    Effect.gen(function* () {
      const at = yield* unpaid("be")
      // Noticed on 2 April.
      const { ran } = yield* PolicyLifecycle.moveTo(at.world, "2026-06-01T00:00:00Z")
      assert.strictEqual(ran.terminatePolicies, 1)
      assert.deepStrictEqual(yield* timeline(at), [
        signed,
        "POLICY_STARTED 2026-03-31T22:00:00.000Z",
        "POLICY_SUSPENDED 2026-04-17T22:00:00.000Z",
        "POLICY_STOPPED 2026-05-02T22:00:00.000Z"
      ])
    })
  )
})
