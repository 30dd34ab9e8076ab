/**
 * The audit trail: who did what to which record, or was refused it, and when. Rows are only ever added;
 * each is sealed a moment later with a hash over itself and the one before it, so that a row that was
 * changed, removed or put in afterwards is found.
 */
import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { AuditActorKind, AuditDetail, AuditOutcome } from "../requests/Actor.ts"

/** Operations that only the worker does to a policy. */
export const advanceAction = "policy.advance"

/** A SHA-256 in lower-case hex. */
export const Digest = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{64}$/u, { message: "Expected a SHA-256 as 64 hexadecimal digits" })
)

/** One row of the trail. */
export const AuditEntry = Schema.Struct({
  id: PrefixedId.schema("audit_entry"),
  /** Real time. */
  recordedAt: Instant,
  /** The tenant's time, which a test clock may tell. */
  businessAt: Instant,
  actor: Schema.Struct({ kind: AuditActorKind, id: Schema.String }),
  action: Schema.String,
  /** What it was done to; the tenant itself where it was no one record. */
  recordId: Schema.String,
  outcome: AuditOutcome,
  requestId: Schema.String,
  /** SHA-256 of the canonical JSON of the record's state before and after; absent where it was not there. */
  before: Schema.optionalKey(Digest),
  after: Schema.optionalKey(Digest),
  detail: AuditDetail,
  /** The row's position in the chain; absent until the row is sealed, a moment after recording. */
  seal: Schema.optionalKey(Schema.Struct({ position: Schema.Int, hash: Digest, sealedAt: Instant }))
}).annotate({ identifier: "AuditEntry" })
export type AuditEntry = typeof AuditEntry.Type

/** A place in the chain and its hash: kept elsewhere, it proves that all up to it is still as it was. */
export interface Anchor {
  readonly position: number
  readonly hash: string
}

/** Writes an anchor as `POSITION:HASH`. */
export const formatAnchor = ({ hash, position }: Anchor): string => `${position}:${hash}`

const anchor = /^([1-9]\d{0,14}):([0-9a-f]{64})$/u

/** Reads `POSITION:HASH`; `undefined` when it is none. */
export const parseAnchor = (text: string): Anchor | undefined => {
  const parts = anchor.exec(text)
  return parts === null ? undefined : { position: Number(parts[1]), hash: parts[2]! }
}
