/** How payers are told to transfer what an invoice asks for, over HTTP. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, newTenant, TestLayer, type World } from "./Api.ts"
import { bankAccount } from "./matrix/bank-accounts.ts"
import { send, signed } from "./Sales.ts"

interface Billed {
  readonly id: string
  readonly number: string
  readonly amountDue: number
}

/** A policy whose first invoice is issued. */
const billed = Effect.gen(function* () {
  const world = yield* newTenant
  const { policyId } = yield* signed(world, world.manager)
  yield* call("/admin/test-clock", {
    tenant: world.tenant,
    token: world.client,
    method: "PUT",
    body: { now: "2026-04-10T09:00:00Z" }
  })
  const { body } = yield* call(`/billing/policies/${policyId}/invoices`, {
    tenant: world.tenant,
    token: world.manager
  })
  const invoice: Billed = body.data[0]
  return { world, invoice }
})

const put = (world: World, name: string, body: unknown) =>
  call(`/admin/bank-accounts/${name}`, {
    tenant: world.tenant,
    token: world.manager,
    method: "PUT",
    body
  })

const instructions = (world: World, { id }: Billed, token = world.manager) =>
  call(`/payments/invoices/${id}/instructions`, { tenant: world.tenant, token })

layer(TestLayer, { excludeTestServices: true })("instructions for a transfer", (it) => {
  it.effect("are refused where no account collects for the product", () =>
    Effect.gen(function* () {
      const { invoice, world } = yield* billed
      const none = yield* instructions(world, invoice)
      assert.deepStrictEqual([none.status, none.body.code], [404, "NO_COLLECTING_ACCOUNT"])
      assert.deepStrictEqual(none.body.details, { productId: "motor-fr" })

      // One that only pays out, and one that is closed.
      yield* put(world, "payouts", { ...bankAccount, usage: ["PAY_OUT"] })
      yield* put(world, "old", {
        ...bankAccount,
        iban: "FR7699999000010000000010106",
        usage: ["COLLECT"],
        closedAt: "2026-04-01T00:00:00Z"
      })
      assert.strictEqual((yield* instructions(world, invoice)).status, 404)
    })
  )

  it.effect("name the account, the rest that is due, and a reference with check digits", () =>
    Effect.gen(function* () {
      const { invoice, world } = yield* billed
      yield* put(world, "main", {
        ...bankAccount,
        holder: { ...bankAccount.holder, name: "Société Générale d’Épargne" }
      })
      assert.strictEqual(invoice.number, "INV-000001")
      const reference = "RF69INV000001"
      const holder = "Societe Generale d'Epargne"
      const told = yield* instructions(world, invoice)
      assert.deepStrictEqual(told.body, {
        iban: bankAccount.iban,
        holder,
        amount: invoice.amountDue,
        currency: "EUR",
        reference,
        epcQr: `BCD\n002\n1\nSCT\n\n${holder}\n${bankAccount.iban}\nEUR${euros(invoice.amountDue)}\n\n${reference}`
      })

      const transfer = { method: "BANK_TRANSFER", reference }
      yield* send(world, world.manager, `/payments/invoices/${invoice.id}`, {
        amount: 100,
        ...transfer
      })
      const rest = yield* instructions(world, invoice)
      assert.strictEqual(rest.body.amount, invoice.amountDue - 100)
      yield* send(world, world.manager, `/payments/invoices/${invoice.id}`, {
        amount: invoice.amountDue - 100,
        ...transfer
      })
      const paid = yield* instructions(world, invoice)
      assert.deepStrictEqual([paid.body.amount, paid.body.epcQr], [0, undefined])
    })
  )

  it.effect("are for those who may read the invoice", () =>
    Effect.gen(function* () {
      const { invoice, world } = yield* billed
      const elsewhere = yield* newTenant
      yield* put(world, "main", bankAccount)
      yield* put(elsewhere, "main", bankAccount)
      const foreign = yield* instructions(elsewhere, invoice)
      assert.deepStrictEqual([foreign.status, foreign.body.code], [404, "INVOICE_NOT_FOUND"])
    })
  )
})

const euros = (amount: number) =>
  `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}`
