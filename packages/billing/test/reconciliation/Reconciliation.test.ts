import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@quittance/domain/values/Amount"
import * as Postings from "../../src/billing/Postings.ts"
import {
  type BookedInvoice,
  type BookedEntry,
  firstDifference,
  type PolicyBooks
} from "../../src/reconciliation/Reconciliation.ts"
import type { Entry } from "@quittance/domain/billing/Entry"
import { payerA } from "../Drawn.ts"
import { currency } from "../Life.ts"
import { PolicyId } from "@quittance/domain/values/Ids"

const invoice = (
  id: string,
  net: number,
  more: Pick<BookedInvoice, "paid" | "status" | "type">
): BookedInvoice => {
  const amount = Amount.make(net, [], [])
  return {
    id,
    customerId: payerA,
    currency,
    cause: "",
    total: net,
    amount,
    lines: [amount],
    ...more
  }
}

const entry = (sourceId: string, { kind, postings }: Entry): BookedEntry => ({
  id: `entry of ${kind} ${sourceId}`,
  kind,
  sourceId,
  currency,
  accounts: postings.map(({ account }) => account),
  amounts: postings.map(({ amount }) => amount)
})

const posted = ({ amount, customerId, id }: BookedInvoice): BookedEntry =>
  entry(id, Postings.forInvoice(customerId, amount, currency))

const most = Number.MAX_SAFE_INTEGER

/** An invoice that is credited as a whole, and another; in doubles their sums depend on the order. */
const books = (): PolicyBooks => {
  const first = invoice("A", most, { type: "INVOICE", status: "CREDITED", paid: most })
  const second = invoice("B", 2, { type: "INVOICE", status: "ISSUED", paid: 0 })
  const note = invoice("C", -most, { type: "CREDIT_NOTE", status: "PAID", paid: 0 })
  const used = entry("C", Postings.forBalanceUsed(payerA, most, currency))
  return {
    policyId: PolicyId.make("policy_test_AAAAAAAAAAAAAAAAAAAAA"),
    invoices: [note, first, second],
    entries: [posted(first), posted(second), posted(note), used],
    payments: [],
    refunds: [],
    summary: [],
    owed: []
  }
}

describe("the books of a policy", () => {
  it("agree whatever their sums come to on the way", () => {
    assert.isUndefined(firstDifference(books()))
  })

  it("differ by a single unit near the largest sum", () => {
    const { invoices, entries, ...others } = books()
    const [first, ...rest] = entries
    const [receivable, premium] = first!.amounts
    const moved = { ...first!, amounts: [receivable! - 1, premium! + 1] }
    const found = firstDifference({ ...others, invoices, entries: [moved, ...rest] })
    assert.strictEqual(found?.record, first!.id)
  })

  it("differ where anything is paid of a credit note, or it is open", () => {
    const { invoices, ...others } = books()
    const [note, ...rest] = invoices
    for (const [more, field] of [
      [{ paid: -1 }, "paid"],
      [{ status: "ISSUED" }, "status"]
    ] as const) {
      const found = firstDifference({ ...others, invoices: [{ ...note!, ...more }, ...rest] })
      assert.strictEqual(found?.field, field)
    }
  })
})
