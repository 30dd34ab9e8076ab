/** Mails with a one-time link: to accept grants, to open an account, or to set a new password. */
import { Schema } from "effect"
import { Grant } from "./Grant.ts"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { CustomerId } from "../values/Ids.ts"
import { StoredEmail } from "../values/Email.ts"

export const InvitationId = PrefixedId.schema("invitation")
export type InvitationId = typeof InvitationId.Type

/** What the link of a letter is for: grants; the first password of an account; another one. */
export const LinkPurpose = Schema.Literals(["INVITATION", "WELCOME", "PASSWORD_RESET"])
export type LinkPurpose = typeof LinkPurpose.Type

export const InvitationStatus = Schema.Literals(["PENDING", "ACCEPTED", "EXPIRED", "REVOKED"])
export type InvitationStatus = typeof InvitationStatus.Type

/** Why a mail was not sent: its address can't receive mail, or no mail server accepted it. */
export const LetterFailure = Schema.Literals(["ADDRESS", "TRANSPORT"])
export type LetterFailure = typeof LetterFailure.Type

/**
 * The state of an invitation's mail. `WAITING`: it will be sent, and is retried after a failure. `SENT`: a
 * mail server accepted it, which does not prove that it arrived. `FAILED`: it was not sent and is not
 * retried.
 */
export const InvitationLetter = Schema.Struct({
  state: Schema.Literals(["WAITING", "SENT", "FAILED"]),
  /** Why the last try has failed. */
  reason: Schema.optionalKey(LetterFailure),
  /** What to do next, in a sentence. */
  nextStep: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "InvitationLetter" })
export type InvitationLetter = typeof InvitationLetter.Type

/** Grants for the person who reads the mail of an address. Its secret is in the mail alone. */
export const Invitation = Schema.Struct({
  id: InvitationId,
  email: StoredEmail,
  firstName: Schema.optionalKey(Schema.String),
  lastName: Schema.optionalKey(Schema.String),
  /** The customer that it is for: a session of another customer can't accept it. */
  customerId: Schema.optionalKey(CustomerId),
  permissions: Schema.Array(Grant),
  status: InvitationStatus,
  /** Of an invitation that is open, or whose letter did not leave before it expired. */
  letter: Schema.optionalKey(InvitationLetter),
  createdAt: Instant,
  expiresAt: Instant
}).annotate({ identifier: "Invitation" })
export type Invitation = typeof Invitation.Type

/** A letter that has not left. */
export interface UnsentLetter {
  readonly hasFailed: boolean
  /** Why it could not leave; `null` before the first try. */
  readonly failure: LetterFailure | null
}

const nextSteps = {
  ADDRESS:
    "No mail can be sent to this address: withdraw this invitation and invite the right one.",
  TRANSPORT:
    "No mail server accepted the letter: send it again once the operator of the service has mended that."
} as const satisfies Record<LetterFailure, string>

/**
 * How far the letter of an invitation is, from what is left to send; `undefined` where it no longer
 * matters, or where that it left can't be told from that it was dropped.
 */
export const letterOf = (
  status: InvitationStatus,
  unsent: UnsentLetter | null
): InvitationLetter | undefined => {
  if (status === "ACCEPTED" || status === "REVOKED") return undefined
  if (unsent === null) return status === "PENDING" ? { state: "SENT" } : undefined
  const reason = unsent.failure === null ? {} : { reason: unsent.failure }
  if (!unsent.hasFailed) return { state: "WAITING", ...reason }
  return { state: "FAILED", ...reason, nextStep: nextSteps[unsent.failure ?? "TRANSPORT"] }
}

/** The secret of a link, as it stands in a letter. */
export const LinkSecret = Schema.String.check(
  Schema.isPattern(/^[\w-]{43}$/u, {
    message: "Expected the 43 characters of an invitation's link"
  })
)

/** Seconds, in real time. */
export const linkLifetimes = {
  INVITATION: 7 * 86_400,
  WELCOME: 7 * 86_400,
  PASSWORD_RESET: 30 * 60
} as const satisfies Record<LinkPurpose, number>

/** The longest that an invitation may be open. */
export const longestInvitation = 30 * 86_400

/** Wrong links that an address may try. */
export const wrongLinkLimit = { limit: 20, windowSeconds: 60 }

/** How many mails may be sent to one address, over all who request them. */
export const letterLimit = { limit: 5, windowSeconds: 3600 }

/** The path, or the link of a letter, leads to no invitation that can still be used. */
export class InvitationNotFound extends Schema.TaggedError<InvitationNotFound>()(
  "InvitationNotFound",
  { invitationId: Schema.optionalKey(InvitationId) }
) {
  override get message() {
    return this.invitationId === undefined
      ? "The link has been used, withdrawn, or has expired; ask for a new invitation."
      : `Invitation ${this.invitationId} does not exist; list the invitations.`
  }
}

/** An invitation that was accepted or withdrawn stays as it is. */
export class InvitationClosed extends Schema.TaggedError<InvitationClosed>()("InvitationClosed", {
  status: InvitationStatus
}) {
  override get message() {
    return "The invitation was accepted or withdrawn already; make a new one."
  }
}

/**
 * Whether an anonymous session may hold these grants: a policyholder's, on records alone. Every other grant
 * needs an account with a name and a password.
 */
export const isForSession = (grants: ReadonlyArray<Grant>): boolean =>
  grants.every(({ on, role }) => role === "POLICYHOLDER" && on.kind === "RECORD")

/** An anonymous session can't take what the invitation gives: it gives more than a policyholder has. */
export class AccountRequired extends Schema.TaggedError<AccountRequired>()("AccountRequired", {}) {
  override get message() {
    return "This invitation is for an account: accept it with `account`, signed in, or on the page that its letter links to."
  }
}

/** A session belongs to one customer at most. */
export class SessionLinked extends Schema.TaggedError<SessionLinked>()("SessionLinked", {}) {
  override get message() {
    return "This session belongs to another customer; start a new one and accept the invitation with it."
  }
}
