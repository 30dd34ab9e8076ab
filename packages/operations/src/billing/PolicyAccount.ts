/** What billing decides on, taken from a policy's trunk, its accepted quotes and its documents. */
import type { Rest } from "@quittance/billing/billing/CoverageGaps"
import type { IssuedDocument } from "@quittance/billing/billing/InvoicedCharges"
import type { BillingView, InvoicingFrom } from "@quittance/billing/billing/DueSteps"
import { type PayersFrom, payersOf, type PayerSplit } from "@quittance/billing/billing/Payers"
import type { InstalmentKey, Segment } from "@quittance/billing/billing/Schedule"
import { stateAt } from "@quittance/domain/policies/ChangeView"
import { type Instant, max } from "@quittance/domain/values/Instant"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { type PolicyState, unpaidPremium } from "@quittance/domain/policies/PolicyState"
import type { Product } from "@quittance/domain/products/Product"
import type { QuoteId, StoredQuote } from "@quittance/domain/products/Quote"
import { localDate } from "@quittance/domain/values/TimeZone"
import type { DocumentHead, DocumentRow, Standing } from "@quittance/persistence/billing/InvoicesRepo"
import type { DunningRecords } from "@quittance/persistence/dunning/DunningRepo"
import { Data } from "effect"
import type { OpenPolicy } from "../policies/PolicyAggregate.ts"
import { stateIn, type Trunk, trunkOf, trunkState } from "../policies/BaseTimeline.ts"

/** A policy, with all that its bills depend on. */
export interface Book {
  readonly policy: OpenPolicy
  /** What the accepted quotes of its segments charge. */
  readonly leaves: ReadonlyMap<QuoteId, StoredQuote["leaves"]>
  /** In the order of their issue. */
  readonly documents: ReadonlyArray<DocumentHead>
  /** What the policy owes each of its payers, in minor units. */
  readonly balances: ReadonlyMap<DocumentHead["customerId"], number>
  /** Its notices and holds, and who sends the tenant's notices. */
  readonly dunning: DunningRecords
}

/** A book of a policy that is looked at as it was: without the documents that were issued since. */
export const asOfItsInstant = (book: Book): Book => ({
  ...book,
  documents: book.documents.filter(({ issuedAt }) => issuedAt <= book.policy.now)
})

/** A book with documents as they stand by now. */
export const withStandings = (book: Book, standings: ReadonlyArray<Standing>): Book => {
  const byId = new Map(standings.map(({ id, ...standing }) => [id, standing]))
  return {
    ...book,
    documents: book.documents.map((document) => ({ ...document, ...byId.get(document.id) }))
  }
}

/** The quotes that a policy's trunk refers to, over its whole life. */
export const acceptedQuotes = (policy: OpenPolicy): ReadonlyArray<QuoteId> => [
  ...new Set(trunkOf(policy).flatMap(({ state: { quoteId } }) => quoteId ?? []))
]

/** What a policy's trunk is billed by; before its signature as if it were signed now. */
export const billingView = ({ documents, leaves, policy }: Book): BillingView => {
  const { now } = policy
  const trunk = trunkOf(policy)
  const state = trunkState(policy)
  const product = policy.productOf(state)
  const { startedAt, signedAt = now } = state
  const atStart = stateIn(trunk, max(startedAt, signedAt))
  const { timeZone } = product
  const calendar = { startedAt, timeZone }
  return {
    invoicing: invoicingOf(policy, trunk, calendar),
    segments: segmentsOf(trunk, leaves, calendar),
    payers: payersOver(trunk, calendar),
    rests: restsOf(policy, trunk, calendar),
    labels: labelsOf(product),
    toStart: atStart?.contract === undefined || atStart.contract === "NOT_STARTED",
    signedAt,
    startedAt,
    periodDuration: state.periodDuration,
    timeZone,
    terms: state.terms ?? 1,
    gated: product.activation.firstPayment === "GATE",
    firstIssuedAt: documents.find(({ isFirst, type }) => isFirst && type === "INVOICE")?.issuedAt,
    firstPaidAt: state.firstPaidAt,
    notTakenUpAfterDays:
      state.contract === "NOT_STARTED" ? product.activation.notTakenUpAfterDays : undefined,
    issued: documents.map(keyOf)
  }
}

/** What makes a document the one of an instalment or of a correction. */
export const keyOf = ({ cause, customerId, periodStart, term }: DocumentHead): InstalmentKey => ({
  term,
  payerCustomerId: customerId,
  periodStart,
  cause
})

/** Lines are needed that nobody has read: what a step brings about may be in the way of the next one. */
export class LinesNotRead extends Data.TaggedError("LinesNotRead")<{
  readonly documentId: DocumentHead["id"]
}> {
  override get message() {
    return `The lines of ${this.documentId} were not read.`
  }
}

