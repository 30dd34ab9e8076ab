/** What is checked of the cover of a line, and what came of it. */
import { Schema } from "effect"

export const CoverCheckId = Schema.Literals([
  /** The contract had begun and was neither suspended nor stopped; at the instant of a stop it no longer is. */
  "IN_FORCE",
  "PERIL",
  "ASSET",
  "WAITING_PERIOD",
  "TERRITORY",
  "EXCLUSION",
  "DECREE",
  "DECLARED_IN_TIME",
  "DECLARATION",
  "RECORDED_AFTER"
])
export type CoverCheckId = typeof CoverCheckId.Type

export const CoverCheck = Schema.Struct({
  id: CoverCheckId,
  /** `REFER` leaves it to a person. */
  outcome: Schema.Literals(["PASS", "FAIL", "REFER"]),
  because: Schema.String,
  /** Where it comes from: the policy, the terms of its product, what the claim says, or an article of the law. */
  source: Schema.String,
  /** Which exclusion was looked at. */
  ruleId: Schema.optionalKey(Schema.String),
  /** The facts without which it can't be decided. */
  asks: Schema.optionalKey(Schema.Array(Schema.String)),
  /** The numbers of the changes that it names. */
  changes: Schema.optionalKey(Schema.Array(Schema.Int))
})
export type CoverCheck = typeof CoverCheck.Type
