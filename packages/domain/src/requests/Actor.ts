/** The actor of a request, as the audit trail names them. */
import { Schema } from "effect"

/** Who acted: the subject of a token, or a job of the service. */
export const AuditActorKind = Schema.Literals(["CLIENT", "USER", "ANONYMOUS", "JOB"])

export type AuditActorKind = typeof AuditActorKind.Type

/** The worker as an author of changes and as an actor. */
export const jobName = "due-steps"

/** The worker where it offers renewals and brings them about. */
export const renewalsJobName = "renewals"

/** The worker where it keeps offers up to what is in force. */
export const offersJobName = "offers"

/** Further facts of a row. Texts only: every one of them is hashed as it is stored. */
export const AuditDetail = Schema.Record(
  Schema.String,
  Schema.Union([Schema.String, Schema.Array(Schema.String)])
)

export type AuditDetail = typeof AuditDetail.Type

/** A write that was done, or something that was asked for and answered 403. */
export const AuditOutcome = Schema.Literals(["DONE", "REFUSED"])
export type AuditOutcome = typeof AuditOutcome.Type
