import { assert, describe, it } from "@effect/vitest"
import * as Amount from "@quittance/domain/values/Amount"
import { InvoiceKey, BilledLine } from "@quittance/domain/billing/InvoiceLine"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Schema } from "effect"
import { invoicesFor, type InvoiceIssue, keyText } from "../../src/billing/InvoiceDrafts.ts"
import type { PlannedInstalment } from "../../src/billing/Schedule.ts"
import { payerA, payerB, quoteId } from "../Drawn.ts"
import { currency } from "../Life.ts"

const day = (text: string): LocalDate => LocalDate.make(text)
const issuedAt = fromEpochMillis(Date.parse("2026-02-10T09:30:00Z"))
const term = { start: day("2026-01-31"), end: day("2027-01-31") }
const price = Amount.make(120_000, [], [{ id: "TCA", chargeType: "RECURRING", amount: 21_600 }])

const lineOf = (start: string, end: string, net: number, tax: number): BilledLine => ({
  componentId: "RC",
  label: "RC",
  chargeType: "RECURRING",
  slice: { start: day(start), end: day(end) },
  amount: Amount.make(net, [], [{ id: "TCA", chargeType: "RECURRING", amount: tax }]),
  quoteId: quoteId("A"),
  price,
  basis: { term, period: { start: day(start), end: day(end) } }
})

const instalmentOf = (
  start: string,
  end: string,
  net = 10_000,
  tax = 1800,
  payer = payerA
): PlannedInstalment => {
  const line = lineOf(start, end, net, tax)
  return {
    key: { term: 1, payerCustomerId: payer, periodStart: day(start), cause: "" },
    period: line.slice,
    issueOn: day("2026-01-21"),
    dueOn: day("2026-02-05"),
    isFirst: true,
    lines: [line],
    total: line.amount
  }
}

const january = instalmentOf("2026-01-31", "2026-02-28")
const march = instalmentOf("2026-02-28", "2026-03-31")

const issuing: InvoiceIssue = {
  issuedAt,
  timeZone: "Europe/Paris",
  dueDays: 15,
  currency,
  issued: [],
  balances: new Map()
}

describe("invoicesFor", () => {
  it("makes none of an instalment that has its invoice (queue-overlap-1988)", () => {
    const [draft] = invoicesFor([january], issuing)
    assert.deepStrictEqual(invoicesFor([january], { ...issuing, issued: [draft!.key] }), [])
  })

  it("makes one of an instalment that is named twice (dup-line-1484)", () => {
    assert.strictEqual(invoicesFor([january, january], issuing).length, 1)
  })

  it("bills the same days again in another term of hours", () => {
    const [issued] = invoicesFor([january], issuing)
    const next = { ...january, key: { ...january.key, term: 2 } }
    assert.strictEqual(invoicesFor([next], { ...issuing, issued: [issued!.key] }).length, 1)
  })

  it("posts what is owed to receivable, premium and tax", () => {
    const [draft] = invoicesFor([january], issuing)
    assert.deepStrictEqual(draft!.entries, [
      {
        kind: "DOCUMENT",
        currency,
        postings: [
          { account: `receivable:${payerA}`, amount: 11_800 },
          { account: "premium", amount: -10_000 },
          { account: "tax:TCA", amount: -1800 }
        ]
      }
    ])
  })

  it("makes an invoice of nothing paid at once, without an entry", () => {
    const [draft] = invoicesFor([instalmentOf("2026-01-31", "2026-02-28", 0, 0)], issuing)
    assert.strictEqual(draft!.key.type, "INVOICE")
    assert.strictEqual(draft!.status, "PAID")
    assert.strictEqual(draft!.paidAt, issuedAt)
    assert.deepStrictEqual(draft!.entries, [])
  })

  it("makes a credit note of a negative total, which the payer's balance gains", () => {
    const [note, invoice] = invoicesFor(
      [instalmentOf("2026-01-31", "2026-02-28", -15_000, 0), march],
      issuing
    )
    assert.strictEqual(note!.key.type, "CREDIT_NOTE")
    assert.strictEqual(note!.balanceChange, 15_000)
    assert.deepStrictEqual(note!.entries[0]!.postings, [
      { account: `balance:${payerA}`, amount: -15_000 },
      { account: "premium", amount: 15_000 }
    ])
    assert.deepStrictEqual([invoice!.status, invoice!.amountPaid], ["PAID", 11_800])
  })

  it("settles invoices from the payer's credit balance until it is used", () => {
    const balances = new Map([[payerA, 15_000]])
    const drafts = invoicesFor(
      [january, march, instalmentOf("2026-02-28", "2026-03-31", 1, 0, payerB)],
      { ...issuing, balances }
    )
    assert.deepStrictEqual(
      drafts.map(({ amountPaid, balanceChange, status }) => [status, amountPaid, balanceChange]),
      [
        ["PAID", 11_800, -11_800],
        ["PARTIALLY_PAID", 3200, -3200],
        ["ISSUED", 0, 0]
      ]
    )
    assert.deepStrictEqual(drafts[1]!.entries[1], {
      kind: "BALANCE_USED",
      currency,
      postings: [
        { account: `balance:${payerA}`, amount: 3200 },
        { account: `receivable:${payerA}`, amount: -3200 }
      ]
    })
    assert.isUndefined(drafts[1]!.paidAt)
  })

  it("is due from its plan where it was issued in time, from its issue where it was late", () => {
    const inTime = { ...issuing, issuedAt: fromEpochMillis(Date.parse("2026-01-20T23:00:00Z")) }
    assert.strictEqual(invoicesFor([january], inTime)[0]!.dueOn, "2026-02-05")
    assert.strictEqual(invoicesFor([january], issuing)[0]!.dueOn, "2026-02-25")
  })

  it("keeps lines and keys in the form in which they are stored", () => {
    const [draft] = invoicesFor([january], issuing)
    const stored: unknown = JSON.parse(JSON.stringify(draft))
    const Stored = Schema.Struct({ key: InvoiceKey, lines: Schema.Array(BilledLine) })
    const read = Schema.decodeUnknownSync(Stored)(stored)
    assert.deepStrictEqual(read, { key: draft!.key, lines: draft!.lines })
    assert.deepStrictEqual(invoicesFor([january], { ...issuing, issued: [read.key] }), [])
  })
})

describe("keyText", () => {
  it("tells apart terms, payers, periods and causes", () => {
    const { key } = january
    const keys = [
      key,
      { ...key, term: 2 },
      { ...key, payerCustomerId: payerB },
      { ...key, periodStart: day("2026-02-01") },
      { ...key, cause: "FIRST_PAYMENT" as const }
    ]
    assert.strictEqual(new Set(keys.map(keyText)).size, keys.length)
  })
})
