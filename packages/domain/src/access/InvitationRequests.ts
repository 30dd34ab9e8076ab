/** What requests about invitations say. */
import { Schema } from "effect"
import { longestPassword } from "../tokens/Password.ts"
import { Email } from "../values/Email.ts"
import { CustomerId } from "../values/Ids.ts"
import { InstantFromString } from "../values/Instant.ts"
import { Text } from "../values/Text.ts"
import { GivenGrant, maximumGrants } from "./Grant.ts"
import { LinkSecret } from "./Invitation.ts"

const permissions = Schema.Array(GivenGrant).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(maximumGrants)
)

/** For a customer alone: a policyholder's permissions on each of the customer's policies. */
export const CreateInvitation = Schema.Struct({
  email: Email,
  firstName: Schema.optionalKey(Text),
  lastName: Schema.optionalKey(Text),
  customerId: Schema.optionalKey(CustomerId),
  permissions: Schema.optionalKey(permissions),
  /** In real time; a week from now unless it is said, thirty days at the most. */
  expiresAt: Schema.optionalKey(InstantFromString)
})
  .check(
    Schema.makeFilter(
      ({ customerId, permissions }) => customerId !== undefined || permissions !== undefined,
      { message: "Expected `permissions`, or a `customerId` whose policies they are for" }
    )
  )
  .annotate({ identifier: "CreateInvitation" })
export type CreateInvitation = typeof CreateInvitation.Type

/** With `account` a visitor becomes a user, who has what the session had. */
export const AcceptInvitation = Schema.Struct({
  token: Schema.RedactedFromValue(LinkSecret),
  account: Schema.optionalKey(
    Schema.Struct({
      password: Schema.RedactedFromValue(Schema.String.check(Schema.isMaxLength(longestPassword))),
      firstName: Schema.optionalKey(Text),
      lastName: Schema.optionalKey(Text)
    })
  )
}).annotate({ identifier: "AcceptInvitation" })
export type AcceptInvitation = typeof AcceptInvitation.Type
