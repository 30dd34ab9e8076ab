import type { RecordRefund } from "@quittance/domain/payments/PaymentRequests"
import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import { repayment } from "@quittance/domain/billing/InvoiceLine"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Effect, Layer } from "effect"
import { InvoiceAdjustments } from "../../src/billing/InvoiceAdjustments.ts"
import { PaymentReturns } from "../../src/payments/PaymentReturns.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Refunds } from "../../src/payments/Refunds.ts"
import { Reconciliation } from "../../src/reconciliation/Reconciliation.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const refund = (
  world: World.World,
  { policyId }: Pick<Contracts.Contract, "policyId">,
  input: Partial<RecordRefund> & { readonly amount: number },
  caller: Caller = world.manager,
  request: Parameters<typeof World.as>[2] = {}
) =>
  World.as(
    world,
    caller,
    request
  )(
    Refunds.use((refunds) =>
      refunds.record(policyId, { method: "BANK_TRANSFER", reference: "R", ...input })
    )
  )

/** A policy with one invoice, paid with 500 too much. */
const withBalance = Effect.gen(function* () {
  const world = yield* World.make()
  const contract = yield* Contracts.signed(world)
  yield* Contracts.moveTo(world, "2026-04-15T12:00:00Z")
  const [invoice] = yield* Contracts.invoices(world, contract)
  const payment = yield* World.as(
    world,
    world.manager
  )(
    Payments.use(({ record }) =>
      record(
        // The first invoice of a policy is an invoice.
        invoice!.id as InvoiceId,
        { amount: invoice!.amountDue + 500, method: "CARD", reference: "R" }
      )
    )
  )
  return { world, contract, payment }
})

const balance = (world: World.World, { policyId }: Contracts.Contract) =>
  EntriesRepo.use((repo) => repo.sums([policyId], "balance:")).pipe(
    Effect.map(([row]) => 0 - Number(row?.sum ?? 0n)),
    Effect.provideService(CurrentTenant, world.tenant)
  )

const books = (world: World.World, { policyId }: Contracts.Contract) =>
  EntriesRepo.use((repo) => repo.sums([policyId], "")).pipe(
    Effect.map(
      (rows) => new Map(rows.map(({ account, sum }) => [account.split(":")[0]!, Number(sum)]))
    ),
    Effect.provideService(CurrentTenant, world.tenant)
  )

/** What the books say of themselves. */
const assertSound = (world: World.World) =>
  Effect.gen(function* () {
    const { difference } = yield* Reconciliation.use(({ reconcile }) => reconcile)
    assert.isUndefined(difference)
  }).pipe(Effect.provideService(CurrentTenant, world.tenant))

const TestLayer = Layer.mergeAll(
  InvoiceAdjustments.layer,
  PaymentReturns.layer,
  Reconciliation.layer,
  Refunds.layer
).pipe(Layer.provideMerge(Contracts.layer))

