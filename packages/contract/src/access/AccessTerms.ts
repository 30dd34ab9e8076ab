/** What the members of firms, users, invitations and permissions mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id, exampleSecret } from "../requests/Examples.ts"

export const accessTerms = {
  "BrokerageFirm.id": "The brokerage firm, by its identifier.",
  "BrokerageFirm.name": "The name of the firm.",
  "CreateFirm.name": "The name of the firm; at most 200 characters.",
  "PatchFirm.name": "The name of the firm; at most 200 characters.",
  firmType: "A wholesaler sells through other firms, a retailer to customers.",
  "BrokerageFirm.parentBrokerageFirmId": "The parent firm; absent if there is none.",
  "CreateFirm.parentBrokerageFirmId": "The parent firm; absent: none.",
  "PatchFirm.parentBrokerageFirmId": "The parent firm; `null`: none.",
  "BrokerageFirm.customFields": "Further facts about the firm, each key once.",
  "CreateFirm.customFields": "Further facts about the firm, each key once.",
  "PatchFirm.customFields":
    "Further facts to set, by key; those that are not named stay as they are.",
  "FirmTreeTooDeep.details.maximum": "How many levels of firms are allowed.",
  "details.brokerageFirmId": "The brokerage firm that the tenant does not have.",
  "User.id": "The user, by their identifier.",
  "User.email": "The address that the user signs in with, in lower case.",
  "CreateUser.email": "The address that the user signs in with; it stays theirs.",
  firstName: "The first name.",
  lastName: "The last name.",
  "User.brokerRole":
    "The user's position in their firm, for people to read; it gives no permission.",
  "CreateUser.brokerRole":
    "The user's position in their firm, for people to read; it gives no permission.",
  "PatchUser.brokerRole":
    "The user's position in their firm, for people to read; `null` removes it.",
  "User.brokerageFirmId": "The firm that the user belongs to; absent: none.",
  "CreateUser.brokerageFirmId": "The firm that the user belongs to; absent: none.",
  "PatchUser.brokerageFirmId": "The firm that the user joins; `null`: none.",
  "User.status": "An `INVITED` user has no password yet; a `DISABLED` one can't sign in.",
  userId: "The user, by their identifier.",
  "details.userId": "The user that the tenant does not have; absent where the caller is no user.",
  "EmailTaken.details.email": "The address that another user signs in with.",
  permissions: "One role on one target each.",
  "CreateInvitation.permissions":
    "The permissions of the user who accepts; absent: a policyholder's permissions on the customer's policies.",
  "ReplacePermissions.permissions": "The whole set; permissions that are not in it are removed.",
  "AccountInformation.permissions": "The person's permissions; absent for a client.",
  "Grant.role": "The role, built in or of the tenant's own.",
  "GivenGrant.role": "The role, built in or of the tenant's own.",
  "PermissionExplanation.grants.role": "The role, built in or of the tenant's own.",
  on: "The scope of the role: the tenant, a firm or a record.",
  "on.kind": "Whether it holds on the whole tenant, on a firm and all below it, or on one record.",
  "on.brokerageFirmId": "The firm on which the role holds, with all below it.",
  "on.recordId": "The record on which the role is granted, with all records that belong to it.",
  "Role.id": "The role, by its identifier.",
  "Role.name": "The name of the role.",
  "PutRole.name": "The name of the role; at most 200 characters.",
  actions: "The actions that the role allows, as verbs by area.",
  "Role.authority": "The authority of people with the role; absent: none.",
  "PutRole.authority":
    "The authority of people with the role; absent: none. The caller needs as much.",
  "PermissionExplanation.authority": "The authority of the grants that allow it; absent: none.",
  unlimited: "Present where there is no limit.",
  "Authority.payout":
    "The most that is paid out or approved alone, by currency and in minor units.",
  "Authority.claimReserve":
    "The most that a claim is reserved for alone, by currency and in minor units.",
  "Authority.claimPayment":
    "The most that is paid on a claim alone, by currency and in minor units.",
  "Authority.derogations": "The exceptions to rules that may be granted.",
  "ExplainedAuthority.payout":
    "The most that is paid out or approved alone, by currency and in minor units.",
  "ExplainedAuthority.claimReserve":
    "The most that a claim is reserved for alone, by currency and in minor units.",
  "ExplainedAuthority.claimPayment":
    "The most that is paid on a claim alone, by currency and in minor units.",
  "ExplainedAuthority.derogations": "The exceptions to rules that may be granted.",
  "DerogationAuthority.kind":
    "The kind of exception: from a rule of the product, a discount, a fee or a date.",
  "DerogationAuthority.ruleId": "The rule of the product; absent: every rule.",
  "DerogationAuthority.productIds": "The products; absent: every product.",
  "DerogationAuthority.atMost": "The largest value that may be granted; absent: without a bound.",
  "DerogationAuthority.atLeast": "The smallest value that may be granted; absent: without a bound.",
  "DerogationAuthority.eyes": "How many people have to agree.",
  "limit.kind": "The kind of exception: from a rule of the product, a discount, a fee or a date.",
  "limit.ruleId": "The rule of the product; absent: every rule.",
  "limit.productIds": "The products; absent: every product.",
  "limit.atMost": "The largest value that may be granted; absent: without a bound.",
  "limit.atLeast": "The smallest value that may be granted; absent: without a bound.",
  "limit.eyes": "How many people have to agree.",
  "needed.kind": "The kind of exception: from a rule of the product, a discount, a fee or a date.",
  "needed.ruleId": "The rule of the product; absent: every rule.",
  "needed.productIds": "The products; absent: every product.",
  "needed.atMost": "The largest value that may be granted; absent: without a bound.",
  "needed.atLeast": "The smallest value that may be granted; absent: without a bound.",
  "needed.eyes": "How many people have to agree.",
  "AuthorityExceeded.details.authority": "Which authority does not reach.",
  "AuthorityExceeded.details.currency": "The currency of the amounts; absent for exceptions.",
  "AuthorityExceeded.details.limit":
    "The limit of the caller's authority: an amount in minor units, or the exceptions of the kind.",
  "AuthorityExceeded.details.needed":
    "The authority that would be needed; absent: without a limit.",
  builtIn: "Whether every tenant has the role; such a role can't be changed.",
  roles: "The built-in roles and those of the tenant's own.",
  "details.roleId": "The role that the error is about.",
  "RoleInUse.details.grants": "How many grants name the role.",
  "ActionsByArea.policy": "Actions on policies.",
  "ActionsByArea.compliance": "Actions on the proof of the duties before a sale.",
  "ActionsByArea.quote": "Actions on quotes.",
  "ActionsByArea.customer": "Actions on customers.",
  "ActionsByArea.asset": "Actions on assets.",
  "ActionsByArea.document": "Actions on documents that customers see.",
  "ActionsByArea.internalDocument": "Actions on documents that customers don't see.",
  "ActionsByArea.template": "Actions on templates of documents.",
  "ActionsByArea.signature": "Actions on signatures.",
  "ActionsByArea.branch": "Actions on branches.",
  "ActionsByArea.billing": "Actions on invoices, charges and the ledger.",
  "ActionsByArea.payment": "Actions on payments and refunds.",
  "ActionsByArea.accounting": "Actions on the accounting summary.",
  "ActionsByArea.firm": "Actions on brokerage firms.",
  "ActionsByArea.user": "Actions on users.",
  "ActionsByArea.permission": "Actions on roles and permissions.",
  "ActionsByArea.invitation": "Actions on invitations.",
  "ActionsByArea.client": "Actions on clients.",
  "ActionsByArea.product": "Actions on products.",
  "ActionsByArea.audit": "Actions on the audit trail.",
  "ActionsByArea.webhook": "Actions on webhooks.",
  "ActionsByArea.event": "Actions on the feed of events.",
  "ActionsByArea.payment_method": "Actions on the payment methods of customers, and on mandates.",
  "ActionsByArea.collection": "Actions on bank statements and their entries.",
  "ActionsByArea.payout": "Actions on payouts, and on approvals of them.",
  "ActionsByArea.mandate": "Further actions on mandates.",
  "ActionsByArea.bank": "Actions on the bank accounts of the tenant.",
  "ActionsByArea.clock": "Actions on the test clock.",
  "ActionsByArea.privacy": "Actions on requests of persons about their data.",
  subject: "The subject of the question: a user or an anonymous session.",
  "PermissionExplanation.action": "The action.",
  record: "The record of the action; absent: the tenant as a whole.",
  "PermissionExplanation.allowed": "Whether they may.",
  "PermissionExplanation.grants": "The grants that allow it; empty where none does.",
  because: "Why the grant reaches the record.",
  "PermissionExplanation.reason": "Why it is allowed or refused, in a sentence.",
  "Invitation.id": "The invitation, by its identifier.",
  "Invitation.email": "The address that the letter goes to, in lower case.",
  "CreateInvitation.email": "The address that the letter goes to.",
  "Invitation.customerId":
    "The customer of the invitation; a session of another customer can't accept it.",
  "CreateInvitation.customerId":
    "The customer of the invitation; without `permissions` it gives their policies.",
  "Invitation.status": "Whether it can still be accepted.",
  letter: "The state of the letter; absent where that no longer matters or is not known.",
  "InvitationLetter.state":
    "`WAITING`: it is to leave. `SENT`: it was handed over. `FAILED`: it is tried no more.",
  "InvitationLetter.reason":
    "Why the last try failed: the address takes no mail, or no mail server accepted the message.",
  nextStep: "What to do next, in a sentence.",
  "Invitation.expiresAt": "When it expires, in real time and UTC.",
  "CreateInvitation.expiresAt":
    "When it expires, in real time; default: after a week, at most after thirty days.",
  "AcceptInvitation.token": "The secret of the letter's link, 43 characters.",
  account: "The account to be made; absent where a user or a session accepts.",
  password: "The password of the new account: at least 12 characters, at most 1,024.",
  presentPassword: "The password that is valid now.",
  newPassword: "The password from now on: at least 12 characters, at most 1,024.",
  "WeakPassword.details.reason":
    "Whether it is too short, too long, too common, or made of the address.",
  "details.invitationId": "The invitation that the tenant does not have.",
  "InvitationClosed.details.status": "The status of the invitation.",
  "AccountInformation.kind": "Whether a client, a user or an anonymous session asks.",
  "AccountInformation.id": "The caller, by identifier.",
  "AccountInformation.scopes": "The scopes of the client's token; absent for people."
}

/** What the parameters of this area mean. */
export const accessParameters: ParameterTerms = {
  "permissions.explain.action": { means: "The action." },
  "users.list.brokerageFirmId": { means: "Only users of this firm." },
  clientId: { means: "The client, by its identifier.", example: "acme-integration" },
  firmType: { means: "Only wholesalers, or only retailers.", example: "RETAIL" },
  invitationId: { means: "The invitation, by its identifier." },
  parentBrokerageFirmId: {
    means: "Only firms directly under this one.",
    example: id("brokerage_firm")
  },
  "firms.list.queryString": {
    means: "Words of which each begins a word of the firm's name; at most 200 characters."
  },
  "users.list.queryString": {
    means:
      "Words of which each begins a word of the user's name or e-mail address; at most 200 characters."
  },
  record: {
    means: "The record of the action; default: the tenant as a whole.",
    example: id("policy")
  },
  roleId: {
    means: "The role, by its identifier: 2 to 40 capital letters, digits and underscores.",
    example: "CLAIMS_DESK"
  },
  secretId: {
    means: "The secret, by the first 16 hexadecimal digits of its fingerprint.",
    example: "5feceb66ffc86f38"
  },
  signInId: { means: "The sign-in, by its identifier.", example: exampleSecret },
  "users.list.statuses": { means: "Only users in one of these statuses; at most 100." },
  subject: {
    means: "The user or anonymous session that is asked about; default: the caller.",
    example: id("user")
  },
  userId: { means: "The user, by their identifier.", example: id("user") }
}
