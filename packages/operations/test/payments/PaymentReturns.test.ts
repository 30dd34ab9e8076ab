import type { RecordPayment, ReturnPayment } from "@quittance/domain/payments/PaymentRequests"
import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import type { Payment } from "@quittance/domain/payments/Payment"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Effect, Layer } from "effect"
import { AccountingSummary } from "../../src/accounting/AccountingSummary.ts"
import { PaymentReturns } from "../../src/payments/PaymentReturns.ts"
import { Payments } from "../../src/payments/Payments.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const pay = (
  world: World.World,
  invoice: Pick<Invoice, "id">,
  input: Partial<RecordPayment> & { readonly amount: number }
) =>
  World.as(
    world,
    world.manager
  )(
    Payments.use((payments) =>
      payments.record(
        // Only invoices are named in these tests.
        invoice.id as InvoiceId,
        { method: "DIRECT_DEBIT", reference: "R-1", ...input }
      )
    )
  )

const giveBack = (
  world: World.World,
  { id }: Pick<Payment, "id">,
  input: Partial<ReturnPayment> = {},
  caller: Caller = world.manager,
  request: Parameters<typeof World.as>[2] = {}
) =>
  World.as(
    world,
    caller,
    request
  )(PaymentReturns.use((returns) => returns.record(id, { reasonCode: "AM04", ...input })))

const withInvoices = Effect.gen(function* () {
  const world = yield* World.make()
  const contract = yield* Contracts.signed(world)
  yield* Contracts.moveTo(world, "2026-05-15T12:00:00Z")
  const [first, second] = yield* Contracts.invoices(world, contract)
  return { world, contract, first: first!, second: second! }
})

const standing = (invoices: ReadonlyArray<Invoice>) =>
  invoices.map(({ amountDue, issuedAt, status }) => [status, amountDue, issuedAt])

const sums = (world: World.World, { policyId }: Contracts.Contract) =>
  EntriesRepo.use((repo) => repo.sums([policyId], "")).pipe(
    Effect.map(
      (rows) => new Map(rows.map(({ account, sum }) => [account.split(":")[0]!, Number(sum)]))
    ),
    Effect.provideService(CurrentTenant, world.tenant)
  )

const TestLayer = Layer.provideMerge(PaymentReturns.layer, Contracts.layer)

