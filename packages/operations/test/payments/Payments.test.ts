import type { RecordPayment } from "@quittance/domain/payments/PaymentRequests"
import { assert, layer } from "@effect/vitest"
import { largestPrice } from "@quittance/domain/values/Amount"
import { type Caller, ClientId } from "@quittance/domain/requests/Caller"
import type { Invoice } from "@quittance/domain/billing/Invoice"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { EntriesRepo } from "@quittance/persistence/billing/EntriesRepo"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Effect } from "effect"
import { AccountingSummary } from "../../src/accounting/AccountingSummary.ts"
import { Billing } from "../../src/billing/Billing.ts"
import { Payments } from "../../src/payments/Payments.ts"
import { Policies } from "../../src/policies/Policies.ts"
import * as Clones from "../Clones.ts"
import * as Contracts from "../SoldPolicies.ts"
import * as World from "../World.ts"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const liability = shippedProduct("liability-fr")

const client: Caller = {
  _tag: "Client",
  clientId: ClientId.make("test-client"),
  scopes: new Set(["platform/payments", "platform/billing"])
}

const pay = (
  world: World.World,
  invoice: Pick<Invoice, "id">,
  input: Partial<RecordPayment> & { readonly amount: number },
  caller: Caller = world.manager,
  request: Parameters<typeof World.as>[2] = {}
) =>
  World.as(
    world,
    caller,
    request
  )(
    Payments.use((payments) =>
      payments.record(
        // Only invoices are named in these tests.
        invoice.id as InvoiceId,
        { method: "BANK_TRANSFER", reference: "R-1", ...input }
      )
    )
  )

/** A started policy with the monthly invoices of April to July 2026, the clock at 15 July. */
const withInvoices = Effect.gen(function* () {
  const world = yield* World.make()
  const contract = yield* Contracts.signed(world)
  yield* Contracts.moveTo(world, "2026-07-15T12:00:00Z")
  const invoices = yield* Contracts.invoices(world, contract)
  const [first, second, third, fourth] = invoices
  assert.strictEqual(invoices.length, 4)
  return {
    world,
    contract,
    invoices,
    first: first!,
    second: second!,
    third: third!,
    fourth: fourth!
  }
})

const standing = (invoices: ReadonlyArray<Invoice>) =>
  invoices.map(({ amountDue, status }) => [status, amountDue])

