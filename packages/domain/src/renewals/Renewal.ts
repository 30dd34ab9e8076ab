/** The end of a policy's term: what is offered for the next one, and what happens when it comes. */
import type { Branch, InvalidationReason } from "../policies/Branch.ts"
import type { Instant } from "../values/Instant.ts"
import { max } from "../values/Instant.ts"
import { addDays } from "../values/LocalDate.ts"
import type { Draft } from "../policies/PolicyCommands.ts"
import type { PolicyState } from "../policies/PolicyState.ts"
import { termEnd } from "../policies/PolicyView.ts"
import type { Product } from "../products/Product.ts"
import { localDate, startOfDay } from "../values/TimeZone.ts"
import type { BranchId } from "../values/Ids.ts"

/** The next step of a policy's renewal, and when it is due. */
export type RenewalStep =
  /** A branch is opened with the product's current version, and quoted. */
  | { readonly kind: "OPEN"; readonly dueAt: Instant; readonly effectiveAt: Instant }
  /** What was offered takes effect: tacitly, or because it was accepted. */
  | { readonly kind: "MERGE"; readonly dueAt: Instant; readonly branchId: BranchId }
  /** The policy ends with its term. */
  | { readonly kind: "END"; readonly dueAt: Instant; readonly reason: string }

/** A branch as far as renewal depends on it. */
export type RenewalBranch = Pick<Branch, "id" | "branchType" | "status" | "stage"> & {
  readonly effectiveAt: Instant | null
  readonly invalidationReason: InvalidationReason | null
  /** Whether the worker opened it. */
  readonly own: boolean
  /** Whether it is the worker's own, at the price at which that would offer it. */
  readonly asOffered: boolean
}

/**
 * The next step at the end of the agreed term; none for a policy that is not signed, or stops by then. An
 * offer is merged early enough to issue the first invoice of the new term on its planned day. An accepted
 * offer comes first, else tacitly the worker's own. The worker makes its offer once more where the first was
 * changed. A refusal, of a renewal in any mode, ends the policy with its term.
 */
export const nextRenewalStep = (
  product: Product,
  state: PolicyState,
  branches: ReadonlyArray<RenewalBranch>
): RenewalStep | undefined => {
  const { endedAt, signedAt } = state
  if (signedAt === undefined) return undefined
  const { invoicing, reasons, renewal } = product
  const effectiveAt = termEnd(product, state)
  // What stops later has cover, and a price, until then.
  if (endedAt !== undefined && endedAt <= effectiveAt) return undefined
  const end = (reason: string) => ({ kind: "END", dueAt: effectiveAt, reason }) as const
  if (renewal.mode === "NEVER") return end(reasons.expired)
  const offers = branches.filter(
    (branch) => branch.branchType === "RENEWAL" && branch.effectiveAt === effectiveAt
  )
  const open = offers.filter(({ status }) => status === "OPEN")
  const accepted = offers.findLast(isAccepted)
  if (accepted === undefined && renewal.mode === "ON_ACCEPTANCE" && open.length > 0) {
    return end(reasons.expired)
  }
  const offer = accepted ?? open.findLast(({ asOffered }) => asOffered)
  if (offer !== undefined) {
    const dueAt = daysBefore(product, effectiveAt, invoicing.issueLeadDays)
    return { kind: "MERGE", dueAt, branchId: offer.id }
  }
  if (offers.some(isRefused)) return end(reasons.renewalRefused)
  const dueAt = max(daysBefore(product, effectiveAt, renewal.openDaysBefore), signedAt)
  return { kind: "OPEN", dueAt, effectiveAt }
}

/** It was accepted; one that was merged, then hidden by a stop that was reverted, still counts. */
const isAccepted = ({ stage, status }: RenewalBranch): boolean =>
  status === "MERGED" || (status === "OPEN" && stage === "CONFIRMED")

/** A refusal of the renewal itself; who does not want a variant may still want what the worker offered. */
const isRefused = ({ invalidationReason, own, status }: RenewalBranch): boolean =>
  status === "INVALIDATED" &&
  (invalidationReason === "RENEWAL_REFUSED" || (own && invalidationReason === "CUSTOMER_REQUEST"))

/** 00:00 of the local day so many days before that of an instant; 0: the instant itself. */
const daysBefore = ({ timeZone }: Product, instant: Instant, days: number): Instant =>
  days === 0 ? instant : startOfDay(addDays(localDate(instant, timeZone), -days), timeZone)

/** The next term under a version of the product. */
export const renew = (state: PolicyState, effectiveAt: Instant, productVersion: string): Draft => ({
  kind: "RENEW",
  effectiveAt,
  patch: [
    { path: "/terms", value: (state.terms ?? 1) + 1 },
    { path: "/productVersion", value: productVersion }
  ]
})
