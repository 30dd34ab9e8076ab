/** Records of the audit trail, as they are chained. */
import type { AuditDetail } from "../requests/Actor.ts"

/**
 * Everything in a record that is hashed, each member as the exact text that is stored: an instant as seconds
 * since 1970 with all its digits. Any member may be missing, since a tampered record keeps to no rule.
 */
export interface ChainedEntry {
  readonly id: string
  readonly recordedAt: string | null
  readonly businessAt: string | null
  readonly actorKind: string | null
  readonly actorId: string | null
  readonly action: string | null
  readonly recordId: string | null
  readonly requestId: string | null
  readonly outcome: string | null
  readonly detail: AuditDetail | null
}

/** A record that waits; `storedAt` is its time of recording as PostgreSQL reads it back. */
export interface UnsealedEntry extends ChainedEntry {
  readonly storedAt: string
}

/** A record with its seal. */
export interface SealedEntry extends ChainedEntry {
  readonly position: number
  readonly hash: string | null
  readonly sealedAt: string | null
}
