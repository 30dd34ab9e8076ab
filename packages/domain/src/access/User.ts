import { Schema } from "effect"
import { UserId } from "../requests/Caller.ts"
import { Instant } from "../values/Instant.ts"
import { BrokerageFirmId } from "../values/Ids.ts"
import { StoredEmail } from "../values/Email.ts"

/**
 * Who is invited has no password yet and can't sign in. Neither can a disabled user, and tokens issued
 * before stop counting; enabled again, they are what they were before.
 */
export const UserStatus = Schema.Literals(["INVITED", "ACTIVE", "DISABLED"])
export type UserStatus = typeof UserStatus.Type

/** A person who signs in. Grants define what they may do. */
export const User = Schema.Struct({
  id: UserId,
  email: StoredEmail,
  firstName: Schema.NonEmptyString,
  lastName: Schema.NonEmptyString,
  brokerRole: Schema.optionalKey(Schema.String),
  brokerageFirmId: Schema.optionalKey(BrokerageFirmId),
  status: UserStatus,
  createdAt: Instant
}).annotate({ identifier: "User" })
export type User = typeof User.Type

/** E-mail addresses are compared in lower case, and kept so. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase()

/** The address is the name a user signs in with, so a tenant has it once. */
export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", {
  email: Schema.String
}) {
  override get message() {
    return `Another user of this tenant signs in as ${this.email}; choose another address.`
  }
}

/** Users can't lock themselves out. */
export class OwnAccount extends Schema.TaggedError<OwnAccount>()("OwnAccount", {}) {
  override get message() {
    return "This is the account you are signed in with; ask another manager to end it."
  }
}
