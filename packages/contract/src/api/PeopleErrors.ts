/** The part of the error table about people and programs: who they are, and what they may do. */
import * as Client from "@quittance/domain/access/Client"
import * as Customer from "@quittance/domain/customers/Customer"
import * as Grant from "@quittance/domain/access/Grant"
import * as Invitation from "@quittance/domain/access/Invitation"
import * as Password from "@quittance/domain/tokens/Password"
import * as Role from "@quittance/domain/access/Role"
import * as User from "@quittance/domain/access/User"
import { wireError } from "../requests/WireError.ts"

export const peopleErrors = {
  CustomerAlreadyOnPolicy: wireError(
    Customer.CustomerAlreadyOnPolicy,
    409,
    "CUSTOMER_ALREADY_ON_POLICY",
    "The customer is on the policy already."
  ),
  CustomerNeeded: wireError(
    Customer.CustomerNeeded,
    409,
    "CUSTOMER_NEEDED",
    "The customer is the last confirmed policyholder of a signed policy, or pays for it."
  ),
  RoleInUse: wireError(
    Role.RoleInUse,
    409,
    "ROLE_IN_USE",
    "The role is granted to somebody; `details.grants` says how often."
  ),
  LastManager: wireError(
    Grant.LastManager,
    409,
    "LAST_MANAGER",
    "Nobody could give permissions on the whole tenant any more."
  ),
  InvitationClosed: wireError(
    Invitation.InvitationClosed,
    409,
    "INVITATION_CLOSED",
    "The invitation was accepted or withdrawn, and can't be sent again."
  ),
  SessionLinked: wireError(
    Invitation.SessionLinked,
    409,
    "SESSION_LINKED",
    "The anonymous session speaks for another customer than the invitation is for."
  ),
  WeakPassword: wireError(
    Password.WeakPassword,
    422,
    "WEAK_PASSWORD",
    "The password is too short, too long, too common, or made of the address."
  ),
  EmailTaken: wireError(
    User.EmailTaken,
    409,
    "EMAIL_TAKEN",
    "Another user of the tenant signs in with this address."
  ),
  OwnAccount: wireError(
    User.OwnAccount,
    409,
    "OWN_ACCOUNT",
    "Nobody disables himself, and no client deletes itself."
  ),
  ClientIdTaken: wireError(
    Client.ClientIdTaken,
    409,
    "CLIENT_ID_TAKEN",
    "There is a client with this identifier, or there was one."
  ),
  TooManySecrets: wireError(
    Client.TooManySecrets,
    409,
    "TOO_MANY_SECRETS",
    "The client has as many secrets as it may have; a public one may have none."
  ),
  LastSecret: wireError(
    Client.LastSecret,
    409,
    "LAST_SECRET",
    "Without this secret the client could get no token any more."
  )
}
