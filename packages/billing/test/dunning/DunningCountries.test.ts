import { shippedProduct } from "@quittance/testing/ShippedProducts"
/** The shipped products of Italy, Spain, Germany and Belgium: each step at the instant that its law names. */
import { assert, describe, it } from "@effect/vitest"
import { fromEpochMillis, type Instant } from "@quittance/domain/values/Instant"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { alphabet } from "@quittance/domain/values/PrefixedId"
import type { Product } from "@quittance/domain/products/Product"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import { dunningSteps, untilEnd } from "../../src/dunning/Dunning.ts"
import { type Debt, type DunningFacts, noticeableFrom } from "../../src/dunning/DunningTimeline.ts"
import { payerA } from "../Drawn.ts"
import { InvoiceId } from "@quittance/domain/values/Ids"

const shipped = (country: string): Product => shippedProduct(`bicycle-${country}`)

const italy = shipped("it")
const spain = shipped("es")
const germany = shipped("de")
const belgium = shipped("be")

const at = (text: string): Instant => fromEpochMillis(Date.parse(text))
const invoiceId = InvoiceId.make(`invoice_test_${alphabet[0]!.repeat(21)}`)

const debt = (dueOn: string, more: Partial<Debt> = {}): Debt => ({
  invoiceId,
  payerCustomerId: payerA,
  dueOn: LocalDate.make(dueOn),
  isFirst: false,
  ...more
})

const paid = (dueOn: string, settledAt: string, more: Partial<Debt> = {}): Debt =>
  debt(dueOn, { settledAt: at(settledAt), ...more })

/** The notice says, where the product's notices do, that the contract ends by itself. */
const noticed = (product: Product, sentAt: string): Pick<DunningFacts, "notices"> => ({
  notices: [
    {
      invoiceIds: [invoiceId],
      sentAt: at(sentAt),
      announcesTermination: product.dunning.terminate.mode === "ANNOUNCED"
    }
  ]
})

/** The policy starts on the first local day of 2026. */
const steps = (
  { dunning: rule, timeZone }: Product,
  debts: ReadonlyArray<Debt>,
  more: Partial<DunningFacts> = {}
) =>
  untilEnd(
    dunningSteps({
      rule,
      timeZone,
      startedAt: startOfDay(LocalDate.make("2026-01-01"), timeZone),
      yearEnds: [],
      debts,
      notices: [],
      holds: [],
      ...more
    })
  ).map(({ dueAt, kind }) => `${kind} ${dueAt}`)

describe("Italy, art. 1901 codice civile", () => {
  it("gives no cover before the end of the day on which the first premium is paid", () => {
    assert.deepStrictEqual(
      steps(italy, [paid("2026-01-01", "2026-01-05T08:00:00Z", { isFirst: true })]),
      ["SUSPEND 2025-12-31T23:00:00.000Z", "REACTIVATE 2026-01-05T23:00:00.000Z"]
    )
    assert.deepStrictEqual(
      steps(italy, [paid("2026-01-01", "2025-12-31T22:59:59.999Z", { isFirst: true })]),
      []
    )
  })

  it("stops cover at 24:00 of the fifteenth day after the due date, without a notice", () => {
    // The clocks go forward on 29 March.
    assert.include(steps(italy, [debt("2026-03-15")]), "SUSPEND 2026-03-30T22:00:00.000Z")
    assert.include(steps(italy, [debt("2026-03-13")]), "SUSPEND 2026-03-28T23:00:00.000Z")
    assert.deepStrictEqual(steps(italy, [paid("2026-03-15", "2026-03-30T21:59:59.999Z")]), [])
  })

  it("resumes it at 24:00 of the day of the payment", () => {
    assert.deepStrictEqual(steps(italy, [paid("2026-02-01", "2026-03-29T21:30:00Z")]), [
      "SUSPEND 2026-02-16T23:00:00.000Z",
      "REACTIVATE 2026-03-29T22:00:00.000Z"
    ])
  })

  it("ends the contract by law six months after the due date, and no payment revives it", () => {
    const ended = ["SUSPEND 2026-02-16T23:00:00.000Z", "TERMINATE 2026-08-01T22:00:00.000Z"]
    assert.deepStrictEqual(steps(italy, [debt("2026-02-01")]), ended)
    assert.deepStrictEqual(steps(italy, [paid("2026-02-01", "2026-08-02T10:00:00Z")]), ended)
  })

  it("waits while a hold says that the insurer has sued", () => {
    const holds = [{ from: at("2026-07-01T00:00:00Z") }]
    assert.deepStrictEqual(steps(italy, [debt("2026-02-01")], { holds }), [
      "SUSPEND 2026-02-16T23:00:00.000Z"
    ])
  })
})