layer(Contracts.layer, { excludeTestServices: true })("a payment", (it) => {
  it.effect("of an invoice that isn't there, or another tenant's, finds none", () =>
    Effect.gen(function* () {
      const { first, world } = yield* withInvoices
      const other = yield* World.make()
      const missing = (yield* Ids).next("invoice")
      const errors = [
        yield* Effect.flip(pay(world, { id: missing }, { amount: 100 })),
        yield* Effect.flip(pay(other, first, { amount: 100 })),
        yield* Effect.flip(pay(other, first, { amount: 100 }, client))
      ]
      assert.deepStrictEqual(
        errors.map(({ _tag }) => _tag),
        ["InvoiceNotFound", "InvoiceNotFound", "InvoiceNotFound"]
      )
      const read = World.as(other, other.manager)(Billing.use(({ invoice }) => invoice(first.id)))
      assert.strictEqual((yield* Effect.flip(read))._tag, "InvoiceNotFound")
    })
  )

  it.effect("is refused without the permission, also to the session that owns the policy", () =>
    Effect.gen(function* () {
      const { contract, first, world } = yield* withInvoices
      const sessionId = (yield* Ids).next("anonymous_session")
      const session = { _tag: "Anonymous", sessionId } as const
      const on = { kind: "RECORD", recordId: contract.policyId } as const
      yield* TenantSql.use((sql) =>
        sql.transaction(
          GrantsRepo.use((grants) => grants.give(sessionId, { role: "POLICYHOLDER", on }))
        )
      ).pipe(Effect.provideService(CurrentTenant, world.tenant))
      for (const caller of [world.auditor, world.north, session]) {
        const error = yield* Effect.flip(pay(world, first, { amount: 100 }, caller))
        assert.strictEqual(error._tag, "Forbidden")
      }
      const seen = yield* World.as(world, session)(Billing.use(({ invoice }) => invoice(first.id)))
      assert.deepStrictEqual([seen.status, seen.amountPaid], ["ISSUED", 0])
      const stranger = World.as(world, world.south)(Billing.use(({ invoice }) => invoice(first.id)))
      assert.strictEqual((yield* Effect.flip(stranger))._tag, "Forbidden")
    })
  )

  it.effect("must come after the invoice and not from the future", () =>
    Effect.gen(function* () {
      const { first, world } = yield* withInvoices
      for (const paidAt of ["2026-03-31T21:59:59.999Z", "2026-07-15T12:00:00.001Z"]) {
        const error = yield* Effect.flip(
          pay(world, first, { amount: 100, paidAt: World.at(paidAt) })
        )
        assert.strictEqual(error._tag, "InvalidEffectiveDate")
        if (error._tag !== "InvalidEffectiveDate") continue
        assert.deepStrictEqual(
          [error.field, error.earliest, error.latest],
          ["paidAt", first.issuedAt, World.at("2026-07-15T12:00:00Z")]
        )
      }
    })
  )

  it.effect("has an amount of at least one unit that leaves what came in an exact integer", () =>
    Effect.gen(function* () {
      const { invoices, first, world } = yield* withInvoices
      const owed = invoices.reduce((sum, { amountDue }) => sum + amountDue, 0)
      for (const amount of [0, -1]) {
        const error = yield* Effect.flip(pay(world, first, { amount }))
        assert.strictEqual(error._tag, "InvalidAmount")
      }
      const payment = yield* pay(world, first, { amount: largestPrice })
      assert.strictEqual(payment.creditBalance, largestPrice - owed)
      const error = yield* Effect.flip(pay(world, first, { amount: largestPrice + 1 }))
      assert.strictEqual(error._tag, "InvalidAmount")
      if (error._tag === "InvalidAmount") assert.strictEqual(error.maximum, largestPrice)
    })
  )

  it.effect("in part leaves the rest due, and the rest pays it", () =>
    Effect.gen(function* () {
      const { contract, first, world } = yield* withInvoices
      const total = first.amountDue
      const paidAt = World.at("2026-04-20T10:00:00Z")
      yield* pay(world, first, { amount: total - 1, paidAt: World.at("2026-04-19T10:00:00Z") })
      const [partly] = yield* Contracts.invoices(world, contract)
      assert.deepStrictEqual(
        [partly!.status, partly!.amountPaid, partly!.amountDue, partly!.paidAt],
        ["PARTIALLY_PAID", total - 1, 1, undefined]
      )
      yield* pay(world, first, { amount: 1, paidAt })
      const [paid] = yield* Contracts.invoices(world, contract)
      assert.deepStrictEqual(
        [paid!.status, paid!.amountPaid, paid!.amountDue, paid!.paidAt],
        ["PAID", total, 0, paidAt]
      )
    })
  )

  it.effect("of too much pays the payer's oldest, then waits as balance for the next invoice", () =>
    Effect.gen(function* () {
      const { contract, first, fourth, second, third, world } = yield* withInvoices
      const amount = third.amountDue + first.amountDue + 10
      const payment = yield* pay(world, third, { amount }, client)
      const allocations: ReadonlyArray<{ readonly invoiceId: string; readonly amount: number }> =
        payment.allocations
      assert.deepStrictEqual(allocations, [
        { invoiceId: third.id, amount: third.amountDue },
        { invoiceId: first.id, amount: first.amountDue },
        { invoiceId: second.id, amount: 10 }
      ])
      assert.deepStrictEqual(standing(yield* Contracts.invoices(world, contract)), [
        ["PAID", 0],
        ["PARTIALLY_PAID", second.amountDue - 10],
        ["PAID", 0],
        ["ISSUED", fourth.amountDue]
      ])
      const rest = second.amountDue - 10 + fourth.amountDue
      const surplus = yield* pay(world, second, { amount: rest + 250 })
      assert.strictEqual(surplus.creditBalance, 250)
      yield* Contracts.moveTo(world, "2026-08-02T00:00:00Z")
      const [last] = (yield* Contracts.invoices(world, contract)).slice(-1)
      assert.deepStrictEqual([last!.status, last!.amountPaid], ["PARTIALLY_PAID", 250])
      const sums = yield* EntriesRepo.use((repo) =>
        repo.sums([contract.policyId], "balance:")
      ).pipe(Effect.provideService(CurrentTenant, world.tenant))
      assert.deepStrictEqual(
        sums.map(({ sum }) => sum),
        [0n]
      )
    })
  )

  it.effect(
    "with the same key is recorded once and answered twice (crash-before-success-508)",
    () =>
      Effect.gen(function* () {
        const { contract, first, world } = yield* withInvoices
        const request = { idempotency: { key: "k-1", fingerprint: "f" } }
        const one = yield* pay(world, first, { amount: 5 }, world.manager, request)
        const two = yield* pay(world, first, { amount: 5 }, world.manager, request)
        assert.deepStrictEqual(two, one)
        const { data, totalCount } = yield* World.as(
          world,
          world.auditor
        )(
          Payments.use(({ listByPolicy }) =>
            listByPolicy(contract.policyId, { count: 10, page: 1 })
          )
        )
        assert.deepStrictEqual([totalCount, data], [1, [one]])
      })
  )

  it.effect("takes the policy out of the accounting summary with its last unpaid invoice", () =>
    Effect.gen(function* () {
      const { contract, invoices, world } = yield* withInvoices
      const summary = World.as(
        world,
        world.manager
      )(AccountingSummary.use(({ list }) => list({}, { count: 10, page: 1 })))
      for (const [index, invoice] of invoices.entries()) {
        const { data } = yield* summary
        assert.deepStrictEqual(
          data.map((entry) => [
            entry.policy.id,
            entry.numberOfUnpaidInvoices,
            entry.oldestUnpaidInvoiceIssuedAt
          ]),
          [[contract.policyId, invoices.length - index, invoice.issuedAt]]
        )
        yield* pay(world, invoice, { amount: invoice.amountDue })
      }
      assert.deepStrictEqual((yield* summary).data, [])
    })
  )

  it.effect(
    "starts the cover of a product that waits for it, and the grid goes on from there",
    () =>
      Effect.gen(function* () {
        const activation = { ...liability.activation, notTakenUpAfterDays: 200 }
        const product = { ...liability, activation }
        const world = yield* World.make(World.at("2026-03-10T09:00:00Z"), [product])
        const contract = yield* Contracts.signed(world, { product })
        const get = World.as(
          world,
          world.manager
        )(Policies.use(({ get }) => get({ policyId: contract.policyId })))
        assert.deepStrictEqual(
          yield* Effect.map(get, ({ isAwaitingFirstPayment, status }) => [
            status,
            isAwaitingFirstPayment
          ]),
          ["POLICY_CONFIRMED", false]
        )
        yield* Contracts.moveTo(world, "2026-07-10T09:00:00Z")
        const waiting = yield* get
        const [first, ...more] = yield* Contracts.invoices(world, contract)
        assert.deepStrictEqual(
          [waiting.status, waiting.isAwaitingFirstPayment, more.length],
          ["POLICY_CONFIRMED", true, 0]
        )
        yield* pay(world, first!, { amount: first!.amountDue - 1 })
        assert.strictEqual((yield* get).status, "POLICY_CONFIRMED")
        yield* pay(world, first!, { amount: 1 })
        const started = yield* get
        assert.deepStrictEqual(
          [started.status, started.isAwaitingFirstPayment],
          ["POLICY_STARTED", false]
        )
        // What waited for the first payment is issued with it: the grid's second quarter.
        const invoices = yield* Contracts.invoices(world, contract)
        assert.deepStrictEqual(
          invoices.map(({ period }) => period.start),
          ["2026-04-01", "2026-07-01"]
        )
      })
  )

  it.effect("never settles an invoice twice when two come at once (janitor-race-1599)", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const yearly = { frequency: "YEARLY", timing: "IN_ADVANCE", firstPayment: "NONE" } as const
      const { policyId } = yield* Contracts.signed(world, { policy: { invoicingConfig: yearly } })
      const clones = yield* Clones.make(world, policyId, 200)
      yield* Contracts.moveTo(world, "2026-04-02T12:00:00Z")
      const inTenant = Effect.provideService(CurrentTenant, world.tenant)
      const invoices = yield* InvoicesRepo
      for (const invoice of yield* inTenant(invoices.ofPolicies(clones))) {
        const payments = yield* Effect.all(
          [pay(world, invoice, { amount: invoice.total }), pay(world, invoice, { amount: 700 })],
          { concurrency: "unbounded" }
        )
        const settled = payments.flatMap(({ allocations }) => allocations)
        const balance = payments.reduce((sum, { creditBalance }) => sum + creditBalance, 0)
        assert.strictEqual(
          settled.reduce((sum, { amount }) => sum + amount, 0),
          invoice.total
        )
        assert.strictEqual(balance, 700)
        const [after] = yield* inTenant(invoices.ofPolicies([invoice.policyId]))
        assert.deepStrictEqual([after?.status, after?.paid], ["PAID", invoice.total])
      }
      const sums = yield* inTenant(EntriesRepo.use((repo) => repo.sums(clones, "receivable:")))
      assert.deepStrictEqual(sums.length, 200)
      assert.isTrue(sums.every(({ sum }) => sum === 0n))
    })
  )
})
