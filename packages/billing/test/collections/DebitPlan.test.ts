/** Which invoices are collected by debit, and by which one. */
import { assert, describe, it } from "@effect/vitest"
import type { DirectDebitTerms } from "@quittance/domain/products/payments/ProductPayments"
import type { PayerMandate } from "@quittance/domain/collections/PayerMandate"
import { Currency } from "@quittance/domain/values/Amount"
import {
  BankAccountId,
  CustomerId,
  InvoiceId,
  MandateId,
  PaymentMethodId,
  PolicyId
} from "@quittance/domain/values/Ids"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import { Draw } from "@quittance/testing/Draw"
import {
  type Collectable,
  collectionOf,
  debitPlan,
  type OpenDebit
} from "../../src/collections/DebitPlan.ts"

const idOf = (prefix: string, number: number) => `${prefix}_test_${alphabet[number]!.repeat(21)}`
const account = {
  id: BankAccountId.make(idOf("bank_account", 1)),
  currency: Currency.make("EUR"),
  creditorIdentifier: "FR72ZZZ123456"
}
const terms: DirectDebitTerms = {
  schemes: ["CORE"],
  notificationDays: 14,
  announce: "INVOICE",
  retry: { maxAttempts: 2, afterDays: 5, notificationDays: 2 }
}
const collectOn = LocalDate.make("2026-12-15")
const mandate: PayerMandate = {
  id: MandateId.make(idOf("mandate", 1)),
  paymentMethodId: PaymentMethodId.make(idOf("payment_method", 1)),
  bankAccountId: account.id,
  scheme: "CORE",
  status: "ACTIVE",
  endsOn: collectOn,
  isSpent: false
}
const facts = {
  terms,
  currency: account.currency,
  wantsDebit: true,
  account,
  mandates: [mandate],
  collectOn
}

describe("how an invoice is collected", () => {
  it("says why it is to be transferred", () => {
    const because = (changed: Partial<Parameters<typeof collectionOf>[0]>) => {
      const { collection, mandate: used } = collectionOf({ ...facts, ...changed })
      assert.strictEqual(used === undefined, collection.mode === "BANK_TRANSFER")
      return collection.because ?? collection.mode
    }
    const { creditorIdentifier: _, ...nameless } = account
    const with1 = (changed: Partial<PayerMandate>) => ({ mandates: [{ ...mandate, ...changed }] })
    assert.strictEqual(because({}), "DIRECT_DEBIT")
    assert.strictEqual(because({ terms: undefined }), "BANK_TRANSFER")
    assert.strictEqual(because({ wantsDebit: false }), "BANK_TRANSFER")
    assert.strictEqual(because({ currency: Currency.make("CHF") }), "CURRENCY")
    assert.strictEqual(because({ account: undefined }), "NO_BANK_ACCOUNT")
    assert.strictEqual(because({ account: nameless }), "NO_BANK_ACCOUNT")
    assert.strictEqual(because({ mandates: [] }), "NO_MANDATE")
    assert.strictEqual(because(with1({ status: "DRAFT" })), "NO_MANDATE")
    assert.strictEqual(because(with1({ scheme: "B2B" })), "NO_MANDATE")
    const elsewhere = BankAccountId.make(idOf("bank_account", 2))
    assert.strictEqual(because(with1({ bankAccountId: elsewhere })), "NO_MANDATE")
    for (const status of ["AWAITING_BANK", "BLOCKED", "CANCELLED", "EXPIRED"] as const) {
      assert.strictEqual(because(with1({ status })), "MANDATE_NOT_USABLE")
    }
    const ended = LocalDate.make("2026-12-14")
    assert.strictEqual(because(with1({ endsOn: ended })), "MANDATE_NOT_USABLE")
    assert.strictEqual(because(with1({ isSpent: true })), "MANDATE_NOT_USABLE")
  })

  it("takes the newest mandate that can be used", () => {
    const older = { ...mandate, id: MandateId.make(idOf("mandate", 2)) }
    const blocked = {
      ...mandate,
      id: MandateId.make(idOf("mandate", 3)),
      status: "BLOCKED"
    } as const
    const mandates = [older, mandate, blocked]
    assert.strictEqual(collectionOf({ ...facts, mandates }).mandate, mandate)
  })
})

describe("debits of invoices", () => {
  it("are one for each policy, payer, mandate and day, and lose no invoice", () => {
    for (let seed = 1; seed <= 2000; seed++) {
      const draw = new Draw(seed)
      const key = () => ({
        policyId: PolicyId.make(idOf("policy", draw.int(0, 1))),
        customerId: CustomerId.make(idOf("customer", draw.int(0, 1))),
        mandateId: MandateId.make(idOf("mandate", draw.int(0, 1))),
        collectOn: draw.pick(["2026-12-15", "2026-12-16"].map((day) => LocalDate.make(day)))
      })
      const invoices = Array.from({ length: draw.int(0, 8) }, (_, index): Collectable => ({
        ...key(),
        invoiceId: InvoiceId.make(idOf("invoice", index)),
        amount: draw.int(-1, 3)
      }))
      const open = new Map(
        Array.from({ length: draw.int(0, 3) }, (_, index): OpenDebit => ({
          ...key(),
          id: `open ${index}`
        })).map((debit) => [JSON.stringify({ ...debit, id: "" }), debit])
      )
      const { joined, planned } = debitPlan(invoices, [...open.values()])
      const asked = new Map(invoices.map((invoice) => [invoice.invoiceId, invoice]))
      const debits = [
        ...joined.map(({ debit, items }) => ({ key: debit, items })),
        ...planned.map(({ first, items }) => ({ key: first, items }))
      ]
      const keys = debits.map(({ key: { collectOn: day, customerId, mandateId, policyId } }) =>
        [policyId, customerId, mandateId, day].join(" ")
      )
      assert.strictEqual(new Set(keys).size, keys.length)
      for (const { items, key: own } of debits) {
        for (const { invoiceId, notified } of items) {
          const invoice = asked.get(invoiceId)!
          assert.strictEqual(notified, invoice.amount)
          assert.strictEqual(own.policyId, invoice.policyId)
          assert.strictEqual(own.customerId, invoice.customerId)
          assert.strictEqual(own.mandateId, invoice.mandateId)
          assert.strictEqual(own.collectOn, invoice.collectOn)
        }
      }
      assert.sameMembers(
        debits.flatMap(({ items }) => items.map(({ invoiceId }) => invoiceId)),
        invoices.filter(({ amount }) => amount > 0).map(({ invoiceId }) => invoiceId)
      )
    }
  })
})
