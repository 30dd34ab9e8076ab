/** The events of people, brokerage firms, clients, roles and invitations. */
import { type EventType, namedRecordEventType, recordEventType } from "../requests/Event.ts"
import { UserId } from "../requests/Caller.ts"
import { BrokerageFirmId } from "../values/Ids.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { NamedClientId } from "./Client.ts"
import { CustomRoleId } from "./Grant.ts"
import { InvitationId } from "./Invitation.ts"

/** Some clients have an identifier of the service's, others a name chosen for them. */
const client = {
  name: "clientId",
  id: NamedClientId,
  subject: (id: string) => (PrefixedId.prefixOf(id) === "client" ? id : `client:${id}`)
}

const role = { name: "roleId", id: CustomRoleId, subject: (id: string) => `role:${id}` }

export const accessEvents = {
  "user.create": recordEventType("user.created", "userId", UserId),
  "user.update": recordEventType("user.updated", "userId", UserId),
  "user.disable": recordEventType("user.disabled", "userId", UserId),
  "user.enable": recordEventType("user.enabled", "userId", UserId),
  "user.password.set": recordEventType("user.password_set", "userId", UserId),
  "user.factor.add": recordEventType("user.second_factor_added", "userId", UserId),
  "user.factor.remove": recordEventType("user.second_factor_removed", "userId", UserId),
  "user.factors.reset": recordEventType("user.second_factor_reset", "userId", UserId),
  "user.identity.link": recordEventType("user.identity_linked", "userId", UserId),
  "permission.replace": recordEventType("user.permissions_replaced", "userId", UserId),
  "firm.create": recordEventType("brokerage_firm.created", "brokerageFirmId", BrokerageFirmId),
  "firm.update": recordEventType("brokerage_firm.updated", "brokerageFirmId", BrokerageFirmId),
  "client.create": namedRecordEventType("client.created", client),
  "client.remove": namedRecordEventType("client.removed", client),
  "client.secret.add": namedRecordEventType("client.secret_added", client),
  "client.secret.remove": namedRecordEventType("client.secret_removed", client),
  "client.keys.replace": namedRecordEventType("client.keys_replaced", client),
  "role.put": namedRecordEventType("role.defined", role),
  "role.remove": namedRecordEventType("role.removed", role),
  "invitation.create": recordEventType("invitation.created", "invitationId", InvitationId),
  "invitation.resend": recordEventType("invitation.resent", "invitationId", InvitationId),
  "invitation.revoke": recordEventType("invitation.revoked", "invitationId", InvitationId),
  "invitation.accept": recordEventType("invitation.accepted", "invitationId", InvitationId)
} satisfies Record<string, EventType>