layer(TestLayer, { excludeTestServices: true })("a refund of a credit balance", (it) => {
  it.effect("finds no policy of another tenant, and none without the permission to pay", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* withBalance
      const other = yield* World.make()
      const missing = { policyId: (yield* Ids).next("policy") }
      for (const attempt of [
        refund(other, contract, { amount: 1 }),
        refund(world, missing, { amount: 1 })
      ]) {
        assert.strictEqual((yield* Effect.flip(attempt))._tag, "PolicyNotFound")
      }
      for (const caller of [world.auditor, world.north]) {
        const error = yield* Effect.flip(refund(world, contract, { amount: 1 }, caller))
        assert.strictEqual(error._tag, "Forbidden")
      }
      assert.strictEqual(yield* balance(world, contract), 500)
    })
  )

  it.effect("is never of nothing, nor of more than the balance", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* withBalance
      for (const amount of [0, -1, 501]) {
        const error = yield* Effect.flip(refund(world, contract, { amount }))
        assert.strictEqual(error._tag, "InvalidAmount")
        if (error._tag === "InvalidAmount") assert.strictEqual(error.maximum, 500)
      }
      const customerId = (yield* Ids).next("customer")
      const stranger = yield* Effect.flip(refund(world, contract, { amount: 1, customerId }))
      assert.strictEqual(stranger._tag, "InvalidReference")
      assert.include(stranger.message, "customers with a credit balance")
    })
  )

  it.effect("pays back what is left, and then nothing more", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* withBalance
      const { customerId } = contract
      const one = yield* refund(world, contract, { amount: 200 })
      const two = yield* refund(world, contract, { amount: 300, customerId })
      assert.deepStrictEqual([one.customerId, two.customerId], [customerId, customerId])
      const error = yield* Effect.flip(refund(world, contract, { amount: 1 }))
      assert.strictEqual(error._tag, "InvalidAmount")
      assert.strictEqual(yield* balance(world, contract), 0)
    })
  )

  it.effect("is paid once to a repetition with the same key", () =>
    Effect.gen(function* () {
      const { contract, world } = yield* withBalance
      const request = { idempotency: { key: "k", fingerprint: "f" } }
      const one = yield* refund(world, contract, { amount: 400 }, world.manager, request)
      const two = yield* refund(world, contract, { amount: 400 }, world.manager, request)
      assert.deepStrictEqual(two, one)
      assert.strictEqual(yield* balance(world, contract), 100)
    })
  )

  it.effect("is never more than the balance when many ask at once", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 5; round++) {
        const { contract, world } = yield* withBalance
        const results = yield* Effect.all(
          Array.from({ length: 8 }, () => Effect.result(refund(world, contract, { amount: 150 }))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(results.filter(({ _tag }) => _tag === "Success").length, 3)
        assert.strictEqual(yield* balance(world, contract), 50)
      }
    })
  )

  it.effect("is asked for back when the bank then takes the payment back, and is no income", () =>
    Effect.gen(function* () {
      const { contract, payment, world } = yield* withBalance
      yield* refund(world, contract, { amount: 500 })
      const run = World.as(world, world.manager)
      const before = yield* books(world, contract)
      yield* run(PaymentReturns.use(({ record }) => record(payment.id, { reasonCode: "MD06" })))
      assert.strictEqual(yield* balance(world, contract), 0)
      const [first, second, ...more] = yield* Contracts.invoices(world, contract)
      assert.deepStrictEqual(
        [first!.status, second!.status, second!.amountDue, more.length],
        ["PAYMENT_FAILED", "ISSUED", 500, 0]
      )
      assert.deepStrictEqual(
        second!.lines.map(({ componentId }) => componentId),
        [repayment]
      )
      const after = yield* books(world, contract)
      assert.deepStrictEqual(
        [after.get("receivable"), after.get("cash")],
        [first!.amountDue + 500, -500]
      )
      for (const account of ["premium", "fee", "tax"]) {
        assert.strictEqual(after.get(account), before.get(account))
      }
      yield* assertSound(world)
      const error = yield* Effect.flip(refund(world, contract, { amount: 1 }))
      assert.strictEqual(error._tag, "InvalidAmount")
    })
  )

  it.effect("that is owed back is paid, or written off, and never credited", () =>
    Effect.gen(function* () {
      const { contract, payment, world } = yield* withBalance
      yield* refund(world, contract, { amount: 300 })
      const run = World.as(world, world.manager)
      yield* run(
        PaymentReturns.use(({ record }) => record(payment.id, { reasonCode: "MD06", fee: 40 }))
      )
      const asking = (componentId: string) =>
        Effect.map(Contracts.invoices(world, contract), (invoices) =>
          invoices.find(({ lines }) => lines.some((line) => line.componentId === componentId))
        )
      const owed = yield* asking(repayment)
      assert.strictEqual(owed?.amountDue, 300)
      if (owed === undefined) return
      assert.strictEqual((yield* asking("RETURNED_PAYMENT"))?.amountDue, 40)
      const adjust = (command: "credit" | "write-off") =>
        run(
          InvoiceAdjustments.use((one) => one.run(command, owed.id as InvoiceId, { reason: "x" }))
        )
      const error = yield* Effect.flip(adjust("credit"))
      assert.strictEqual(error._tag, "InvalidTransition")
      if (error._tag === "InvalidTransition") assert.deepStrictEqual(error.allowed, ["write-off"])
      const pay = (amount: number) =>
        run(
          Payments.use(({ record }) =>
            record(owed.id as InvoiceId, { amount, method: "CARD", reference: "R" })
          )
        )
      const part = yield* pay(100)
      yield* adjust("write-off")
      yield* assertSound(world)
      // Where the bank returns this one too, all of it is owed again, also what was written off.
      yield* run(PaymentReturns.use(({ record }) => record(part.id, { reasonCode: "MD06" })))
      const again = yield* asking(repayment)
      assert.deepStrictEqual([again?.status, again?.amountDue], ["PAYMENT_FAILED", 300])
      yield* pay(300)
      assert.strictEqual(yield* balance(world, contract), 0)
      yield* assertSound(world)
    })
  )
})
