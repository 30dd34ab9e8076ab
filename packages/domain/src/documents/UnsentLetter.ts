/** Letters about documents that have not left: those that wait, and those that never will. */
import { Schema } from "effect"
import { normalizeEmail } from "../access/User.ts"
import type { DocumentTrigger } from "../products/documents/DocumentDefinition.ts"
import type { BranchType } from "../products/ProductTerms.ts"
import type { RateLimit } from "../requests/RateLimit.ts"
import { CustomerId } from "../values/Ids.ts"

export const NotSentReason = Schema.Literals([
  /** The address has had as many letters that visitors can cause as it may get in a day. */
  "LIMIT",
  /** The customer has no e-mail address. */
  "NO_ADDRESS",
  /** The mail server says that there is no such address. */
  "ADDRESS",
  /** It was tried ten times. */
  "TRIES"
])
export type NotSentReason = typeof NotSentReason.Type

export const UnsentLetter = Schema.Struct({
  customerId: CustomerId,
  status: Schema.Literals(["WAITING", "NOT_SENT"]),
  /** Why it does not leave; absent while it waits. */
  reason: Schema.optionalKey(NotSentReason),
  /** How often it was tried. */
  attempts: Schema.Int
}).annotate({ identifier: "UnsentLetter" })
export type UnsentLetter = typeof UnsentLetter.Type

/** Letters that visitors can cause, as many as an address may get within a day of the tenant's time. */
export const lettersOfAddress: RateLimit = { limit: 20, windowSeconds: 86_400 }

const offers: ReadonlySet<DocumentTrigger> = new Set(["QUOTED", "CONFIRMED", "SIGNED"])

/**
 * Whether visitors can cause letters of a trigger as often as they like, to an address that they have typed in. What
 * the service or the house offers of itself, and what is about cover in force, is limited by none: the law may want it by a day.
 */
export const isOfOffer = (trigger: DocumentTrigger, branchType: BranchType): boolean =>
  offers.has(trigger) && (branchType === "NEW_BUSINESS" || branchType === "MTA")

/** The mailbox of an address: what stands behind a `+` is delivered to the same one. */
export const mailboxOf = (email: string): string => {
  const address = normalizeEmail(email)
  const at = address.lastIndexOf("@")
  const [mailbox] = address.slice(0, at).split("+")
  return mailbox === "" ? address : `${mailbox}${address.slice(at)}`
}
