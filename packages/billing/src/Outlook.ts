/** What a change would do to the invoices of a policy, before anybody decides on it. */
import type { LocalDate } from "@quittance/domain/LocalDate"
import { costOf } from "./Corrections.ts"
import { dueMinusInvoiced } from "./Due.ts"
import { heldBy, type IssuedDocument } from "./Holdings.ts"
import { type BillingView, instalmentsOf } from "./NextSteps.ts"

/** What the days from a period's start come to, all payers together, in minor units, with taxes. */
export interface InvoiceChange {
  readonly periodStart: LocalDate
  readonly before: number
  readonly after: number
  readonly difference: number
}

export interface Outlook {
  /** The periods that are still to be invoiced, and the invoiced ones that it corrects, in order. */
  readonly invoices: ReadonlyArray<InvoiceChange>
  /** What credit notes give back at once, over all payers, in minor units. */
  readonly refund: number
  /** What invoices charge at once, over all payers, in minor units. */
  readonly charge: number
}

/**
 * The invoices of a policy as it is and as it would be: of a branch against the trunk, of a stop against
 * none. The differences sum to what the change costs over the agreed terms.
 */
export const outlook = (
  issued: ReadonlyArray<IssuedDocument>,
  before: BillingView,
  after: BillingView
): Outlook => {
  const starts = [
    ...new Set([
      ...issued.filter(({ key }) => isOfWindow(key)).map(({ key }) => key.periodStart),
      ...[before, after].flatMap(instalmentsOf).map(({ key }) => key.periodStart)
    ])
  ].sort()
  const [was, willBe] = [before, after].map((view) => position(view, issued, starts))
  const totals = willBe!.corrections.map(({ total }) => total.amountWithFeesAndTaxes)
  return {
    invoices: starts
      .map((periodStart) => {
        const [from, to] = [was!, willBe!].map(({ amounts }) => amounts.get(periodStart) ?? 0)
        return { periodStart, before: from!, after: to!, difference: to! - from! }
      })
      .filter(
        ({ difference, periodStart }) =>
          difference !== 0 || was!.toCome.has(periodStart) || willBe!.toCome.has(periodStart)
      ),
    refund: totals.reduce((sum, total) => sum + Math.max(0, -total), 0),
    charge: totals.reduce((sum, total) => sum + Math.max(0, total), 0)
  }
}

/** What each period comes to once all that a view wants is invoiced. */
const position = (
  view: BillingView,
  issued: ReadonlyArray<IssuedDocument>,
  starts: ReadonlyArray<LocalDate>
) => {
  const { corrections, toCome } = dueMinusInvoiced(view, issued)
  const amounts = new Map<LocalDate, number>()
  const add = (day: LocalDate, amount: number) => {
    const periodStart = starts.findLast((start) => start <= day) ?? starts[0] ?? day
    amounts.set(periodStart, (amounts.get(periodStart) ?? 0) + amount)
  }
  for (const held of heldBy(issued)) add(held.start, costOf(held))
  for (const { amount, slice } of corrections.flatMap(({ lines }) => lines)) {
    add(slice.start, amount.amountWithFeesAndTaxes)
  }
  for (const { key, total } of toCome) add(key.periodStart, total.amountWithFeesAndTaxes)
  return { corrections, amounts, toCome: new Set(toCome.map(({ key }) => key.periodStart)) }
}

/** Whether a document bills a window, and does not correct what others have billed. */
const isOfWindow = ({ cause }: IssuedDocument["key"]): boolean =>
  cause === "" || cause === "FIRST_PAYMENT"
