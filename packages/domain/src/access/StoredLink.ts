import type { Grant } from "./Grant.ts"
import type { InvitationId, InvitationStatus, LetterFailure, LinkPurpose } from "./Invitation.ts"
import type { UserId } from "../requests/Caller.ts"
import type { CustomerId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"

/** The link of a letter as it is stored, and what it is for. */
export interface StoredLink {
  readonly id: typeof InvitationId.Type
  readonly purpose: LinkPurpose
  readonly email: string
  readonly firstName: string | null
  readonly lastName: string | null
  readonly userId: UserId | null
  readonly customerId: CustomerId | null
  readonly permissions: ReadonlyArray<Grant>
  readonly invitedBy: string
  readonly status: InvitationStatus
  /** Its letter, while that has not left. */
  readonly letter: { readonly hasFailed: boolean; readonly failure: LetterFailure | null } | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
}
