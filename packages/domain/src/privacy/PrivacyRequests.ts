/** What requests about the rights of persons say. */
import { Schema } from "effect"
import { CustomerId } from "../values/Ids.ts"
import { InstantFromString } from "../values/Instant.ts"
import { PrivacyOutcome, PrivacyRequestKind } from "./PrivacyRequest.ts"

const reasonText = Schema.String.check(
  Schema.isPattern(/\S/u, { message: "Expected a text that is not blank" }),
  Schema.isMaxLength(2000)
)

export const CreatePrivacyRequest = Schema.Struct({
  kind: PrivacyRequestKind,
  customerIds: Schema.NonEmptyArray(CustomerId).check(Schema.isMaxLength(20), Schema.isUnique()),
  /** When the person has asked, for letters that were opened later; now unless it is said. */
  receivedAt: Schema.optionalKey(InstantFromString)
}).annotate({ identifier: "CreatePrivacyRequest" })
export type CreatePrivacyRequest = typeof CreatePrivacyRequest.Type

/** How it was made sure that the person themselves asks. */
export const IdentifyPerson = Schema.Struct({ how: reasonText }).annotate({
  identifier: "IdentifyPerson"
})
export type IdentifyPerson = typeof IdentifyPerson.Type

export const ExtendPrivacyRequest = Schema.Struct({ reason: reasonText }).annotate({
  identifier: "ExtendPrivacyRequest"
})
export type ExtendPrivacyRequest = typeof ExtendPrivacyRequest.Type

export const CompletePrivacyRequest = Schema.Struct({
  outcome: PrivacyOutcome,
  /** What was done, and what was not and why. */
  decision: reasonText
}).annotate({ identifier: "CompletePrivacyRequest" })
export type CompletePrivacyRequest = typeof CompletePrivacyRequest.Type

export const RefusePrivacyRequest = Schema.Struct({ ground: reasonText }).annotate({
  identifier: "RefusePrivacyRequest"
})
export type RefusePrivacyRequest = typeof RefusePrivacyRequest.Type
