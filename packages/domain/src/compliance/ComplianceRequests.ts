/** What requests about duties of the sale say. */
import { Schema } from "effect"
import { InstantFromString } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { Text } from "../values/Text.ts"

/** That a customer has read a text of the product and agrees to it. */
export const AcceptText = Schema.Struct({
  textId: Schema.String,
  accepted: Schema.Literal(true)
}).annotate({ identifier: "AcceptText" })
export type AcceptText = typeof AcceptText.Type

/** What was found in a register of brokers, and when it was looked up. */
export const PutRegistration = Schema.Struct({
  register: Text,
  number: Text,
  categories: Schema.Array(Text).check(Schema.isMinLength(1), Schema.isMaxLength(20)),
  validUntil: LocalDate,
  checkedAt: InstantFromString,
  evidence: Text
}).annotate({ identifier: "PutRegistration" })
export type PutRegistration = typeof PutRegistration.Type
