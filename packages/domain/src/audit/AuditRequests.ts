/** What requests about the audit trail say. */
import { Schema } from "effect"
import { AuditOutcome } from "../requests/Actor.ts"
import { InstantFromString } from "../values/Instant.ts"

/** An identifier or the name of an action, in full. */
const Exactly = Schema.String.check(
  Schema.isPattern(/^[\u0021-\u007e]{1,200}$/u, {
    message: "Expected 1 to 200 visible ASCII characters"
  })
)

/** Which rows of the audit trail a list is of. */
export const ListAudit = Schema.Struct({
  actorId: Schema.optionalKey(Exactly),
  recordId: Schema.optionalKey(Exactly),
  action: Schema.optionalKey(Exactly),
  outcome: Schema.optionalKey(AuditOutcome),
  /** When it was recorded, inclusive. */
  from: Schema.optionalKey(InstantFromString),
  /** Exclusive. */
  to: Schema.optionalKey(InstantFromString)
})
export type ListAudit = typeof ListAudit.Type
