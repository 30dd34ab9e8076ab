/// <reference lib="esnext.temporal" />
/**
 * A second opinion on schedules: which window bills each day, and what each leaf costs on it. It walks
 * through the days and remembers what it has charged; it shares no code with what it checks.
 */
import type { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import type { QuoteLeaf } from "@quittance/domain/products/Quote"
import type { PlannedInstalment, Agreement } from "../src/billing/Schedule.ts"
import type { Term } from "../src/periods/Term.ts"
import * as Model from "./Model.ts"

/** Minor units by `payer cause periodStart`, then by leaf. */
export type Billed = Map<string, Map<string, number>>

export interface Window {
  readonly name: string
  readonly issueOn: string
  readonly dueOn: string
  readonly days: ReadonlyArray<string>
}

const later = (...days: ReadonlyArray<string>): string => [...days].sort().at(-1)!
const moved = (day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString()
const nextDay = (days: ReadonlyArray<string>): string => moved(days.at(-1)!, 1)

const isFull = (term: Term, { firstPayment }: InvoicingConfig): boolean =>
  term.number === 1 && firstPayment !== "NONE" && (firstPayment.startsWith("FULL") || term.subDay)

export const planPeriods = (
  { invoicing, settings }: Pick<Agreement, "invoicing" | "settings">,
  term: Term
) => {
  const days = Model.daysOf(term.start, term.end)
  return isFull(term, invoicing) || term.subDay
    ? [{ start: term.start, end: term.end, days, wholeDays: days.length }]
    : Model.periodsOf({
        frequency: invoicing.frequency,
        alignment: settings.alignment,
        anchorDay: term.anchorDay,
        start: term.start,
        end: term.end
      })
}

/** The windows of a term in the order of their days. */
export const windowsOf = (
  agreement: Pick<Agreement, "invoicing" | "settings" | "signedOn">,
  term: Term
): ReadonlyArray<Window> => {
  const { invoicing, settings, signedOn } = agreement
  const { earlyPayment, firstPayment, timing } = invoicing
  const all = Model.daysOf(term.start, term.end)
  const paysFirst = term.number === 1 && firstPayment !== "NONE"
  const firstOn = later(signedOn, firstPayment.includes("AT_SIGNATURE") ? signedOn : term.start)
  const unit = `${earlyPayment!.unit.toLowerCase()}s`
  const early = Temporal.PlainDate.from(term.start)
    .add({ [unit]: earlyPayment!.amount })
    .toString()
  const upFront = !paysFirst ? [] : isFull(term, invoicing) ? all : all.filter((day) => day < early)
  const window = (cause: string, days: ReadonlyArray<string>, issueOn: string): Window => ({
    name: `${cause} ${days[0]!}`,
    issueOn,
    dueOn: moved(issueOn, settings.dueDays),
    days
  })
  const rest = planPeriods(agreement, term)
    .map(({ days }) => days.filter((day) => upFront.length === 0 || day > upFront.at(-1)!))
    .filter((days) => days.length > 0)
    .map((days) => {
      const planned =
        timing === "IN_ADVANCE" ? moved(days[0]!, -settings.issueLeadDays) : nextDay(days)
      return window("", days, later(planned, signedOn, paysFirst ? firstOn : signedOn))
    })
  return upFront.length === 0 ? rest : [window("FIRST_PAYMENT", upFront, firstOn), ...rest]
}

/** What each window of the last of the terms bills, leaf by leaf; leaves of nothing are left out. */
export const billedBy = (agreement: Agreement, terms: ReadonlyArray<Term>): Billed => {
  const inPolicy = new Set<string>()
  const spots = new Set<string>()
  let billed: Billed = new Map()
  for (const term of terms) {
    billed = new Map()
    const inTerm = new Set<string>()
    const windows = new Map(
      windowsOf(agreement, term).flatMap((window) => window.days.map((day) => [day, window]))
    )
    const periods = planPeriods(agreement, term)
    const charge = (day: string, leaf: QuoteLeaf, amount: number) => {
      const window = windows.get(day)!
      add(billed, `${payerOf(agreement, leaf)} ${window.name}`, leaf, amount)
    }
    for (const { from, leaves, quoteId, to } of agreement.segments) {
      const days = Model.daysOf(term.start, term.end).filter(
        (day) => day >= from && (to === undefined || day < to)
      )
      if (days.length === 0) continue
      const isNewQuote = !spots.has(quoteId)
      for (const leaf of leaves) {
        if (leaf.chargeType === "RECURRING") {
          const costs = Model.dayCosts(periods, leaf.amount)
          for (const day of days) charge(day, leaf, costs.get(day)!)
        } else if (leaf.chargeType === "SPOT") {
          if (isNewQuote) charge(days[0]!, leaf, leaf.amount)
        } else {
          const known = leaf.everyTerm ? inTerm : inPolicy
          if (!known.has(leaf.id)) charge(days[0]!, leaf, leaf.amount)
          inTerm.add(leaf.id)
          inPolicy.add(leaf.id)
        }
      }
      spots.add(quoteId)
    }
  }
  return withoutNothing(billed)
}

/** What planned instalments bill, in the same form. */
export const billedIn = (instalments: ReadonlyArray<PlannedInstalment>): Billed => {
  const billed: Billed = new Map()
  for (const { key, lines } of instalments) {
    const name = `${key.payerCustomerId} ${key.cause} ${key.periodStart}`
    for (const { amount, chargeType, componentId } of lines) {
      const put = (kind: QuoteLeaf["kind"], refId: string, value: number) =>
        add(billed, name, { componentId, chargeType, kind, refId }, value)
      put("NET", "", amount.amountPreFeesAndTaxes)
      for (const fee of amount.fees) put("FEE", fee.id, fee.amount)
      for (const tax of amount.taxes) put("TAX", tax.id, tax.amount)
    }
  }
  return withoutNothing(billed)
}

type LeafName = Pick<QuoteLeaf, "componentId" | "chargeType" | "kind" | "refId">

const add = (billed: Billed, name: string, leaf: LeafName, amount: number) => {
  const { chargeType, componentId, kind, refId = "" } = leaf
  const leafName = `${componentId} ${chargeType} ${kind} ${refId}`
  const leaves = billed.get(name) ?? new Map<string, number>()
  billed.set(name, leaves.set(leafName, (leaves.get(leafName) ?? 0) + amount))
}

const withoutNothing = (billed: Billed): Billed => {
  const kept: Billed = new Map()
  for (const [name, leaves] of [...billed].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const some = [...leaves]
      .filter(([, amount]) => amount !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    if (some.length > 0) kept.set(name, new Map(some))
  }
  return kept
}

/** These agreements have the same payers from first to last. */
const payerOf = ({ payers: [only] }: Agreement, { componentId }: QuoteLeaf): string =>
  only!.split.byComponent.has(componentId)
    ? only!.split.byComponent.get(componentId)!
    : only!.split.defaultPayerId
