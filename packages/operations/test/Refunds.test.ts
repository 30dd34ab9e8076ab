import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import type { InvoiceId } from "@quittance/domain/billing/Invoice"
import { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Effect, Layer } from "effect"
import { PaymentReturns } from "../src/payments/PaymentReturns.ts"
import { Payments } from "../src/payments/Payments.ts"
import { type RecordRefund, Refunds } from "../src/payments/Refunds.ts"
import * as Contracts from "./Contracts.ts"
import * as World from "./World.ts"

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
        // The first document of a policy is an invoice.
        invoice!.id as InvoiceId,
        { amount: invoice!.amountDue + 500, method: "CARD", reference: "R" }
      )
    )
  )
  return { world, contract, payment }
})

const balance = (world: World.World, { policyId }: Contracts.Contract) =>
  EntriesRepo.use((repo) => repo.sums([policyId], "balance:")).pipe(
    Effect.map(([row]) => 0 - (row?.sum ?? 0)),
    Effect.provideService(CurrentTenant, world.tenant)
  )

const TestLayer = Layer.mergeAll(PaymentReturns.layer, Refunds.layer).pipe(
  Layer.provideMerge(Contracts.layer)
)

layer(TestLayer, { excludeTestServices: true })("a refund of a credit balance", (it) => {
  it.effect("finds no policy of another tenant, and none for whoever may not pay", () =>
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

  it.effect("stays owed when the bank then takes the payment back", () =>
    Effect.gen(function* () {
      const { contract, payment, world } = yield* withBalance
      yield* refund(world, contract, { amount: 500 })
      yield* World.as(
        world,
        world.manager
      )(PaymentReturns.use(({ record }) => record(payment.id, { reasonCode: "MD06" })))
      assert.strictEqual(yield* balance(world, contract), -500)
      const error = yield* Effect.flip(refund(world, contract, { amount: 1 }))
      assert.strictEqual(error._tag, "InvalidAmount")
    })
  )
})
