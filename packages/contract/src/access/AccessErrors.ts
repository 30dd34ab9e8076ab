/** The errors of the area access on the wire. The last argument of each shows its details. */
import * as Authority from "@quittance/domain/access/Authority"
import * as Client from "@quittance/domain/access/Client"
import * as Firm from "@quittance/domain/access/Firm"
import * as Grant from "@quittance/domain/access/Grant"
import * as Invitation from "@quittance/domain/access/Invitation"
import * as Role from "@quittance/domain/access/Role"
import * as User from "@quittance/domain/access/User"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const accessErrors = {
  InvitationNotFound: wireError(
    Invitation.InvitationNotFound,
    404,
    "INVITATION_NOT_FOUND",
    "The tenant has no such invitation, or the link of a letter can no longer be used: the answer is the same for one that was used, has expired, was withdrawn, or never was."
  ),
  AuthorityExceeded: wireError(
    Authority.AuthorityExceeded,
    403,
    "AUTHORITY_EXCEEDED",
    "The caller's roles do not reach so far alone, or would give authority that the caller does not have.",
    { authority: "payout", currency: "EUR", limit: 500_000, needed: 750_000 }
  ),
  BrokerageFirmNotFound: wireError(
    Firm.BrokerageFirmNotFound,
    404,
    "BROKERAGE_FIRM_NOT_FOUND",
    "The tenant has no such brokerage firm.",
    { brokerageFirmId: id("brokerage_firm") }
  ),
  ClientNotFound: wireError(
    Client.ClientNotFound,
    404,
    "CLIENT_NOT_FOUND",
    "The tenant has no such client, or it was deleted.",
    { clientId: "acme-integration" }
  ),
  ClientSecretNotFound: wireError(
    Client.ClientSecretNotFound,
    404,
    "CLIENT_SECRET_NOT_FOUND",
    "The client has no such secret.",
    { secretId: "5feceb66ffc86f38" }
  ),
  RoleNotFound: wireError(
    Role.RoleNotFound,
    404,
    "ROLE_NOT_FOUND",
    "The tenant has defined no such role.",
    { roleId: "CLAIMS_DESK" }
  ),
  RoleInUse: wireError(
    Role.RoleInUse,
    409,
    "ROLE_IN_USE",
    "The role is still granted; `details.grants` is the number of grants.",
    { roleId: "CLAIMS_DESK", grants: 3 }
  ),
  LastManager: wireError(
    Grant.LastManager,
    409,
    "LAST_MANAGER",
    "No user would remain who can give permissions on the whole tenant."
  ),
  InvitationClosed: wireError(
    Invitation.InvitationClosed,
    409,
    "INVITATION_CLOSED",
    "The invitation was accepted or withdrawn, and can't be sent again.",
    { status: "ACCEPTED" }
  ),
  AccountRequired: wireError(
    Invitation.AccountRequired,
    409,
    "ACCOUNT_REQUIRED",
    "The invitation gives more than an anonymous session may have.",
    {}
  ),
  SessionLinked: wireError(
    Invitation.SessionLinked,
    409,
    "SESSION_LINKED",
    "The anonymous session speaks for another customer than the invitation is for.",
    {}
  ),
  EmailTaken: wireError(
    User.EmailTaken,
    409,
    "EMAIL_TAKEN",
    "Another user of the tenant signs in with this address.",
    { email: "nora.lambert@example.org" }
  ),
  OwnAccount: wireError(
    User.OwnAccount,
    409,
    "OWN_ACCOUNT",
    "Users cannot disable themselves. Clients cannot delete themselves."
  ),
  ClientIdTaken: wireError(
    Client.ClientIdTaken,
    409,
    "CLIENT_ID_TAKEN",
    "There is a client with this identifier, or there was one.",
    { clientId: "acme-integration" }
  ),
  TooManySecrets: wireError(
    Client.TooManySecrets,
    409,
    "TOO_MANY_SECRETS",
    "The client or the webhook has as many secrets as it may have; a public client may have none, and no keys.",
    { maximum: 2 }
  ),
  LastSecret: wireError(
    Client.LastSecret,
    409,
    "LAST_SECRET",
    "Without this secret or key the client could get no token any more."
  ),
  FirmTreeTooDeep: wireError(
    Firm.FirmTreeTooDeep,
    422,
    "FIRM_TREE_TOO_DEEP",
    "The tree of firms would have too many levels.",
    { maximum: 20 }
  ),
  InternalScope: wireError(
    Client.InternalScope,
    422,
    "INTERNAL_SCOPE",
    "A scope is asked for that only applications of the service itself may hold.",
    { scopes: ["platform/permissions"] }
  )
} as const
