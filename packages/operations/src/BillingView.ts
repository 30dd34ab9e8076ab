/** What billing decides on, taken from a policy's log, its accepted quotes and its documents. */
import type { InstalmentKey, Segment } from "@quittance/billing/Schedule"
import type { BillingView } from "@quittance/billing/NextSteps"
import { payersOf } from "@quittance/billing/Payers"
import { segments } from "@quittance/domain/Change"
import { type Instant, max } from "@quittance/domain/Instant"
import type { PolicyState } from "@quittance/domain/PolicyState"
import type { Product } from "@quittance/domain/Product"
import type { QuoteId, StoredQuote } from "@quittance/domain/Quote"
import { localDate } from "@quittance/domain/TimeZone"
import type { DocumentRow } from "@quittance/persistence/DocumentsRepo"
import type { OpenPolicy } from "./PolicyLog.ts"

/** A signed policy on its trunk, with all that its bills depend on. */
export interface Book {
  readonly policy: OpenPolicy
  /** The accepted quotes of its segments. */
  readonly quotes: ReadonlyMap<QuoteId, StoredQuote>
  /** In the order of their issue. */
  readonly documents: ReadonlyArray<DocumentRow>
  /** What the policy owes each of its payers, in minor units. */
  readonly balances: ReadonlyMap<DocumentRow["customerId"], number>
}

/** The quotes that a policy's trunk refers to, over its whole life. */
export const acceptedQuotes = ({ branch, changes }: OpenPolicy): ReadonlyArray<QuoteId> => [
  ...new Set(trunkQuotes(changes, branch.id).map(({ quoteId }) => quoteId))
]

export const billingView = ({ documents, policy, quotes }: Book): BillingView => {
  const { product, state } = policy
  const payers = payersOf(state)
  // A policy is only signed with a confirmed policyholder.
  if (payers === undefined) throw new Error("The policy has nobody who pays.")
  return {
    invoicing: state.invoicingConfig,
    settings: product.invoicing,
    segments: segmentsOf(policy, quotes),
    payers,
    labels: labelsOf(product),
    contract: contractOf(state),
    signedAt: state.signedAt!,
    startedAt: state.startedAt,
    periodDuration: state.periodDuration,
    timeZone: product.timeZone,
    terms: 1,
    gated: product.activation.firstPayment === "GATE",
    firstPaidAt: state.firstPaidAt,
    issued: documents.map(keyOf)
  }
}

/** What makes a document the one of an instalment. */
export const keyOf = ({ cause, customerId, periodStart, term }: DocumentRow): InstalmentKey => ({
  term,
  payerCustomerId: customerId,
  periodStart,
  cause
})

const contractOf = ({ contract }: PolicyState): BillingView["contract"] => {
  if (contract === undefined) throw new Error("Only a signed policy is billed.")
  return contract
}

/** Each interval of one accepted quote, from the first start on. */
const segmentsOf = (
  { branch, changes, product, state }: OpenPolicy,
  quotes: Book["quotes"]
): ReadonlyArray<Segment> =>
  trunkQuotes(changes, branch.id).map(({ from, quoteId, to }) => {
    const quote = quotes.get(quoteId)
    if (quote === undefined) throw new Error(`The accepted quote ${quoteId} is missing.`)
    const day = (instant: Instant) => localDate(max(instant, state.startedAt), product.timeZone)
    return {
      from: day(from),
      ...(to === undefined ? {} : { to: day(to) }),
      quoteId,
      leaves: quote.leaves
    }
  })

interface QuoteInterval {
  readonly from: Instant
  readonly to?: Instant
  readonly quoteId: QuoteId
}

/** The maximal intervals of one quote; states that differ otherwise are billed alike. */
const trunkQuotes = (
  changes: OpenPolicy["changes"],
  branchId: OpenPolicy["branch"]["id"]
): ReadonlyArray<QuoteInterval> => {
  const result: Array<{ from: Instant; to?: Instant; quoteId: QuoteId }> = []
  for (const { from, state, to } of segments(changes, branchId)) {
    // What commands recorded has this shape by construction.
    const { quoteId } = state as { readonly quoteId?: QuoteId }
    const last = result.at(-1)
    if (quoteId === undefined) continue
    if (last !== undefined && last.quoteId === quoteId && last.to === from) {
      if (to === undefined) delete last.to
      else last.to = to
    } else result.push({ from, ...(to === undefined ? {} : { to }), quoteId })
  }
  return result
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
