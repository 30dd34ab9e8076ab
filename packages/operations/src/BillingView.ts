/** What billing decides on, taken from a policy's log, its accepted quotes and its documents. */
import type { InstalmentKey, Segment } from "@quittance/billing/Schedule"
import type { BillingView } from "@quittance/billing/NextSteps"
import { payersOf, type PayerSplit } from "@quittance/billing/Payers"
import { segments } from "@quittance/domain/Change"
import { type Instant, max } from "@quittance/domain/Instant"
import type { PolicyState } from "@quittance/domain/PolicyState"
import type { Product } from "@quittance/domain/Product"
import type { QuoteId, StoredQuote } from "@quittance/domain/Quote"
import { localDate } from "@quittance/domain/TimeZone"
import type { DocumentHead } from "@quittance/persistence/DocumentsRepo"
import { type OpenPolicy, stateOf } from "./PolicyLog.ts"

/** A signed policy on its trunk, with all that its bills depend on. */
export interface Book {
  readonly policy: OpenPolicy
  /** What the accepted quotes of its segments charge. */
  readonly leaves: ReadonlyMap<QuoteId, StoredQuote["leaves"]>
  /** In the order of their issue. */
  readonly documents: ReadonlyArray<DocumentHead>
  /** What the policy owes each of its payers, in minor units. */
  readonly balances: ReadonlyMap<DocumentHead["customerId"], number>
}

/** The quotes that a policy's trunk refers to, over its whole life. */
export const acceptedQuotes = ({ branch, changes }: OpenPolicy): ReadonlyArray<QuoteId> => [
  ...new Set(trunkQuotes(changes, branch.id).map(({ quoteId }) => quoteId))
]

export const billingView = ({ documents, leaves, policy }: Book): BillingView => {
  const { product, state } = policy
  const payers = payersNow(policy)
  // A policy is only signed with a confirmed policyholder.
  if (payers === undefined) throw new Error("The policy has nobody who pays.")
  return {
    invoicing: state.invoicingConfig,
    settings: product.invoicing,
    segments: segmentsOf(policy, leaves),
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
    issued: documents.flatMap((document) => doneFor(document, payers))
  }
}

/** What makes a document the one of an instalment. */
export const keyOf = ({ cause, customerId, periodStart, term }: DocumentHead): InstalmentKey => ({
  term,
  payerCustomerId: customerId,
  periodStart,
  cause
})

/**
 * Who pays what is invoiced next: the payers in effect now, before the start those of its instant. Who
 * only comes later pays where there is nobody else.
 */
const payersNow = ({ branch, changes, now, state }: OpenPolicy): PayerSplit | undefined =>
  payersOf(stateOf(changes, branch.id, max(now, state.startedAt))) ?? payersOf(state)

/** An invoiced period is done for whoever pays from now on: it is not invoiced again to another. */
const doneFor = (
  document: DocumentHead,
  { byComponent, defaultPayerId }: PayerSplit
): ReadonlyArray<InstalmentKey> =>
  [...new Set([document.customerId, defaultPayerId, ...byComponent.values()])].map(
    (payerCustomerId) => ({ ...keyOf(document), payerCustomerId })
  )

const contractOf = ({ contract }: PolicyState): BillingView["contract"] => {
  if (contract === undefined) throw new Error("Only a signed policy is billed.")
  return contract
}

/** Each interval of one accepted quote, from the first start on. */
const segmentsOf = (
  { branch, changes, product, state }: OpenPolicy,
  leavesByQuote: Book["leaves"]
): ReadonlyArray<Segment> =>
  trunkQuotes(changes, branch.id).map(({ from, quoteId, to }) => {
    const leaves = leavesByQuote.get(quoteId)
    if (leaves === undefined) throw new Error(`The accepted quote ${quoteId} is missing.`)
    const day = (instant: Instant) => localDate(max(instant, state.startedAt), product.timeZone)
    return {
      from: day(from),
      ...(to === undefined ? {} : { to: day(to) }),
      quoteId,
      leaves
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
