/** Whose money an entry is: certain or for people, whatever payers write. */
import { assert, describe, it } from "@effect/vitest"
import type { BankEntry, EntryDetail } from "@quittance/bank/BankEntry"
import { cluesOf } from "@quittance/bank/Clues"
import { invoiceReference, numberText } from "@quittance/bank/References"
import {
  type Decided,
  match,
  type MatchFacts,
  type OwnRecord
} from "@quittance/billing/treasury/Matching"
import type { PayableInvoice } from "@quittance/domain/treasury/EntryMatch"
import { suggest } from "@quittance/billing/treasury/Suggestions"
import { numberText as invoiceNumber } from "@quittance/domain/billing/InvoiceNumber"
import { Currency } from "@quittance/domain/values/Amount"
import type { CustomerId, InvoiceId, PaymentId, PolicyId } from "@quittance/domain/values/Ids"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Draw } from "@quittance/testing/Draw"

const EUR = Currency.make("EUR")

const invoice = (
  number: number,
  due: number,
  more: Partial<PayableInvoice> = {}
): PayableInvoice => ({
  invoiceId: `invoice_${number}` as InvoiceId,
  policyId: `policy_${number % 97}` as PolicyId,
  customerId: `customer_${number % 89}` as CustomerId,
  number: `INV${String(number).padStart(6, "0")}`,
  currency: EUR,
  due,
  isWrittenOff: false,
  recorded: [],
  ...more
})

const printed = (number: number): string => invoiceNumber({ series: "INV", number })
const referenceOf = (number: number): string => invoiceReference(printed(number))

const factsOf = (
  invoices: ReadonlyArray<PayableInvoice>,
  more: Partial<MatchFacts> = {}
): MatchFacts => ({
  own: new Map(),
  invoices: new Map(invoices.map((one) => [one.number, one])),
  payers: new Map(),
  ...more
})

interface Told {
  readonly amount: number
  readonly texts?: ReadonlyArray<string>
  readonly references?: ReadonlyArray<string>
  readonly endToEndId?: string
  readonly batch?: string
  readonly family?: string
  readonly subFamily?: string
  readonly returnReason?: string
  readonly payerPrint?: string
}

const decide = (told: Told, facts: MatchFacts): Decided => {
  const { amount, batch, family = "RCDT", references = [], subFamily = "ESCT", texts = [] } = told
  const detail: EntryDetail = {
    charges: 0,
    debtor: {},
    creditor: {},
    references,
    texts,
    endToEndId: told.endToEndId,
    returnReason: told.returnReason
  }
  const entry: BankEntry = {
    status: "BOOK",
    direction: amount < 0 ? "DEBIT" : "CREDIT",
    isReversal: false,
    moved: { amount: Math.abs(amount), currency: "EUR" },
    family,
    subFamily,
    charges: 0,
    batches: batch === undefined ? [] : [{ messageId: batch }],
    details: [detail]
  }
  return match(
    {
      amount,
      currency: EUR,
      bookedOn: LocalDate.make("2026-12-01"),
      family,
      subFamily,
      cameBack: told.returnReason !== undefined,
      clues: cluesOf(entry, { amount, detail }, "INV"),
      payerPrint: told.payerPrint
    },
    facts
  )
}

const ruleOf = (decided: Decided) => decided?.rule ?? "PEOPLE"

const own = (kind: OwnRecord["kind"], number: string, amount: number): OwnRecord => ({
  kind,
  number,
  recordId: number,
  cashRecordId: number,
  amount,
  currency: EUR
})