layer(TestLayer, { excludeTestServices: true })("a payment that the bank returns", (it) => {
  it.effect("is not found in another tenant, nor where there is none", () =>
    Effect.gen(function* () {
      const { first, world } = yield* withInvoices
      const payment = yield* pay(world, first, { amount: 100 })
      const other = yield* World.make()
      const missing = { id: (yield* Ids).next("payment") }
      for (const attempt of [giveBack(world, missing), giveBack(other, payment)]) {
        assert.strictEqual((yield* Effect.flip(attempt))._tag, "PaymentNotFound")
      }
    })
  )

  it.effect("is refused without the permission to record payments, and changes nothing", () =>
    Effect.gen(function* () {
      const { contract, first, world } = yield* withInvoices
      const payment = yield* pay(world, first, { amount: 100 })
      for (const caller of [world.auditor, world.north]) {
        const error = yield* Effect.flip(giveBack(world, payment, {}, caller))
        assert.strictEqual(error._tag, "Forbidden")
      }
      const [after] = yield* Contracts.invoices(world, contract)
      assert.strictEqual(after!.amountPaid, 100)
    })
  )

  it.effect("happens once, also when two say so at the same time", () =>
    Effect.gen(function* () {
      const { contract, first, world } = yield* withInvoices
      const payment = yield* pay(world, first, { amount: first.amountDue })
      const results = yield* Effect.all(
        Array.from({ length: 4 }, () => Effect.result(giveBack(world, payment))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(results.filter(({ _tag }) => _tag === "Success").length, 1)
      for (const result of results) {
        if (result._tag === "Failure") assert.strictEqual(result.failure._tag, "InvalidTransition")
      }
      assert.strictEqual((yield* sums(world, contract)).get("cash"), 0)
    })
  )

  it.effect("is answered again to a repetition with the same key", () =>
    Effect.gen(function* () {
      const { first, world } = yield* withInvoices
      const payment = yield* pay(world, first, { amount: 100 })
      const request = { idempotency: { key: "k-1", fingerprint: "f" } }
      const one = yield* giveBack(world, payment, {}, world.manager, request)
      assert.deepStrictEqual(yield* giveBack(world, payment, {}, world.manager, request), one)
    })
  )

  it.effect("comes neither before the payment nor from the future", () =>
    Effect.gen(function* () {
      const { first, world } = yield* withInvoices
      const paidAt = World.at("2026-04-20T10:00:00Z")
      const payment = yield* pay(world, first, { amount: 100, paidAt })
      for (const returnedAt of ["2026-04-20T09:59:59.999Z", "2026-05-15T12:00:00.001Z"]) {
        const attempt = giveBack(world, payment, { returnedAt: World.at(returnedAt) })
        const error = yield* Effect.flip(attempt)
        assert.strictEqual(error._tag, "InvalidEffectiveDate")
        if (error._tag !== "InvalidEffectiveDate") continue
        assert.deepStrictEqual([error.field, error.earliest], ["returnedAt", paidAt])
      }
    })
  )

  it.effect("months later, makes the invoice unpaid again with its first issue date", () =>
    Effect.gen(function* () {
      const { contract, first, second, world } = yield* withInvoices
      const summary = World.as(
        world,
        world.manager
      )(AccountingSummary.use(({ list }) => list({}, { count: 10, page: 1 })))
      const payment = yield* pay(world, first, { amount: first.amountDue })
      yield* pay(world, second, { amount: second.amountDue })
      assert.deepStrictEqual((yield* summary).data, [])
      yield* Contracts.moveTo(world, "2026-05-31T12:00:00Z")
      const returned = yield* giveBack(world, payment)
      assert.deepStrictEqual(
        [returned.returned?.reasonCode, returned.returned?.returnedAt],
        ["AM04", World.at("2026-05-31T12:00:00Z")]
      )
      const after = yield* Contracts.invoices(world, contract)
      assert.deepStrictEqual(standing(after), [
        ["PAYMENT_FAILED", first.amountDue, first.issuedAt],
        ["PAID", 0, second.issuedAt]
      ])
      assert.isUndefined(after[0]!.paidAt)
      const [entry] = (yield* summary).data
      assert.deepStrictEqual(
        [entry?.numberOfUnpaidInvoices, entry?.oldestUnpaidInvoiceIssuedAt],
        [1, first.issuedAt]
      )
      const books = yield* sums(world, contract)
      assert.deepStrictEqual(
        [books.get("receivable"), books.get("cash")],
        [first.amountDue, second.amountDue]
      )
    })
  )

  it.effect("takes its surplus back, also out of the invoice that it has settled since", () =>
    Effect.gen(function* () {
      const { contract, first, second, world } = yield* withInvoices
      const owed = first.amountDue + second.amountDue
      const payment = yield* pay(world, first, { amount: owed + 500 })
      assert.strictEqual(payment.creditBalance, 500)
      yield* Contracts.moveTo(world, "2026-06-02T12:00:00Z")
      const third = (yield* Contracts.invoices(world, contract))[2]!
      assert.deepStrictEqual([third.status, third.amountPaid], ["PARTIALLY_PAID", 500])
      yield* giveBack(world, payment)
      const total = third.total.amountWithFeesAndTaxes
      assert.deepStrictEqual(standing(yield* Contracts.invoices(world, contract)), [
        ["PAYMENT_FAILED", first.amountDue, first.issuedAt],
        ["PAYMENT_FAILED", second.amountDue, second.issuedAt],
        ["ISSUED", total, third.issuedAt]
      ])
      const books = yield* sums(world, contract)
      assert.deepStrictEqual(
        [books.get("receivable"), books.get("balance"), books.get("cash")],
        [owed + total, 0, 0]
      )
    })
  )

  it.effect("can be paid once more", () =>
    Effect.gen(function* () {
      const { contract, first, world } = yield* withInvoices
      yield* giveBack(world, yield* pay(world, first, { amount: first.amountDue }))
      yield* pay(world, first, { amount: first.amountDue })
      const [after] = yield* Contracts.invoices(world, contract)
      assert.deepStrictEqual([after!.status, after!.amountDue], ["PAID", 0])
    })
  )
})
