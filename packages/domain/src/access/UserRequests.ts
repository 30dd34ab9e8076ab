/** What requests about people say. */
import { Schema } from "effect"
import { Email } from "../values/Email.ts"
import { BrokerageFirmId } from "../values/Ids.ts"
import { QueryString, Text } from "../values/Text.ts"
import { UserStatus } from "./User.ts"

/** Without a firm only grants on the tenant, or on the user themselves, cover the user. */
export const CreateUser = Schema.Struct({
  email: Email,
  firstName: Text,
  lastName: Text,
  brokerRole: Schema.optionalKey(Text),
  brokerageFirmId: Schema.optionalKey(BrokerageFirmId)
}).annotate({ identifier: "CreateUser" })
export type CreateUser = typeof CreateUser.Type

/** A merge patch (RFC 7396). The address of the sign-in can't be changed. */
export const PatchUser = Schema.Struct({
  firstName: Schema.optionalKey(Text),
  lastName: Schema.optionalKey(Text),
  brokerRole: Schema.optionalKey(Schema.NullOr(Text)),
  brokerageFirmId: Schema.optionalKey(Schema.NullOr(BrokerageFirmId))
}).annotate({ identifier: "PatchUser" })
export type PatchUser = typeof PatchUser.Type

/** Which users a list is of. */
export const ListUsers = Schema.Struct({
  brokerageFirmId: Schema.optionalKey(BrokerageFirmId),
  statuses: Schema.optionalKey(Schema.Array(UserStatus).check(Schema.isMaxLength(100))),
  queryString: Schema.optionalKey(QueryString)
})
export type ListUsers = typeof ListUsers.Type

/** Longer than any password, so that its own rules say what is wrong with one that is too long. */
const Password = Schema.RedactedFromValue(Schema.String.check(Schema.isMaxLength(4096)))

export const ChangePassword = Schema.Struct({
  presentPassword: Password,
  newPassword: Password
}).annotate({ identifier: "ChangePassword" })
export type ChangePassword = typeof ChangePassword.Type
