/** What was agreed by some change of the log, in the form in which the slow model of billing bills it. */
/// <reference lib="esnext.temporal" />
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import type { StopRefund } from "../../packages/billing/src/billing/CoverageGaps.ts"
import type { PayerSplit } from "../../packages/billing/src/billing/Payers.ts"
import type { Agreed, History } from "../../packages/billing/test/History.ts"
import type { Facts, State } from "./Facts.ts"
import { millis, type CoverInterval, coverIntervals } from "./Fold.ts"
import type { CustomerId, QuoteId } from "@quittance/domain/values/Ids"

/** The local day of an instant. */
export const dayOf = (instant: string, timeZone: string): LocalDate =>
  // ISO dates of the calendar have this form.
  Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone).toPlainDate().toString() as LocalDate

export interface Agreement {
  /** The last change that it knows. */
  readonly seq: number
  readonly history: History
  readonly agreed: Agreed
}

/** What is agreed with the changes up to a number. */
export const after = (facts: Facts, product: Product, upTo: number): Agreement => {
  const states = coverIntervals(facts, upTo).filter(({ state }) => state.signedAt !== undefined)
  const last = states.at(-1)!.state
  const { timeZone } = product
  const firstDay = dayOf(last.startedAt, timeZone)
  const quoteIds = Object.keys(facts.quotes)
  const dayFrom = ({ from }: CoverInterval): LocalDate => {
    const day = millis(from) < 0 ? firstDay : dayOf(from, timeZone)
    return day < firstDay ? firstDay : day
  }
  /** What is new from a stretch on, by a text that tells it from what was before. */
  const changed = <A>(what: (state: State) => A): ReadonlyArray<{ from: LocalDate; is: A }> =>
    states
      .map((stretch) => ({ from: dayFrom(stretch), is: what(stretch.state) }))
      .filter(
        ({ is }, index, list) =>
          index === 0 || JSON.stringify(is) !== JSON.stringify(list[index - 1]!.is)
      )
  const suspended = states.map((stretch, index) => {
    const next = states[index + 1]
    const to = next === undefined ? undefined : dayFrom(next)
    return { from: dayFrom(stretch), to, state: stretch.state }
  })
  const refundOf = ({ stop }: State): StopRefund =>
    product.stopReasons.find(({ id }) => id === stop?.reason) ?? { refund: "PRO_RATA" }
  const lastCover = states.findLastIndex(({ state }) => state.contract !== "STOPPED")
  const stop = suspended[lastCover + 1]
  const agreed: Agreed = {
    prices: changed(({ quoteId }) => quoteId).flatMap(({ from, is }) =>
      is === undefined ? [] : [{ from, quote: quoteIds.indexOf(is), id: is as QuoteId }]
    ),
    payers: changed(assignedTo).map(({ from, is }) => ({ from, split: splitOf(is) })),
    invoicing: changed(({ invoicingConfig }) => invoicingConfig).map(({ from, is }) => ({
      from,
      invoicing: withEarlyPayment(is)
    })),
    // Who has not paid owes what they are not covered for, too.
    suspensions: suspended.flatMap(({ from, state, to = endOfDays }) =>
      state.contract === "SUSPENDED" && state.suspension?.reason !== "UNPAID_PREMIUM" && from < to
        ? [{ from, to }]
        : []
    ),
    gaps: joined(
      suspended
        .slice(0, lastCover + 1)
        .flatMap(({ from, state, to = endOfDays }) =>
          state.contract === "STOPPED" && from < to ? [{ from, to, refund: refundOf(state) }] : []
        )
    ),
    ...(stop === undefined ? {} : { stop: { on: stop.from, refund: refundOf(stop.state) } }),
    terms: last.terms ?? 1,
    onlyFirst: product.activation.firstPayment === "GATE" && last.firstPaidAt === undefined
  }
  const history: History = {
    policy: {
      startDay: firstDay,
      rule: {
        startedAt: fromEpochMillis(millis(last.startedAt)),
        // What commands recorded has this shape by construction.
        periodDuration: last.periodDuration as Product["periodDuration"],
        timeZone
      },
      invoicing: agreed.invoicing[0]!.invoicing,
      settings: product.invoicing,
      signedAt: fromEpochMillis(millis(last.signedAt!))
    },
    quotes: quoteIds.map((id) => facts.quotes[id]!),
    steps: []
  }
  return { seq: upTo, history, agreed }
}

const endOfDays = "9999-12-31" as LocalDate // A day of the right form.

/** Gaps that follow one another were one stop, during which something else took effect. */
const joined = (gaps: Agreed["gaps"]): Agreed["gaps"] => {
  const result: Array<Agreed["gaps"][number]> = []
  for (const gap of gaps) {
    const before = result.at(-1)
    if (before?.to === gap.from) result[result.length - 1] = { ...before, to: gap.to }
    else result.push(gap)
  }
  return result
}

/** The model computes an early payment also where none is asked for. */
const withEarlyPayment = (invoicing: State["invoicingConfig"]): State["invoicingConfig"] => ({
  earlyPayment: { amount: 1, unit: "MONTH" },
  ...invoicing
})

/** Who pays for what at a time. */
export const payersOf = (state: State): PayerSplit => splitOf(assignedTo(state))

/** As it was assigned; else all to one. */
const assignedTo = (state: State): NonNullable<State["billingAssignment"]> =>
  state.billingAssignment ?? { defaultPayerId: payerOf(state) }

const splitOf = ({
  componentOverrides = [],
  defaultPayerId
}: NonNullable<State["billingAssignment"]>): PayerSplit => ({
  // An assigned payer is a customer.
  defaultPayerId: defaultPayerId as CustomerId,
  byComponent: new Map(
    componentOverrides.map(({ componentId, payerCustomerId }) => [
      componentId,
      payerCustomerId as CustomerId
    ])
  )
})

/** The earliest customer who is to pay, else the earliest policyholder. */
const payerOf = ({ customers }: State): CustomerId => {
  const ordered = Object.entries(customers).sort(([, a], [, b]) => a.seq - b.seq)
  const of = (role: string) => ordered.find(([, customer]) => customer.role === role)?.[0]
  return (of("PAYER") ?? of("POLICYHOLDER")) as CustomerId
}
