/** What shows that a mandate was signed, confirmed, or unblocked. */
import { Schema, Struct } from "effect"
import { Instant } from "../values/Instant.ts"
import { Text } from "../values/Text.ts"

/** Who has signed or confirmed, when, and what shows it. */
export const MandateEvidence = Schema.Struct({
  /** The user or the session that did it. */
  by: Schema.String,
  at: Instant,
  place: Schema.optionalKey(Text),
  /** Where the proof is kept. */
  reference: Schema.optionalKey(Text)
}).annotate({ identifier: "MandateEvidence" })

/** The same with what the request came from, which is kept for a dispute and not shown. */
export const KeptEvidence = Schema.Struct({
  ...MandateEvidence.fields,
  address: Schema.optionalKey(Schema.String),
  userAgent: Schema.optionalKey(Schema.String)
})
export type KeptEvidence = typeof KeptEvidence.Type

/** Why a mandate that a bank's reason has blocked is used again, and what shows that it may be. */
export const MandateUnblocking = Schema.Struct({
  ...Struct.omit(MandateEvidence.fields, ["place"]),
  reason: Text
}).annotate({ identifier: "MandateUnblocking" })

/** The same with what the request came from, which is kept for a dispute and not shown. */
export const KeptUnblocking = Schema.Struct({
  ...MandateUnblocking.fields,
  address: Schema.optionalKey(Schema.String),
  userAgent: Schema.optionalKey(Schema.String)
})
export type KeptUnblocking = typeof KeptUnblocking.Type
