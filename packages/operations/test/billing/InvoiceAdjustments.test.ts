import { assert, layer } from "@effect/vitest"
import type { Caller } from "@quittance/domain/requests/Caller"
import type { Invoice, InvoiceStatus } from "@quittance/domain/billing/Invoice"
import type { InvoiceCommand } from "@quittance/domain/billing/InvoiceLifecycle"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer } from "effect"
import { AccountingSummary } from "../../src/accounting/AccountingSummary.ts"
import { PolicyLifecycle as ContractsOf } from "../../src/lifecycle/PolicyLifecycle.ts"
import { PaymentReturns } from "../../src/payments/PaymentReturns.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { InvoiceAdjustments } from "../../src/billing/InvoiceAdjustments.ts"
import { Reconciliation } from "../../src/reconciliation/Reconciliation.ts"
import * as PolicyLifecycle from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Only invoices are named in these tests. */
const idOf = ({ id }: Pick<Invoice, "id">) => id as InvoiceId

const run = (
  world: World.World,
  command: InvoiceCommand,
  invoice: Pick<Invoice, "id">,
  caller: Caller = world.manager,
  request: Parameters<typeof World.as>[2] = {}
) =>
  World.as(
    world,
    caller,
    request
  )(
    InvoiceAdjustments.use((receivables) =>
      receivables.run(command, idOf(invoice), { reason: "x" })
    )
  )

const pay = (world: World.World, invoice: Invoice, amount: number) =>
  World.as(
    world,
    world.manager
  )(
    Payments.use(({ record }) =>
      record(idOf(invoice), { amount, method: "DIRECT_DEBIT", reference: "R" })
    )
  )

const withInvoices = Effect.gen(function* () {
  const world = yield* World.make()
  const contract = yield* PolicyLifecycle.signed(world)
  yield* PolicyLifecycle.moveTo(world, "2026-05-15T12:00:00Z")
  const [first, second] = yield* PolicyLifecycle.invoices(world, contract)
  return { world, contract, first: first!, second: second! }
})

const sums = (world: World.World, { policyId }: PolicyLifecycle.Contract) =>
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

const put = (invoice: Invoice, status: InvoiceStatus) =>
  SuperuserSql.use((sql) => sql`UPDATE invoice SET status = ${status} WHERE id = ${invoice.id}`)

const owed = ({ total }: Invoice) => total.amountWithFeesAndTaxes

const TestLayer = Layer.mergeAll(
  PaymentReturns.layer,
  InvoiceAdjustments.layer,
  Reconciliation.layer
).pipe(Layer.provideMerge(PolicyLifecycle.layer))

