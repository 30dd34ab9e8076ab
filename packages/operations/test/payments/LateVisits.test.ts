/** A late worker, and payments at any time: no policy is parked for that. */
import { assert, layer } from "@effect/vitest"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import type { Product } from "@quittance/domain/products/Product"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect, Layer } from "effect"
import { Billing } from "../../src/billing/Billing.ts"
import { ManualCharges } from "../../src/billing/ManualCharges.ts"
import { PolicyLifecycle as ContractSteps } from "../../src/lifecycle/PolicyLifecycle.ts"
import { DueSteps } from "../../src/worker/DueSteps.ts"
import { Dunning } from "../../src/dunning/Dunning.ts"
import { Moratoriums } from "../../src/dunning/Moratoriums.ts"
import { PaymentReturns } from "../../src/payments/PaymentReturns.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Policies } from "../../src/policies/Policies.ts"
import { InvoiceAdjustments } from "../../src/billing/InvoiceAdjustments.ts"
import { Reconciliation } from "../../src/reconciliation/Reconciliation.ts"
import { Refunds } from "../../src/payments/Refunds.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import { type Draw, drawing } from "../PolicyHistories.ts"
import * as World from "../World.ts"
import type { InvoiceId, PaymentId, PolicyId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const shipped = (name: string): Product => shippedProduct(`${name}`)

const home = shipped("home-fr")

/**
 * West of Greenwich the instant before all time lies on a day before the calendar's first. Here a
 * notice costs who gets it something, too.
 */
const western: Product = {
  ...home,
  timeZone: "America/Sao_Paulo",
  dunning: { ...home.dunning, feesRebilled: 750 }
}
const products = [...["bicycle-be", "bicycle-de", "bicycle-es", "bicycle-it"].map(shipped), western]

const TestLayer = Layer.mergeAll(
  ManualCharges.layer,
  Dunning.layer,
  DunningRepo.layer,
  Moratoriums.layer,
  PaymentReturns.layer,
  InvoiceAdjustments.layer,
  Reconciliation.layer,
  Refunds.layer
).pipe(Layer.provideMerge(PolicyLifecycle.layer))

const day = 86_400_000

const sceneOf = Effect.gen(function* () {
  const world = yield* World.make(undefined, products)
  const superuser = yield* SuperuserSql
  const inTenant = Effect.provideService(CurrentTenant, world.tenant)
  const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    inTenant(TenantSql.use((sql) => sql.transaction(effect)))
  yield* inTransaction(DunningRepo.use((dunning) => dunning.setDispatch("SIMULATED_POST")))
  const run = World.as(world, world.manager)
  return {
    world,
    inTenant,
    run,
    /** Time passes without a worker. */
    pass: (millis: number) =>
      superuser`UPDATE tenant SET test_clock = ${new Date(millis)} WHERE tenant_id = ${world.tenant}`,
    visit: (policyId: PolicyId, millis: number) => {
      const now = fromEpochMillis(millis)
      return inTransaction(
        Effect.gen(function* () {
          const head = yield* DueRepo.use((due) => due.claimOne(policyId, now))
          if (head !== undefined) yield* DueSteps.use((steps) => steps.run([head], now))
        })
      )
    },
    pay: Effect.fnUntraced(function* (
      policyId: PolicyId,
      part: number,
      paidAfter: (issuedAt: Instant) => Instant | undefined = () => undefined
    ) {
      const invoices = yield* PolicyLifecycle.invoices(world, { policyId })
      const unpaid = invoices.find(({ amountDue, type }) => type === "INVOICE" && amountDue > 0)
      if (unpaid === undefined) return undefined
      const amount = Math.max(1, Math.floor(unpaid.amountDue * part))
      const paidAt = paidAfter(unpaid.issuedAt)
      const payment = {
        amount,
        method: "BANK_TRANSFER",
        reference: "R",
        ...(paidAt === undefined ? {} : { paidAt })
      } as const
      return yield* run(
        Payments.use((payments) => payments.record(unpaid.id as InvoiceId, payment))
      )
    }),
    returnPayment: (paymentId: PaymentId, fee?: number) =>
      run(
        PaymentReturns.use((returns) =>
          returns.record(paymentId, {
            reasonCode: "AC04",
            ...(fee === undefined ? {} : { fee })
          })
        )
      ),
    /** Writes an invoice off or credits it, where that is allowed. */
    settle: Effect.fnUntraced(function* (
      policyId: PolicyId,
      command: "credit" | "write-off",
      one: Draw["one"]
    ) {
      const invoices = (yield* PolicyLifecycle.invoices(world, { policyId })).filter(
        ({ type }) => type === "INVOICE"
      )
      if (invoices.length === 0) return
      const id = one(invoices).id as InvoiceId
      const input = { reason: "Goodwill" }
      yield* Effect.ignore(
        run(InvoiceAdjustments.use((receivables) => receivables.run(command, id, input)))
      )
    }),
    /** Pays back what a balance has. */
    payOut: Effect.fnUntraced(function* (policyId: PolicyId) {
      const { balances } = yield* run(
        Billing.use((billing) => billing.ledger(policyId, { count: 1, page: 1 }))
      )
      const owed = balances.find(
        ({ account, balance }) => account.startsWith("balance:") && balance < 0
      )
      if (owed === undefined) return
      const refund = { amount: -owed.balance, method: "BANK_TRANSFER", reference: "R" } as const
      yield* run(Refunds.use((refunds) => refunds.record(policyId, refund)))
    }),
    charge: (policyId: PolicyId) =>
      run(
        ManualCharges.use((charges) =>
          charges.make(policyId, { componentId: "CERTIFICATE", label: "Copy", amount: 500 })
        )
      ),
    hold: (policyId: PolicyId, from: Instant, to: Instant) =>
      run(Dunning.use((dunning) => dunning.placeHold(policyId, { from, to, reason: "Flood" }))),
    moratorium: (to: Instant) =>
      inTenant(Moratoriums.use((moratoriums) => moratoriums.place({ to, reason: "Flood" }))),
    parked: inTenant(DueRepo.use((due) => due.parked))
  }
})

/** A step of the contract, at an instant or at once. */
const stepOf =
  (one: Draw["one"], at: { readonly policyId: PolicyId; readonly whenAt: Instant }) =>
  (lifecycle: ContractSteps["Service"]): ReturnType<ContractSteps["Service"]["stop"]> => {
    switch (one(["SUSPEND", "REACTIVATE", "STOP", "REINSTATE"] as const)) {
      case "SUSPEND":
        return lifecycle.suspend(at, { reason: "STORED" })
      case "REACTIVATE":
        return lifecycle.reactivate(at)
      case "STOP":
        return lifecycle.stop(at, { reason: "CUSTOMER_REQUEST" })
      case "REINSTATE":
        return lifecycle.reinstate(
          { policyId: at.policyId },
          { gap: one(["COVERED", "NOT_COVERED"]) }
        )
    }
  }

/** `LIVES=2000 LIVES_SEED=3` looks at more of them. */
const lives = Number(process.env["LIVES"] ?? 40)
const seed = Number(process.env["LIVES_SEED"] ?? 7)

const deeds = [
  ...(["VISIT", "VISIT", "VISIT", "VISIT", "VISIT"] as const),
  ...(["PAY", "PAY", "STEP", "STEP", "RETURN", "RETURN", "SETTLE", "SETTLE"] as const),
  ...(["REFUND", "CHARGE", "HOLD", "MORATORIUM"] as const)
]

const later = (millis: number, days: number): Instant => fromEpochMillis(millis + days * day)

const firstDay = Date.parse("2026-03-11T09:00:00Z")

layer(TestLayer, { excludeTestServices: true, timeout: 600_000 })(
  "a policy that is looked at late",
  (it) => {
    it.effect("stays without cover until what fell due meanwhile is paid too", () =>
      Effect.gen(function* () {
        const { parked, pass, pay, run, visit, world } = yield* sceneOf
        const { policyId } = yield* PolicyLifecycle.signed(world, {
          product: shipped("bicycle-de"),
          startedAt: World.at("2026-03-19T11:00:00Z"),
          policy: {
            invoicingConfig: { frequency: "MONTHLY", timing: "IN_ADVANCE", firstPayment: "NONE" }
          }
        })
        yield* visit(policyId, Date.parse("2026-03-21T16:00:00Z"))
        yield* pass(Date.parse("2026-04-25T03:00:00Z"))
        // The invoice of April is issued with it, and is due.
        yield* pay(policyId, 1)
        assert.deepStrictEqual(yield* parked, [])
        const statusOf = Effect.map(
          run(Policies.use((policies) => policies.get({ policyId }))),
          ({ status }) => status
        )
        assert.strictEqual(yield* statusOf, "POLICY_SUSPENDED")
        yield* pay(policyId, 1)
        assert.strictEqual(yield* statusOf, "POLICY_STARTED")
      })
    )

    it.effect(
      "is suspended where a bank returns its first payment before a worker ran, and ends later",
      () =>
        Effect.gen(function* () {
          const { parked, pass, pay, run, returnPayment, visit, world } = yield* sceneOf
          const { policyId } = yield* PolicyLifecycle.signed(world, {
            product: shipped("bicycle-it"),
            startedAt: World.at("2026-04-09T18:00:00Z"),
            policy: {
              invoicingConfig: {
                frequency: "YEARLY",
                timing: "IN_ADVANCE",
                firstPayment: "FULL_AT_SIGNATURE"
              }
            }
          })
          yield* pass(Date.parse("2026-03-18T10:00:00Z"))
          const paid = yield* pay(policyId, 1)
          yield* pass(Date.parse("2026-09-29T10:00:00Z"))
          yield* returnPayment(paid!.id)
          const statusOf = Effect.map(
            run(Policies.use((policies) => policies.get({ policyId }))),
            ({ status }) => status
          )
          assert.strictEqual(yield* statusOf, "POLICY_SUSPENDED")
          // The law counts six months from when it is owed again.
          yield* pass(Date.parse("2027-03-31T10:00:00Z"))
          yield* visit(policyId, Date.parse("2027-03-31T10:00:00Z"))
          assert.strictEqual(yield* statusOf, "POLICY_STOPPED")
          assert.deepStrictEqual(yield* parked, [])
        })
    )

    it.effect(
      "is never parked, whatever people do between two visits, and its books are right",
      () =>
        Effect.gen(function* () {
          const scene = yield* sceneOf
          const { inTenant, parked, pass, pay, run, returnPayment, visit, world } = scene
          const { below, one } = drawing(seed)
          for (let policy = 0; policy < lives; policy++) {
            yield* pass(firstDay)
            const product = products[policy % products.length]!
            const { policyId } = yield* PolicyLifecycle.signed(world, {
              product,
              startedAt: fromEpochMillis(firstDay + below(40) * day + below(24) * 3_600_000),
              policy: {
                invoicingConfig: {
                  frequency: one(product.invoicing.frequencies),
                  timing: "IN_ADVANCE",
                  firstPayment: "NONE"
                }
              }
            })
            const payments: Array<PaymentId> = []
            let now = firstDay
            for (let deed = 0; deed < 12; deed++) {
              now += below(45) * day + below(day)
              yield* pass(now)
              const at = { policyId, whenAt: fromEpochMillis(now + below(20) * day) }
              const returned = payments.shift()
              switch (one(deeds)) {
                case "VISIT":
                  yield* visit(policyId, now)
                  break
                case "PAY": {
                  const today = now
                  const paid = yield* pay(policyId, one([1, 1, 0.4]), (issuedAt) =>
                    one([
                      undefined,
                      fromEpochMillis(today - below(1 + today - toEpochMillis(issuedAt)))
                    ])
                  )
                  if (paid !== undefined) payments.push(paid.id)
                  break
                }
                case "STEP":
                  // What a step refuses is left undone.
                  yield* Effect.ignore(run(ContractSteps.use(stepOf(one, at))))
                  break
                case "RETURN":
                  if (returned !== undefined) yield* returnPayment(returned, one([undefined, 300]))
                  break
                case "SETTLE":
                  yield* scene.settle(policyId, one(["credit", "write-off"]), one)
                  break
                case "REFUND":
                  yield* scene.payOut(policyId)
                  break
                case "CHARGE":
                  yield* scene.charge(policyId)
                  break
                case "HOLD":
                  yield* scene.hold(policyId, fromEpochMillis(now + below(9) * day), later(now, 60))
                  break
                case "MORATORIUM":
                  // Of those of one life the next ones have something, too.
                  if (below(8) === 0) yield* scene.moratorium(later(now, 40))
              }
              assert.deepStrictEqual(yield* parked, [], `${product.productId} ${policy} ${deed}`)
            }
          }
          const { difference } = yield* inTenant(Reconciliation.use(({ reconcile }) => reconcile))
          assert.isUndefined(difference)
        })
    )
  }
)
