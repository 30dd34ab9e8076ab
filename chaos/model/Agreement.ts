/** What was agreed by some change of the log, in the form in which the slow model of billing bills it. */
/// <reference lib="esnext.temporal" />
import type { CustomerId } from "@quittance/domain/Customer"
import { fromEpochMillis } from "@quittance/domain/Instant"
import type { LocalDate } from "@quittance/domain/LocalDate"
import type { Product } from "@quittance/domain/Product"
import type { QuoteId } from "@quittance/domain/Quote"
import type { Agreed, History } from "../../packages/billing/test/History.ts"
import type { Facts, State } from "./Facts.ts"
import { millis, type Stretch, stretches } from "./Fold.ts"

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
  const states = stretches(facts, upTo).filter(({ state }) => state.signedAt !== undefined)
  const last = states.at(-1)!.state
  const { timeZone } = product
  const firstDay = dayOf(last.startedAt, timeZone)
  const quoteIds = Object.keys(facts.quotes)
  const dayFrom = ({ from }: Stretch): LocalDate => {
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
  const stopped = states.findIndex(({ state }) => state.contract === "STOPPED")
  const stop = stopped === -1 ? undefined : states[stopped]!
  const refund = product.stopReasons.find(({ id }) => id === stop?.state.stop?.reason)
  const agreed: Agreed = {
    prices: changed(({ quoteId }) => quoteId).flatMap(({ from, is }) =>
      is === undefined ? [] : [{ from, quote: quoteIds.indexOf(is), id: is as QuoteId }]
    ),
    payers: changed(payerOf).map(({ from, is }) => ({
      from,
      split: { defaultPayerId: is, byComponent: new Map() }
    })),
    invoicing: changed(({ invoicingConfig }) => invoicingConfig).map(({ from, is }) => ({
      from,
      invoicing: withEarlyPayment(is)
    })),
    suspensions: [],
    gaps: [],
    ...(stop === undefined
      ? {}
      : { stop: { on: dayFrom(stop), refund: refund ?? { refund: "PRO_RATA" } } }),
    terms: last.terms ?? 1
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

/** The model computes an early payment also where none is asked for. */
const withEarlyPayment = (invoicing: State["invoicingConfig"]): State["invoicingConfig"] => ({
  earlyPayment: { amount: 1, unit: "MONTH" },
  ...invoicing
})

/** The earliest customer who is to pay, else the earliest policyholder. */
const payerOf = ({ customers }: State): CustomerId => {
  const ordered = Object.entries(customers).sort(([, a], [, b]) => a.seq - b.seq)
  const of = (role: string) => ordered.find(([, customer]) => customer.role === role)?.[0]
  return (of("PAYER") ?? of("POLICYHOLDER")) as CustomerId
}