/**
 * The documents of a book with their lines.
 *
 * @throws LinesNotRead where the lines of one were not read
 */
export const issuedOf = (
  { documents }: Book,
  linesOf: ReadonlyMap<DocumentHead["id"], DocumentRow["lines"]>
): ReadonlyArray<IssuedDocument> =>
  documents.map((document) => {
    const lines = linesOf.get(document.id)
    if (lines === undefined) throw new LinesNotRead({ documentId: document.id })
    return { id: document.id, key: keyOf(document), lines }
  })

/** The local days of a policy: nothing is billed before its first. */
interface Calendar {
  readonly startedAt: Instant
  readonly timeZone: Product["timeZone"]
}

/** What holds from before the start counts from its day. */
const dayOf = (instant: Instant, { startedAt, timeZone }: Calendar): LocalDate =>
  localDate(max(instant, startedAt), timeZone)

/** The days of each stretch of the trunk; one that is over on the day it begins has none. */
const daysOf = (
  trunk: Trunk,
  calendar: Calendar
): ReadonlyArray<{
  readonly from: LocalDate
  readonly to?: LocalDate
  readonly state: PolicyState
}> =>
  trunk
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
  trunk: Trunk,
  leavesByQuote: Book["leaves"],
  calendar: Calendar
): ReadonlyArray<Segment> => {
  const priced = daysOf(trunk, calendar).flatMap(({ state: { quoteId }, ...days }) => {
    if (quoteId === undefined) return []
    const leaves = leavesByQuote.get(quoteId)
    if (leaves === undefined) throw new Error(`The accepted quote ${quoteId} is missing.`)
    return [{ ...days, quoteId, leaves }]
  })
  return merged(priced, (a, b) => a.quoteId === b.quoteId)
}

/** Who pays from which day on; who only comes later pays before too where there was nobody else. */
const payersOver = (trunk: Trunk, calendar: Calendar): ReadonlyArray<PayersFrom> => {
  const payers = daysOf(trunk, calendar).flatMap(({ state, ...days }) => {
    const split = payersOf(state)
    return split === undefined ? [] : [{ ...days, split }]
  })
  // A policy is only signed with a confirmed policyholder.
  if (payers.length === 0) throw new Error("The policy has nobody who pays.")
  return merged(payers, (a, b) => a.split === b.split || isSameSplit(a.split, b.split))
}

const isSameSplit = (a: PayerSplit, b: PayerSplit): boolean =>
  a.defaultPayerId === b.defaultPayerId &&
  a.byComponent.size === b.byComponent.size &&
  [...a.byComponent].every(([componentId, payer]) => b.byComponent.get(componentId) === payer)

/** The days that are not billed: after stops, in gaps, and in suspensions that the product excepts. */
const restsOf = (
  { productOf }: OpenPolicy,
  trunk: Trunk,
  calendar: Calendar
): ReadonlyArray<Rest> => {
  const rests = daysOf(trunk, calendar).flatMap(({ state, ...days }): ReadonlyArray<Rest> => {
    const product = productOf(state)
    if (state.contract === "STOPPED") return [{ ...days, stop: refundOf(product, state) }]
    const isBilled = product.suspension.bill || state.suspension?.reason === unpaidPremium
    return state.contract === "SUSPENDED" && !isBilled ? [days] : []
  })
  return merged(rests, (a, b) => a.stop?.refund === b.stop?.refund)
}

const refundOf = (product: Product, { stop }: PolicyState): NonNullable<Rest["stop"]> =>
  product.stopReasons.find(({ id }) => id === stop?.reason) ?? { refund: "PRO_RATA" }

/** How each term is invoiced: the first as it was signed, a later one as its first day has it. */
const invoicingOf = (
  { changes, head, productOf }: OpenPolicy,
  trunk: Trunk,
  calendar: Calendar
): ReadonlyArray<InvoicingFrom> => {
  const over = daysOf(trunk, calendar).map(({ from, state }): InvoicingFrom => ({
    from,
    invoicing: state.invoicingConfig,
    settings: productOf(state).invoicing
  }))
  const branchId = head.defaultBranchId
  const signature = changes.find((change) => change.branchId === branchId && change.kind === "SIGN")
  const isChanged = over.some(({ invoicing }) => invoicing !== over[0]!.invoicing)
  if (signature === undefined || !isChanged) return over
  const signed = stateAt(changes, { branchId, knownAt: signature.recordedAt })
  // What commands recorded has this shape by construction.
  const { invoicingConfig: invoicing } = signed as unknown as PolicyState
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