layer(TestLayer, { excludeTestServices: true })("an invoice that is decided on by hand", (it) => {
  it.effect("is not found in another tenant, and refused without the permission", () =>
    Effect.gen(function* () {
      const { contract, first, world } = yield* withInvoices
      const other = yield* World.make()
      const missing = { id: (yield* Ids).next("invoice") }
      for (const command of ["write-off", "reverse-write-off", "credit", "cancel"] as const) {
        for (const attempt of [run(other, command, first), run(world, command, missing)]) {
          assert.strictEqual((yield* Effect.flip(attempt))._tag, "InvoiceNotFound")
        }
        for (const caller of [world.auditor, world.north]) {
          const error = yield* Effect.flip(run(world, command, first, caller))
          assert.strictEqual(error._tag, "Forbidden")
        }
      }
      const after = yield* PolicyLifecycle.invoices(world, contract)
      assert.deepStrictEqual(
        after.map(({ status }) => status),
        ["ISSUED", "ISSUED"]
      )
      yield* assertSound(world)
    })
  )

  it.effect("is told what its state allows where it does not allow it", () =>
    Effect.gen(function* () {
      const { first, world } = yield* withInvoices
      const expected: ReadonlyArray<readonly [InvoiceStatus, ReadonlyArray<InvoiceCommand>]> = [
        ["DRAFTED", ["cancel"]],
        ["ISSUED", ["write-off", "credit"]],
        ["PAYMENT_IN_PROGRESS", ["credit"]],
        ["PAID", ["credit"]],
        ["PAYMENT_FAILED", ["write-off", "credit"]],
        ["PARTIALLY_PAID", ["write-off", "credit"]],
        ["PAYMENT_DISPUTED", ["write-off", "credit"]],
        ["CREDITED", []],
        ["WRITTEN_OFF", ["reverse-write-off"]],
        ["CANCELLED", []]
      ]
      for (const [status, allowed] of expected) {
        yield* put(first, status)
        for (const command of ["write-off", "reverse-write-off", "credit", "cancel"] as const) {
          if (allowed.includes(command)) continue
          const error = yield* Effect.flip(run(world, command, first))
          assert.strictEqual(error._tag, "InvalidTransition")
          if (error._tag !== "InvalidTransition") continue
          assert.deepStrictEqual(
            [error.status, error.command, error.allowed],
            [status, command, allowed]
          )
        }
      }
    })
  )

  it.effect("is written off as far as it is not paid, and asked for no more", () =>
    Effect.gen(function* () {
      const { contract, first, second, world } = yield* withInvoices
      yield* pay(world, first, 100)
      const written = yield* run(world, "write-off", first)
      assert.deepStrictEqual(
        [written.status, written.amountPaid, written.amountDue],
        ["WRITTEN_OFF", 100, 0]
      )
      const books = yield* sums(world, contract)
      assert.deepStrictEqual(
        [books.get("receivable"), books.get("write_off")],
        [owed(second), owed(first) - 100]
      )
      const { data } = yield* World.as(
        world,
        world.manager
      )(AccountingSummary.use(({ list }) => list({}, { count: 10, page: 1 })))
      assert.deepStrictEqual(
        data.map(({ numberOfUnpaidInvoices }) => numberOfUnpaidInvoices),
        [1]
      )
      yield* assertSound(world)
    })
  )

  it.effect("is owed as a whole again when the payment before its write-off is returned", () =>
    Effect.gen(function* () {
      const { contract, first, second, world } = yield* withInvoices
      const payment = yield* pay(world, first, 100)
      yield* run(world, "write-off", first)
      yield* World.as(
        world,
        world.manager
      )(PaymentReturns.use(({ record }) => record(payment.id, { reasonCode: "AM04" })))
      const [after] = yield* PolicyLifecycle.invoices(world, contract)
      assert.deepStrictEqual([after!.status, after!.amountDue], ["PAYMENT_FAILED", owed(first)])
      const books = yield* sums(world, contract)
      assert.deepStrictEqual(
        [books.get("receivable"), books.get("write_off")],
        [owed(first) + owed(second), 0]
      )
      yield* assertSound(world)
    })
  )

  it.effect("is dropped while it is a draft", () =>
    Effect.gen(function* () {
      const { first, world } = yield* withInvoices
      yield* put(first, "DRAFTED")
      assert.strictEqual((yield* run(world, "cancel", first)).status, "CANCELLED")
    })
  )

  it.effect("is credited once, with a credit note that names it and settles it first", () =>
    Effect.gen(function* () {
      const { contract, first, second, world } = yield* withInvoices
      const request = { idempotency: { key: "k", fingerprint: "f" } }
      const credited = yield* run(world, "credit", second, world.manager, request)
      assert.deepStrictEqual([credited.status, credited.amountDue], ["CREDITED", 0])
      assert.deepStrictEqual(yield* run(world, "credit", second, world.manager, request), credited)
      const [, , note, ...more] = yield* PolicyLifecycle.invoices(world, contract)
      assert.deepStrictEqual(
        [note?.type, note?.creditedInvoiceId, note?.number, more.length],
        ["CREDIT_NOTE", second.id, "CRN-000001", 0]
      )
      assert.strictEqual(owed(note!), -owed(second))
      assert.isTrue(note!.lines.every(({ corrects }) => corrects === second.id))
      const books = yield* sums(world, contract)
      assert.deepStrictEqual([books.get("receivable"), books.get("balance")], [owed(first), 0])
      yield* assertSound(world)
    })
  )

  it.effect("that was paid leaves its credit to what else is owed, then to the balance", () =>
    Effect.gen(function* () {
      const { contract, first, second, world } = yield* withInvoices
      yield* pay(world, first, owed(first))
      yield* run(world, "credit", first)
      const after = yield* PolicyLifecycle.invoices(world, contract)
      assert.deepStrictEqual(
        after.slice(0, 2).map(({ status }) => status),
        ["PAID", "PAID"]
      )
      const error = yield* Effect.flip(run(world, "credit", first))
      assert.strictEqual(error._tag, "InvalidTransition")
      const books = yield* sums(world, contract)
      assert.deepStrictEqual(
        [books.get("receivable"), 0 - books.get("balance")!],
        [0, owed(first) - owed(second)]
      )
      yield* assertSound(world)
    })
  )

  it.effect("is not charged again, and not given back once more, when the policy changes", () =>
    Effect.gen(function* () {
      const { contract, first, second, world } = yield* withInvoices
      yield* run(world, "credit", second)
      const stop = World.as(
        world,
        world.manager
      )(
        ContractsOf.use((lifecycle) =>
          lifecycle.stop(
            { policyId: contract.policyId, whenAt: World.at("2026-05-10T00:00:00+02:00") },
            { reason: "SALE" }
          )
        )
      )
      yield* stop
      const after = yield* PolicyLifecycle.invoices(world, contract)
      assert.deepStrictEqual(
        after.map(({ number }) => number),
        [first.number, second.number, "CRN-000001"]
      )
      yield* assertSound(world)
    })
  )

  it.effect("is credited once when two ask at the same time, with numbers that have no gap", () =>
    Effect.gen(function* () {
      const { contract, first, second, world } = yield* withInvoices
      const results = yield* Effect.all(
        [first, first, second, second].map((each) => Effect.result(run(world, "credit", each))),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(results.filter(({ _tag }) => _tag === "Success").length, 2)
      const after = yield* PolicyLifecycle.invoices(world, contract)
      assert.deepStrictEqual(after.map(({ number }) => number).sort(), [
        "CRN-000001",
        "CRN-000002",
        "INV-000001",
        "INV-000002"
      ])
      yield* assertSound(world)
    })
  )
})