describe("Spain, art. 15 Ley 50/1980", () => {
  it("frees the insurer until the first premium is paid", () => {
    assert.deepStrictEqual(
      steps(spain, [paid("2026-01-01", "2026-01-02T10:00:00Z", { isFirst: true })]),
      ["SUSPEND 2025-12-31T23:00:00.000Z", "REACTIVATE 2026-01-02T23:00:00.000Z"]
    )
  })

  it("suspends cover a month after the due date, the last day of a shorter month included", () => {
    assert.include(steps(spain, [debt("2026-03-10")]), "SUSPEND 2026-04-10T22:00:00.000Z")
    assert.include(steps(spain, [debt("2026-01-31")]), "SUSPEND 2026-02-28T23:00:00.000Z")
  })

  it("resumes it twenty-four hours after the payment's day began, also on the day of the clocks", () => {
    assert.strictEqual(
      steps(spain, [paid("2026-08-01", "2026-10-25T09:00:00Z")]).at(-1),
      "REACTIVATE 2026-10-25T23:00:00.000Z"
    )
  })

  it("lets the contract go out six months after the due date", () => {
    assert.deepStrictEqual(steps(spain, [debt("2026-03-10")]), [
      "SUSPEND 2026-04-10T22:00:00.000Z",
      "TERMINATE 2026-09-10T22:00:00.000Z"
    ])
  })
})

describe("Germany, §§ 37 and 38 VVG", () => {
  it("covers nothing before the first premium is paid, and everything from then on", () => {
    assert.deepStrictEqual(
      steps(germany, [paid("2026-01-01", "2026-01-01T08:30:00Z", { isFirst: true })]),
      ["SUSPEND 2025-12-31T23:00:00.000Z", "REACTIVATE 2026-01-01T08:30:00.000Z"]
    )
  })

  it("sets the deadline from the first day after the due date on", () => {
    assert.strictEqual(noticeableFrom(germany.dunning, LocalDate.make("2026-02-01")), "2026-02-02")
    assert.deepStrictEqual(steps(germany, [debt("2026-02-01")]), [
      "NOTICE 2026-02-01T23:00:00.000Z"
    ])
  })

  it("ends cover and, as the notice said, the contract after the two weeks", () => {
    const facts = noticed(germany, "2026-03-16T10:00:00Z")
    assert.deepStrictEqual(steps(germany, [debt("2026-03-01")], facts), [
      "SUSPEND 2026-03-30T22:00:00.000Z",
      "TERMINATE 2026-03-30T22:00:00.000Z"
    ])
  })

  it("undoes the termination with a payment within a month, and covers from that on", () => {
    const facts = noticed(germany, "2026-03-16T10:00:00Z")
    const suspended = "SUSPEND 2026-03-30T22:00:00.000Z"
    assert.deepStrictEqual(
      steps(germany, [paid("2026-03-01", "2026-04-30T21:59:59.999Z")], facts),
      [suspended, "REACTIVATE 2026-04-30T21:59:59.999Z"]
    )
    assert.deepStrictEqual(steps(germany, [paid("2026-03-01", "2026-04-30T22:00:00Z")], facts), [
      suspended,
      "TERMINATE 2026-03-30T22:00:00.000Z"
    ])
  })

  it("revives nothing by a credit, such as that of the termination itself", () => {
    const facts = noticed(germany, "2026-03-16T10:00:00Z")
    const credited = paid("2026-03-01", "2026-03-31T08:00:00Z", { waived: true })
    assert.include(steps(germany, [credited], facts), "TERMINATE 2026-03-30T22:00:00.000Z")
  })
})

describe("Belgium, law of 4 April 2014, art. 69 to 73", () => {
  it("covers the first days too, until a notice has run out", () => {
    assert.deepStrictEqual(steps(belgium, [debt("2026-01-01", { isFirst: true })]), [
      "NOTICE 2026-01-01T23:00:00.000Z"
    ])
  })

  it("suspends cover after fifteen days from the day after the letter was handed in", () => {
    const facts = noticed(belgium, "2026-03-16T15:00:00Z")
    assert.strictEqual(
      steps(belgium, [debt("2026-03-01")], facts)[0],
      "SUSPEND 2026-03-31T22:00:00.000Z"
    )
  })

  it("ends the contract after fifteen days from the first one without cover", () => {
    const facts = noticed(belgium, "2026-03-16T15:00:00Z")
    assert.deepStrictEqual(steps(belgium, [debt("2026-03-01")], facts), [
      "SUSPEND 2026-03-31T22:00:00.000Z",
      "TERMINATE 2026-04-15T22:00:00.000Z"
    ])
  })

  it("resumes it at the beginning of the day after the payment", () => {
    const facts = noticed(belgium, "2026-09-30T15:00:00Z")
    assert.deepStrictEqual(steps(belgium, [paid("2026-09-01", "2026-10-24T20:00:00Z")], facts), [
      "SUSPEND 2026-10-15T22:00:00.000Z",
      "REACTIVATE 2026-10-24T22:00:00.000Z"
    ])
  })
})
