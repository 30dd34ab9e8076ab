/** What billing decides on, taken from a policy's base branch, its accepted quotes and its invoices. */
import type { InvoiceSummary, StoredInvoice } from "@quittance/domain/billing/StoredInvoice"
import type { SettlementRecords } from "@quittance/domain/billing/SettlementRecords"
import type { CoverageGap } from "../CoverageGaps.ts"
import type { IssuedInvoice } from "../InvoicedCharges.ts"
import type { BillingView, InvoicingFrom } from "../DueSteps.ts"
import { type PayersFrom, payersOf, type PayerSplit } from "../Payers.ts"
import type { InstalmentKey, QuotedInterval } from "../Schedule.ts"
import { standing, stateAt } from "@quittance/domain/policies/ChangeView"
import { type Instant, max, min } from "@quittance/domain/values/Instant"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { type PolicyState, unpaidPremium } from "@quittance/domain/policies/PolicyState"
import type { Product } from "@quittance/domain/products/Product"
import type { StoredQuote } from "@quittance/domain/products/Quote"
import { localDate } from "@quittance/domain/values/TimeZone"
import { Data } from "effect"
import type { PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import {
  stateIn,
  type BaseTimeline,
  baseTimelineOf,
  baseState
} from "@quittance/domain/policies/aggregate/BaseTimeline"
import type { QuoteId } from "@quittance/domain/values/Ids"

/** A policy, with all that its bills depend on. */
export interface PolicyAccount {
  readonly policy: PolicyAggregate
  /** What the accepted quotes of its segments charge. */
  readonly premiumItems: ReadonlyMap<QuoteId, StoredQuote["premiumItems"]>
  /** In the order of their issue. */
  readonly invoices: ReadonlyArray<InvoiceSummary>
  /** What the policy owes each of its payers, in minor units. */
  readonly balances: ReadonlyMap<InvoiceSummary["customerId"], number>
  /** Allocations of payments to its invoices, and write-offs. */
  readonly settled: SettlementRecords
}

/** An account of a policy that is looked at as it was: without the invoices that were issued since. */
export const asOfItsInstant = (account: PolicyAccount): PolicyAccount => ({
  ...account,
  invoices: account.invoices.filter(({ issuedAt }) => issuedAt <= account.policy.now)
})

/** The quotes that a policy's base branch refers to, over its whole life. */
export const acceptedQuotes = (policy: PolicyAggregate): ReadonlyArray<QuoteId> => [
  ...new Set(baseTimelineOf(policy).flatMap(({ state: { quoteId } }) => quoteId ?? []))
]

/** What a policy's base branch is billed by; before its signature as if it were signed now. */
export const billingView = ({ invoices, premiumItems, policy }: PolicyAccount): BillingView => {
  const { now } = policy
  const base = baseTimelineOf(policy)
  const state = baseState(policy)
  const product = policy.productOf(state)
  const { startedAt, signedAt = now } = state
  const contractFrom = waitingSince(base) ?? min(startedAt, signedAt)
  const atStart = stateIn(base, max(startedAt, contractFrom))
  const { timeZone } = product
  const calendar = { startedAt, timeZone }
  return {
    invoicing: invoicingOf(policy, base, calendar),
    segments: segmentsOf(base, premiumItems, calendar),
    payers: payersOver(base, calendar),
    coverageGaps: restsOf(policy, base, calendar),
    labels: labelsOf(product),
    toStart: atStart?.contract === undefined || atStart.contract === "NOT_STARTED",
    signedAt,
    contractFrom,
    startedAt,
    periodDuration: state.periodDuration,
    timeZone,
    terms: state.terms ?? 1,
    gated: product.activation.firstPayment === "GATE",
    firstIssuedAt: askedAt(policy, invoices),
    firstPaidAt: state.firstPaidAt,
    notTakenUpAfterDays:
      state.contract === "NOT_STARTED" ? product.activation.notTakenUpAfterDays : undefined,
    issued: invoices.map((invoice) => ({ ...keyOf(invoice), periodEnd: invoice.periodEnd }))
  }
}

/** Since when a contract has waited for its start: its signature, or a reinstatement before it had begun. */
export const waitingSince = (base: BaseTimeline): Instant | undefined =>
  base.findLast(
    ({ state }, index) =>
      state.contract === "NOT_STARTED" && base[index - 1]?.state.contract !== "NOT_STARTED"
  )?.from

/** When the first premium was asked for; where cover was reinstated since, no sooner than that was known. */
const askedAt = (
  { changes, head }: PolicyAccount["policy"],
  invoices: PolicyAccount["invoices"]
): Instant | undefined => {
  const asked = invoices.find(({ isFirst, type }) => isFirst && type === "INVOICE")?.issuedAt
  const reinstated = standing(changes, { branchId: head.defaultBranchId }).findLast(
    ({ kind }) => kind === "REINSTATE"
  )
  return asked === undefined || reinstated === undefined ? asked : max(asked, reinstated.recordedAt)
}

/** What makes an invoice the one of an instalment or of a correction. */
export const keyOf = ({ cause, customerId, periodStart, term }: InvoiceSummary): InstalmentKey => ({
  term,
  payerCustomerId: customerId,
  periodStart,
  cause
})

/** Lines are needed that were not read: the effect of one step may change the next one. */
export class LinesNotRead extends Data.TaggedError("LinesNotRead")<{
  readonly invoiceId: InvoiceSummary["id"]
}> {
  override get message() {
    return `The lines of ${this.invoiceId} were not read.`
  }
}

/**
 * The invoices of a book with their lines.
 *
 * @throws LinesNotRead where the lines of one were not read
 */
export const issuedOf = (
  { invoices }: PolicyAccount,
  linesOf: ReadonlyMap<InvoiceSummary["id"], StoredInvoice["lines"]>
): ReadonlyArray<IssuedInvoice> =>
  invoices.map((invoice) => {
    const lines = linesOf.get(invoice.id)
    if (lines === undefined) throw new LinesNotRead({ invoiceId: invoice.id })
    return { id: invoice.id, key: keyOf(invoice), lines }
  })

/** The local days of a policy: nothing is billed before its first. */
interface Calendar {
  readonly startedAt: Instant
  readonly timeZone: Product["timeZone"]
}

/** What holds from before the start counts from its day. */
const dayOf = (instant: Instant, { startedAt, timeZone }: Calendar): LocalDate =>
  localDate(max(instant, startedAt), timeZone)

/** The days of each stretch of the base branch; one that is over on the day it begins has none. */
const daysOf = (
  base: BaseTimeline,
  calendar: Calendar
): ReadonlyArray<{
  readonly from: LocalDate
  readonly to?: LocalDate
  readonly state: PolicyState
}> =>
  base
    .map(({ from, state, to }) => ({
      from: dayOf(from, calendar),
      ...(to === undefined ? {} : { to: dayOf(to, calendar) }),
      state
    }))
    .filter(({ from, to }) => from !== to)

/** Stretches that follow one another and are billed alike are one. */
const merged = <A extends { readonly from: LocalDate; readonly to?: LocalDate | undefined }>(
  stretches: ReadonlyArray<A>,
  isAlike: (a: A, b: A) => boolean
): ReadonlyArray<A> => {
  const result: Array<A> = []
  for (const stretch of stretches) {
    const last = result.at(-1)
    if (last !== undefined && last.to === stretch.from && isAlike(last, stretch)) {
      const { to: _to, ...begun } = { ...stretch, from: last.from }
      // What it lost may be missing by its type.
      result[result.length - 1] = (
        stretch.to === undefined ? begun : { ...begun, to: stretch.to }
      ) as A
    } else result.push(stretch)
  }
  return result
}

/** Each interval of one accepted quote, from the first start on. */
const segmentsOf = (
  base: BaseTimeline,
  leavesByQuote: PolicyAccount["premiumItems"],
  calendar: Calendar
): ReadonlyArray<QuotedInterval> => {
  const priced = daysOf(base, calendar).flatMap(({ state: { quoteId }, ...days }) => {
    if (quoteId === undefined) return []
    const premiumItems = leavesByQuote.get(quoteId)
    if (premiumItems === undefined) throw new Error(`The accepted quote ${quoteId} is missing.`)
    return [{ ...days, quoteId, premiumItems }]
  })
  return merged(priced, (a, b) => a.quoteId === b.quoteId)
}

/** Who pays from which day on. A payer who joins later also pays for earlier days without another payer. */
const payersOver = (base: BaseTimeline, calendar: Calendar): ReadonlyArray<PayersFrom> => {
  const payers = daysOf(base, calendar).flatMap(({ state, ...days }) => {
    const split = payersOf(state)
    return split === undefined ? [] : [{ ...days, split }]
  })
  // A policy is only signed with a confirmed policyholder.
  if (payers.length === 0) throw new Error("The policy has no payer.")
  return merged(payers, (a, b) => a.split === b.split || isSameSplit(a.split, b.split))
}

const isSameSplit = (a: PayerSplit, b: PayerSplit): boolean =>
  a.defaultPayerId === b.defaultPayerId &&
  a.byComponent.size === b.byComponent.size &&
  [...a.byComponent].every(([componentId, payer]) => b.byComponent.get(componentId) === payer)

/** The days that are not billed: after stops, in gaps, and in suspensions that the product excepts. */
const restsOf = (
  { productOf }: PolicyAggregate,
  base: BaseTimeline,
  calendar: Calendar
): ReadonlyArray<CoverageGap> => {
  const coverageGaps = daysOf(base, calendar).flatMap(
    ({ state, ...days }): ReadonlyArray<CoverageGap> => {
      const product = productOf(state)
      if (state.contract === "STOPPED") return [{ ...days, stop: refundOf(product, state) }]
      const isBilled = product.suspension.bill || state.suspension?.reason === unpaidPremium
      return state.contract === "SUSPENDED" && !isBilled ? [days] : []
    }
  )
  return merged(coverageGaps, (a, b) => a.stop?.refund === b.stop?.refund)
}

const refundOf = (product: Product, { stop }: PolicyState): NonNullable<CoverageGap["stop"]> =>
  product.stopReasons.find(({ id }) => id === stop?.reason) ?? { refund: "PRO_RATA" }

/** How each term is invoiced: the first as it was signed, a later one as its first day has it. */
const invoicingOf = (
  { changes, head, productOf }: PolicyAggregate,
  base: BaseTimeline,
  calendar: Calendar
): ReadonlyArray<InvoicingFrom> => {
  const over = daysOf(base, calendar).map(({ from, state }): InvoicingFrom => ({
    from,
    invoicing: state.invoicingConfig,
    settings: productOf(state).invoicing
  }))
  const branchId = head.defaultBranchId
  const signature = changes.find((change) => change.branchId === branchId && change.kind === "SIGN")
  // It may have been changed for the days before the start, too, or at the signature's own instant.
  const isChanged = changes.some(
    (change) =>
      change.branchId === branchId &&
      change.kind !== "CREATE" &&
      change.patch.some(({ path }) => path.startsWith("/invoicingConfig"))
  )
  if (signature === undefined || !isChanged) return over
  const known = changes.filter(({ seq }) => seq <= signature.seq)
  // What commands recorded has this shape by construction.
  const { invoicingConfig: invoicing } = stateAt(known, { branchId }) as unknown as PolicyState
  return [{ ...over[0]!, invoicing }, ...over]
}

const labels = new WeakMap<Product, ReadonlyMap<string, string>>()

/** What lines call each component of a product; kept for as long as the product is. */
const labelsOf = (product: Product): ReadonlyMap<string, string> => {
  const known = labels.get(product)
  if (known !== undefined) return known
  const named = [
    ...product.perils,
    ...product.specials,
    ...product.fees,
    product.brokerageFee,
    ...product.taxes
  ]
  const made = new Map(named.map(({ id, name }) => [id, name]))
  labels.set(product, made)
  return made
}