describe("an entry with numbers of ours", () => {
  const [debit, file, payout] = [numberText("DD", 7), numberText("QC", 3), numberText("PO", 5)]
  const facts = factsOf([invoice(1, 8000)], {
    own: new Map(
      [own("DEBIT", debit, 8000), own("FILE", file, 24_000), own("PAYOUT", payout, 500)].map(
        (record) => [record.number, record]
      )
    )
  })
  const issued = { family: "IDDT" }
  const cases: ReadonlyArray<readonly [name: string, told: Told, rule: string]> = [
    ["a file whatever its sum", { ...issued, amount: 23_900, batch: file }, "OWN_FILE"],
    ["a file by its group", { ...issued, amount: 24_000, batch: `${file}-1` }, "OWN_FILE"],
    ["a debit booked alone", { ...issued, amount: 8000, endToEndId: debit }, "OWN_DEBIT"],
    ["a debit of another amount", { ...issued, amount: 7999, endToEndId: debit }, "PEOPLE"],
    [
      "a debit that came back with a charge",
      { ...issued, amount: -8300, endToEndId: debit, returnReason: "AM04" },
      "OWN_DEBIT"
    ],
    ["a payout that left", { family: "ICDT", amount: -500, endToEndId: payout }, "OWN_PAYOUT"],
    [
      "a payout that came back",
      { amount: 500, endToEndId: payout, returnReason: "AC04" },
      "OWN_PAYOUT"
    ],
    ["what a payer writes of a debit", { amount: 8000, texts: [`again ${debit}`] }, "PEOPLE"],
    ["a payer's identifier", { amount: 8000, endToEndId: debit }, "PEOPLE"],
    [
      "what a payer writes beside their reference",
      { amount: 8000, texts: [debit, referenceOf(1)] },
      "REFERENCE"
    ]
  ]
  for (const [name, told, rule] of cases) {
    it(`is ${rule}: ${name}`, () => assert.strictEqual(ruleOf(decide(told, facts)), rule))
  }
})

describe("a transfer", () => {
  const payer = { customerIds: ["customer_1" as CustomerId] }
  const facts = factsOf(
    [
      invoice(1, 8000),
      invoice(2, 4000),
      invoice(3, 0),
      invoice(4, 5000, { isWrittenOff: true, due: 0 }),
      invoice(5, 900, {
        recorded: [
          { paymentId: "payment_1" as PaymentId, amount: 900, paidOn: LocalDate.make("2026-11-28") }
        ]
      }),
      invoice(6, 900, {
        recorded: [
          { paymentId: "payment_2" as PaymentId, amount: 900, paidOn: LocalDate.make("2026-11-20") }
        ]
      })
    ],
    {
      payers: new Map([
        ["one", { ...payer, open: [invoice(1, 8000), invoice(2, 4000)] }],
        ["equal", { ...payer, open: [invoice(7, 700), invoice(8, 700)] }],
        ["shared", { customerIds: ["customer_1", "customer_2"] as Array<CustomerId>, open: [] }]
      ])
    }
  )
  const cases: ReadonlyArray<readonly [name: string, told: Told, rule: string]> = [
    ["its reference, of any amount", { amount: 10, references: [referenceOf(1)] }, "REFERENCE"],
    ["a reference cut by blanks", { amount: 8000, texts: ["RF69 INV0 00001 merci"] }, "REFERENCE"],
    [
      "several that sum to it",
      { amount: 12_000, texts: [referenceOf(1), referenceOf(2)] },
      "REFERENCE"
    ],
    ["several that do not", { amount: 11_999, texts: [referenceOf(1), referenceOf(2)] }, "PEOPLE"],
    ["a paid invoice", { amount: 8000, texts: [referenceOf(3)] }, "REFERENCE"],
    ["a written-off invoice", { amount: 5000, texts: [referenceOf(4)] }, "PEOPLE"],
    ["what was recorded by hand", { amount: 900, texts: [referenceOf(5)] }, "RECORDED"],
    ["what was recorded long before", { amount: 900, texts: [referenceOf(6)] }, "REFERENCE"],
    ["an invoice number", { amount: 8000, texts: ["facture INV-000001"] }, "INVOICE_NUMBER"],
    ["an invoice number of another amount", { amount: 7999, texts: ["INV-000001"] }, "PEOPLE"],
    [
      "an unknown invoice number",
      { amount: 8000, texts: ["INV-000099"], payerPrint: "one" },
      "PEOPLE"
    ],
    ["the payer's account", { amount: 4000, payerPrint: "one" }, "ACCOUNT_AND_AMOUNT"],
    ["all that they owe", { amount: 12_000, payerPrint: "one" }, "ACCOUNT_AND_AMOUNT"],
    ["an amount that two invoices have", { amount: 700, payerPrint: "equal" }, "PEOPLE"],
    ["an account of several customers", { amount: 700, payerPrint: "shared" }, "PEOPLE"],
    ["an amount alone", { amount: 8000 }, "PEOPLE"],
    ["a bank's charge", { amount: -1250, subFamily: "CHRG" }, "BANK_CHARGE"],
    ["money that left", { amount: -8000, texts: [referenceOf(1)] }, "PEOPLE"]
  ]
  for (const [name, told, rule] of cases) {
    it(`is ${rule}: ${name}`, () => assert.strictEqual(ruleOf(decide(told, facts)), rule))
  }
  it("on a paid invoice is told as a double payment", () => {
    const decided = decide({ amount: 8000, texts: [referenceOf(3)] }, facts)
    assert.isTrue(decided?.rule === "REFERENCE" && decided.isDoublePayment)
  })
})

