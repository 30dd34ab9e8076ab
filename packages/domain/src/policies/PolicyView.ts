/** A policy as the interface shows it, made from its head, the state at an instant, and its quote. */
import { origin } from "./Change.ts"
import { type Instant, max, min } from "../values/Instant.ts"
import { status } from "./Lifecycle.ts"
import type { Policy } from "./Policy.ts"
import type { PolicyHead } from "./PolicyHead.ts"
import { fieldList, inOrder, type PolicyState } from "./PolicyState.ts"
import type { Product } from "../products/Product.ts"
import type { PolicyQuote, SelectedTier } from "../products/Quote.ts"
import { plus } from "../values/TimeZone.ts"
import type { AssetId } from "../values/Ids.ts"
import type { BranchType } from "../products/ProductTerms.ts"

/** Whether a signed policy has to wait: its product gates cover on the first payment. */
export const awaitsFirstPayment = (
  product: Pick<Product, "activation">,
  state: Pick<PolicyState, "firstPaidAt">
): boolean => product.activation.firstPayment === "GATE" && state.firstPaidAt === undefined

/** The first instant after the terms that are agreed: counted from the start, so that none drifts. */
export const termEnd = (product: Pick<Product, "timeZone">, state: PolicyState): Instant =>
  plus(state.startedAt, state.periodDuration, state.terms ?? 1, product.timeZone)

/**
 * The first anniversary of the planned start after an instant, and the one before it, if any. Each is
 * counted from the start itself, so the search doubles and halves its step instead of walking from term
 * to term.
 */
const renewalsAround = (product: Product, state: PolicyState, whenAt: Instant) => {
  const end = (term: number) => plus(state.startedAt, state.periodDuration, term, product.timeZone)
  let high = 1
  while (end(high) <= whenAt) high *= 2
  let low = Math.floor(high / 2)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (end(middle) <= whenAt) low = middle
    else high = middle
  }
  return { before: high === 1 ? undefined : end(high - 1), after: end(high) }
}

/** The first anniversary of the planned start after an instant. */
export const renewalAfter = (product: Product, state: PolicyState, whenAt: Instant): Instant =>
  renewalsAround(product, state, whenAt).after

/**
 * A state as it is shown on a branch: what the branch is a draft of has been sold, so that beside the base branch
 * the policy was confirmed as long as its signature had not taken effect.
 */
export const shownOn = (branchType: BranchType, state: PolicyState): PolicyState =>
  branchType === "BASE" || branchType === "NEW_BUSINESS" || state.contract !== undefined
    ? state
    : { ...state, stage: "CONFIRMED" }

export interface PolicyViewInput {
  readonly head: PolicyHead
  readonly product: Product
  readonly state: PolicyState
  readonly branchType: BranchType
  /** The instant the view is of. */
  readonly whenAt: Instant
  /** The quote of the state, where one is accepted or on the table. */
  readonly quoted?:
    | {
        readonly quote: PolicyQuote
        readonly proratedQuote: PolicyQuote
        readonly selectedTier: SelectedTier
      }
    | undefined
}

export const toPolicy = ({
  branchType,
  head,
  product,
  quoted,
  state,
  whenAt
}: PolicyViewInput): Policy => {
  const gated = awaitsFirstPayment(product, state)
  const signed = state.contract !== undefined
  const stopped = state.contract === "STOPPED"
  return {
    id: head.id,
    type: head.type,
    productId: head.productId,
    createdAt: head.createdAt,
    lastModifiedAt: head.lastModifiedAt,
    status: status({ ...shownOn(branchType, state), gated }),
    // The keys of the state are the identifiers it was built with.
    assets: inOrder(state.assets).map(([id]) => id as AssetId),
    customers: inOrder(state.customers).map(([id]) => id),
    periodDuration: state.periodDuration,
    invoicingConfig: state.invoicingConfig,
    customFields: fieldList(state.customFields),
    incrementalId: head.incrementalId,
    branchType,
    startedAt: state.startedAt,
    isAwaitingFirstPayment:
      signed && gated && state.contract === "NOT_STARTED" && state.startedAt <= whenAt,
    endedAt: state.endedAt ?? termEnd(product, state),
    nextRenewalAt: renewalAfter(product, state, whenAt),
    ...present("parent", head.parentId ?? undefined),
    ...present("brokerageFirm", head.brokerageFirmId ?? undefined),
    ...present("author", head.author ?? undefined),
    ...present("name", state.name),
    ...present("externalId", state.externalId),
    ...present("salesChannel", state.salesChannel),
    ...present("signedAt", state.signedAt),
    ...present("stoppedAt", stopped ? state.stoppedAt : undefined),
    ...present("suspendedAt", state.suspendedAt),
    ...present("reactivatedAt", state.reactivatedAt),
    ...present("additionalQuoteComponents", state.additionalQuoteComponents),
    ...present("stop", state.stop),
    ...present("brokerageFees", state.brokerageFees),
    ...present("billingAssignment", state.billingAssignment),
    ...quoted
  }
}

/**
 * How long around an instant, `[from, to)`, a policy in this state is shown the same: until its next
 * anniversary, or its start where it then waits for the first payment.
 */
export const shownBetween = (product: Product, state: PolicyState, whenAt: Instant) => {
  const { after, before = origin } = renewalsAround(product, state, whenAt)
  const { startedAt } = state
  return startedAt <= whenAt
    ? { from: max(before, startedAt), to: after }
    : { from: before, to: min(after, startedAt) }
}

/** An optional member: there when its value is. */
const present = <K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } =>
  // A computed key widens to an index signature.
  (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: V }
