/** What requests about signatures say. */
import { Schema } from "effect"
import { UserId } from "../requests/Caller.ts"
import { Duration } from "../values/Duration.ts"
import { Email } from "../values/Email.ts"
import { CustomerId, SignerId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { Text } from "../values/Text.ts"

/** Who signs, where the record of a customer does not say it: the person who acts for a company, say. */
const NamedSigner = Schema.Struct({
  /** A customer of the policy who signs by the product. */
  customerId: Schema.optionalKey(CustomerId),
  /** Who signs for those who sell, where it is not who asks. */
  userId: Schema.optionalKey(UserId),
  firstName: Schema.optionalKey(Text),
  lastName: Schema.optionalKey(Text),
  email: Schema.optionalKey(Email),
  phone: Schema.optionalKey(Text)
})
  .check(
    Schema.makeFilter(
      ({ customerId, userId }) => (customerId === undefined) !== (userId === undefined),
      { message: "Expected either `customerId` or `userId`" }
    )
  )
  .annotate({ identifier: "NamedSigner" })
export type NamedSigner = typeof NamedSigner.Type

export const RequestSignature = Schema.Struct({
  signers: Schema.optionalKey(Schema.Array(NamedSigner).check(Schema.isMaxLength(50))),
  /** At most as long as the product says. */
  expiresIn: Schema.optionalKey(Duration),
  /** What the signers are told beside what is signed. */
  message: Schema.optionalKey(Text)
}).annotate({ identifier: "RequestSignature" })
export type RequestSignature = typeof RequestSignature.Type

export const CancelSignature = Schema.Struct({ reason: Text }).annotate({
  identifier: "CancelSignature"
})
export type CancelSignature = typeof CancelSignature.Type

/** How a signer is reached, where it was wrong; the rest stays. Their name stands in what is signed. */
export const CorrectSigner = Schema.Struct({
  email: Schema.optionalKey(Email),
  phone: Schema.optionalKey(Text)
})
  .check(
    Schema.makeFilter((members) => Object.keys(members).length > 0, {
      message: "Expected at least one member"
    })
  )
  .annotate({ identifier: "CorrectSigner" })
export type CorrectSigner = typeof CorrectSigner.Type

export const RemindSigners = Schema.Struct({
  /** All whose turn it is, unless one is named. */
  signerId: Schema.optionalKey(SignerId)
}).annotate({ identifier: "RemindSigners" })
export type RemindSigners = typeof RemindSigners.Type

/** A link for a program to give to a signer, which ends with the signature. */
export const SignerLink = Schema.Struct({
  signerId: SignerId,
  url: Schema.String,
  expiresAt: Instant
}).annotate({ identifier: "SignerLink" })
export type SignerLink = typeof SignerLink.Type