/** One wrong character, or two that changed places: what check digits were made for. */
const spoiled = (draw: Draw, text: string): string => {
  const at = draw.int(4, text.length - 2)
  const other = draw.chance(0.5)
    ? text.slice(0, at) + draw.pick([..."0123456789"]) + text.slice(at + 1)
    : text.slice(0, at) + text[at + 1]! + text[at]! + text.slice(at + 2)
  return other === text ? spoiled(draw, text) : other
}

const cut = (draw: Draw, text: string): string =>
  [...text]
    .map((one) => (draw.chance(0.15) ? one + draw.pick([" ", "-", ".", "\n"]) : one))
    .join("")

const noise = [
  "Prime",
  "Merci",
  "REF",
  "RF",
  "RF18539007547034",
  "INV",
  "2026",
  "00123",
  "Contrat 4711",
  "DD",
  "NOTPROVIDED",
  "FR7699999000010000000010106",
  "Loyer décembre",
  "INVOICE",
  "株式会社"
]

describe("hostile texts", () => {
  it("match nothing wrongly in 100,000 entries, and each sound reference alone", () => {
    const draw = new Draw(18)
    const invoices = Array.from({ length: 3000 }, (_, index) =>
      invoice(index + 1, draw.pick([8000, 4000, 4250, draw.int(1, 90_000)]))
    )
    const facts = factsOf(invoices, {
      own: new Map(
        Array.from({ length: 500 }, (_, index) => {
          const record = own("DEBIT", numberText("DD", index + 1), draw.pick([8000, 4000, 4250]))
          return [record.number, record]
        })
      )
    })
    let wrong = 0
    let missed = 0
    for (let count = 0; count < 100_000; count++) {
      const meant = draw.pick(invoices)
      const number = Number(meant.number.slice(3))
      const sound = referenceOf(number)
      const written = draw.pick([
        { text: sound, isSound: true },
        { text: cut(draw, sound), isSound: true },
        { text: spoiled(draw, sound), isSound: false },
        { text: cut(draw, spoiled(draw, sound)), isSound: false },
        { text: numberText("DD", draw.int(1, 600)), isSound: false },
        { text: "", isSound: false }
      ])
      const texts = [...draw.some(noise).slice(0, 3), written.text, draw.pick(noise)]
      const amount = draw.pick([meant.due, draw.int(1, 90_000)])
      const decided = decide({ amount, texts }, facts)
      const isRight =
        decided?.rule === "REFERENCE" &&
        decided.allocations.length === 1 &&
        decided.allocations[0]!.invoiceId === meant.invoiceId
      if (decided !== undefined && !(isRight && written.isSound)) wrong++
      if (decided === undefined && written.isSound) missed++
    }
    assert.deepStrictEqual({ wrong, missed }, { wrong: 0, missed: 0 })
  })
})

describe("suggestions", () => {
  const candidate = (number: number, due: number, more: object = {}) => ({
    invoice: invoice(number, due, { customerId: "customer_1" as CustomerId }),
    isReferenced: false,
    isNumbered: false,
    isFromPayer: false,
    payerName: "Camille Martin",
    ...more
  })

  it("are ranked, each with its reasons, at most ten, and none without a reason", () => {
    const many = Array.from({ length: 20 }, (_, index) => candidate(index + 10, 300))
    const found = suggest(300, "MARTIN Camille", [
      candidate(1, 8000, { payerName: "Someone Else" }),
      candidate(2, 200, { isReferenced: true }),
      ...many
    ])
    assert.strictEqual(found.length, 10)
    assert.deepStrictEqual(found[0]!.reasons, ["REFERENCE", "NAME"])
    assert.strictEqual(found[0]!.amount, 200)
    assert.deepStrictEqual(
      found.slice(1).map(({ invoice: { number } }) => number),
      Array.from({ length: 9 }, (_, index) => `INV0000${index + 10}`)
    )
  })

  it("need more of a name than one common word", () =>
    assert.deepStrictEqual(suggest(1, "Martin", [candidate(1, 8000)]), []))
})
