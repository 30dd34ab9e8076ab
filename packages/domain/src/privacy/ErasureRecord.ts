/** What is kept of erasures apart from the database, so that they are done again after a restore. */
import { Schema, Struct } from "effect"
import { TenantId } from "../requests/Tenancy.ts"
import { Instant } from "../values/Instant.ts"
import { Erasure } from "./Erasing.ts"
import { RetentionHoldId } from "./RetentionHold.ts"

/** An erasure that was done: identifiers, and the ground; no value of a person. */
export const DoneErasure = Schema.Struct({
  tenantId: TenantId,
  erasure: Schema.Struct(Struct.omit(Erasure.fields, ["counts"]))
})
export type DoneErasure = typeof DoneErasure.Type

/** A hold that was lifted: a backup from before still has it, and it would keep an erasure away. */
export const LiftedHold = Schema.Struct({
  tenantId: TenantId,
  hold: Schema.Struct({ id: RetentionHoldId, liftedAt: Instant })
})
export type LiftedHold = typeof LiftedHold.Type

/** One line of the file of erasures. */
export const ErasureRecord = Schema.Union([DoneErasure, LiftedHold])
export type ErasureRecord = typeof ErasureRecord.Type

/** The file of erasures can't be read, or is none. */
export class ErasuresUnreadable extends Schema.TaggedError<ErasuresUnreadable>()(
  "ErasuresUnreadable",
  { file: Schema.String, problem: Schema.String }
) {
  override get message() {
    return `The erasures in ${this.file} can't be read: ${this.problem}`
  }
}

/** The database has data again that were erased: it was restored from a backup. */
export class ErasuresMissing extends Schema.TaggedError<ErasuresMissing>()("ErasuresMissing", {
  file: Schema.String,
  missing: Schema.Int
}) {
  override get message() {
    return `The database lacks ${this.missing} of the erasures in ${this.file}, as after a restore: run pnpm admin privacy erasures replay ${this.file}, then start again.`
  }
}
