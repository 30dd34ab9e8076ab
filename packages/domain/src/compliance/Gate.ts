/** A gate of a step, and whether it is met. */
import { Schema } from "effect"
import { UnmetGate } from "../policies/Compliance.ts"
import { Instant } from "../values/Instant.ts"

const { do: remedy, why, ...named } = UnmetGate.fields

export const Gate = Schema.Struct({
  ...named,
  met: Schema.Boolean,
  why: Schema.optionalKey(why),
  do: Schema.optionalKey(remedy),
  /** When what proves it was recorded. */
  metAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "ComplianceGate" })
export type Gate = typeof Gate.Type
