/**
 * Due minus invoiced: what the present view wants against what invoices charge. Item by item and day by
 * day; what is the same on both sides stays, the rest is credited and charged.
 */
import { isCharge } from "@quittance/domain/billing/InvoiceLine"
import { addDays } from "@quittance/domain/values/LocalDate"
import { type Correction, correctionsOf } from "./CorrectionLines.ts"
import { gapsKeepingCharges } from "./CoverageGaps.ts"
import {
  type Charge,
  chargesOf,
  chargeText,
  type InvoicedCharge,
  invoicedCharges,
  isByDay,
  type IssuedInvoice,
  without
} from "./InvoicedCharges.ts"
import {
  type BillingView,
  instalmentsOf,
  invoicedWindows,
  termsOf,
  windowText
} from "./DueSteps.ts"
import type { PlannedInstalment } from "./Schedule.ts"
import { isKeptRefund, keptRefunds } from "./ShortRate.ts"
import type { Term } from "../periods/Term.ts"

export interface Due {
  /** One for each payer: at once, since the days have been invoiced. */
  readonly corrections: ReadonlyArray<Correction>
  /** The next windows of the calendar: those without an invoice. */
  readonly toCome: ReadonlyArray<PlannedInstalment>
}

/**
 * What is to be credited and charged at once, and what follows on the grid. When both are done the same
 * question has an empty answer. Where invoicing was agreed otherwise, what invoices charge of a window
 * that is still to come is credited too: a window comes whole.
 *
 * @param issued every invoice of the policy with its lines, in the order of their issue
 */
export const dueMinusInvoiced = (view: BillingView, issued: ReadonlyArray<IssuedInvoice>): Due => {
  const terms = termsOf(view)
  // What was charged by hand stays, whatever becomes of the policy.
  const quoted = issued.filter(({ key }) => !isCharge(key.cause))
  const free = new Map(Map.groupBy(invoicedCharges(quoted), chargeText))
  const invoiced = invoicedWindows(issued.map(({ key }) => key))
  const charges: Array<Charge> = []
  const toCome: Array<PlannedInstalment> = []
  for (const instalment of instalmentsOf(view)) {
    if (!invoiced.has(windowText(instalment.key))) {
      toCome.push(instalment)
      continue
    }
    const { key, lines } = instalment
    const wanted = lines.flatMap((line) => chargesOf(line, key.payerCustomerId))
    charges.push(...wanted.flatMap((charge) => take(charge, free)))
  }
  const credits = [...free.values()]
    .flat()
    .filter(({ waived }) => waived !== true)
    .sort((a, b) => a.order - b.order)
    .flatMap((held) => givenBack(view, terms, held))
  charges.push(...keptRefunds(view, terms, credits))
  return { corrections: correctionsOf(terms, credits, charges), toCome }
}

/** The days of a charge that no invoice has; those that one has are no longer free. */
const take = (
  charge: Charge,
  free: Map<string, ReadonlyArray<InvoicedCharge>>
): ReadonlyArray<Charge> => {
  const text = chargeText(charge)
  const held = free.get(text) ?? []
  if (!isByDay(charge.lineItem)) {
    free.set(text, held.slice(1))
    return held.length > 0 ? [] : [charge]
  }
  let missing: ReadonlyArray<Charge> = [charge]
  const stillFree: Array<InvoicedCharge> = []
  for (const one of held) {
    const wanted = missing
    missing = wanted.flatMap((part) => without(part, one))
    stillFree.push(
      ...wanted.reduce((parts, part) => parts.flatMap((rest) => without(rest, part)), [one])
    )
  }
  free.set(text, stillFree)
  return missing
}

/** The days of a charge that are no longer due and that no stop keeps. */
const givenBack = (
  view: BillingView,
  terms: ReadonlyArray<Term>,
  held: InvoicedCharge
): ReadonlyArray<InvoicedCharge> => {
  const { line, name } = held.lineItem
  if (line.keptFrom !== undefined) return isKeptRefund(view, line) ? [] : [held]
  const byDay = isByDay(held.lineItem)
  const termStart = byDay
    ? line.basis!.term.start
    : (terms.find(({ end }) => end === held.end)?.start ?? held.start)
  const coverageGaps = gapsKeepingCharges(view.coverageGaps, {
    start: held.start,
    // What is charged once belongs to the day on which its quote brought it.
    end: byDay ? held.end : addDays(held.start, 1),
    termStart,
    inFirstTerm: termStart === terms[0]!.start,
    refundable: byDay && !(line.nonRefundable ?? []).includes(name)
  })
  if (!byDay) return coverageGaps.length > 0 ? [] : [held]
  return coverageGaps.reduce<ReadonlyArray<InvoicedCharge>>(
    (parts, { from, to = held.end }) =>
      parts.flatMap((part) => without(part, { start: from, end: to })),
    [held]
  )
}
