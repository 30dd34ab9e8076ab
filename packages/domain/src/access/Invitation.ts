/** Letters with a link that lets somebody in: to grants, to an account of his own, to a new password. */
import { Schema } from "effect"
import { CustomerId, Email } from "../customers/Customer.ts"
import { Grant } from "./Grant.ts"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"

export const InvitationId = PrefixedId.schema("invitation")
export type InvitationId = typeof InvitationId.Type

/** What the link of a letter is for: grants; the first password of an account; another one. */
export const LinkPurpose = Schema.Literals(["INVITATION", "WELCOME", "PASSWORD_RESET"])
export type LinkPurpose = typeof LinkPurpose.Type

export const InvitationStatus = Schema.Literals(["PENDING", "ACCEPTED", "EXPIRED", "REVOKED"])
export type InvitationStatus = typeof InvitationStatus.Type

/** Grants for whoever reads the mail of an address. Its secret is in the mail alone. */
export const Invitation = Schema.Struct({
  id: InvitationId,
  email: Email,
  firstName: Schema.optionalKey(Schema.String),
  lastName: Schema.optionalKey(Schema.String),
  /** The customer that it is for: a session of another customer can't accept it. */
  customerId: Schema.optionalKey(CustomerId),
  permissions: Schema.Array(Grant),
  status: InvitationStatus,
  createdAt: Instant,
  expiresAt: Instant
}).annotate({ identifier: "Invitation" })
export type Invitation = typeof Invitation.Type

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

/** Letters that somebody may have sent to one address, whoever asks for them. */
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

/** A session belongs to one customer at most. */
export class SessionLinked extends Schema.TaggedError<SessionLinked>()("SessionLinked", {}) {
  override get message() {
    return "This session belongs to another customer; start a new one and accept the invitation with it."
  }
}
