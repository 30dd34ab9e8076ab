/** What requests that suspend, stop and reinstate a policy say. */
import { Schema } from "effect"
import { CustomField, customFieldsOf } from "../values/CustomField.ts"
import { InstantFromString } from "../values/Instant.ts"
import { Text } from "../values/Text.ts"

/** Why a policy is suspended or stopped. */
export const PolicyReason = Schema.Struct({
  reason: Text,
  details: Schema.optionalKey(customFieldsOf(CustomField))
}).annotate({ identifier: "PolicyReason" })
export type PolicyReason = typeof PolicyReason.Type

/** Why a policy is stopped, and when the notice of it came. */
export const StopPolicy = Schema.Struct({
  ...PolicyReason.fields,
  /** When the notice reached who has to have it; absent: now. Notices of the law run from it. */
  receivedAt: Schema.optionalKey(InstantFromString)
}).annotate({ identifier: "StopPolicy" })
export type StopPolicy = typeof StopPolicy.Type

/** Whether the time since the stop is covered, and paid, after all. */
export const Reinstate = Schema.Struct({
  gap: Schema.Literals(["COVERED", "NOT_COVERED"])
}).annotate({ identifier: "Reinstate" })
export type Reinstate = typeof Reinstate.Type
