/// <reference lib="esnext.temporal" />
/**
 * A second opinion on schedules: which window bills each day, and what each premium item costs on it. It walks
 * through the days and remembers what it has charged; it shares no code with what it checks.
 */
import type { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import type { PlannedInstalment, Agreement } from "../src/billing/Schedule.ts"
import type { Term } from "../src/periods/Term.ts"
import * as Model from "./Model.ts"

/** Minor units by `payer cause periodStart`, then by premium item. */
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
export const nextDay = (day: string): string => moved(day, 1)

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
        timing === "IN_ADVANCE" ? moved(days[0]!, -settings.issueLeadDays) : nextDay(days.at(-1)!)
      return window("", days, later(planned, signedOn, paysFirst ? firstOn : signedOn))
    })
  return upFront.length === 0 ? rest : [window("FIRST_PAYMENT", upFront, firstOn), ...rest]
}

/** What each window of the last of the terms bills, item by item; leaves of nothing are left out. */
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
    const charge = (day: string, premiumItem: PremiumItem, amount: number) => {
      const window = windows.get(day)!
      add(billed, `${payerOf(agreement, premiumItem)} ${window.name}`, premiumItem, amount)
    }
    for (const { from, premiumItems, quoteId, to } of agreement.segments) {
      const days = Model.daysOf(term.start, term.end).filter(
        (day) => day >= from && (to === undefined || day < to)
      )
      if (days.length === 0) continue
      const isNewQuote = !spots.has(quoteId)
      for (const premiumItem of premiumItems) {
        if (premiumItem.chargeType === "RECURRING") {
          const costs = Model.dayCosts(periods, premiumItem.amount)
          for (const day of days) charge(day, premiumItem, costs.get(day)!)
        } else if (premiumItem.chargeType === "SPOT") {
          if (isNewQuote) charge(days[0]!, premiumItem, premiumItem.amount)
        } else {
          const known = premiumItem.everyTerm ? inTerm : inPolicy
          if (!known.has(premiumItem.id)) charge(days[0]!, premiumItem, premiumItem.amount)
          inTerm.add(premiumItem.id)
          inPolicy.add(premiumItem.id)
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
      const put = (kind: PremiumItem["kind"], refId: string, value: number) =>
        add(billed, name, { componentId, chargeType, kind, refId }, value)
      put("NET", "", amount.amountPreFeesAndTaxes)
      for (const fee of amount.fees) put("FEE", fee.id, fee.amount)
      for (const tax of amount.taxes) put("TAX", tax.id, tax.amount)
    }
  }
  return withoutNothing(billed)
}

type LeafName = Pick<PremiumItem, "componentId" | "chargeType" | "kind" | "refId">

const add = (billed: Billed, name: string, premiumItem: LeafName, amount: number) => {
  const { chargeType, componentId, kind, refId = "" } = premiumItem
  const itemName = `${componentId} ${chargeType} ${kind} ${refId}`
  const premiumItems = billed.get(name) ?? new Map<string, number>()
  billed.set(name, premiumItems.set(itemName, (premiumItems.get(itemName) ?? 0) + amount))
}

const withoutNothing = (billed: Billed): Billed => {
  const kept: Billed = new Map()
  for (const [name, premiumItems] of [...billed].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const some = [...premiumItems]
      .filter(([, amount]) => amount !== 0)
      .sort(([a], [b]) => (a < b ? -1 : 1))
    if (some.length > 0) kept.set(name, new Map(some))
  }
  return kept
}

/** These agreements have the same payers from first to last. */
const payerOf = ({ payers: [only] }: Agreement, { componentId }: PremiumItem): string =>
  only!.split.byComponent.has(componentId)
    ? only!.split.byComponent.get(componentId)!
    : only!.split.defaultPayerId
