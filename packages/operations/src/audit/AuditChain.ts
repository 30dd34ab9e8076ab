/**
 * The arithmetic of the audit trail's chain. A row's hash is the SHA-256 of the hash before it, as bytes,
 * followed by the canonical JSON of everything that the row says, with its position: so it stands for
 * the row and for all rows before it.
 */
import type { ChainedEntry, SealedEntry, UnsealedEntry } from "@quittance/domain/audit/ChainedEntry"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import type { Head, Seal, Sealing } from "@quittance/persistence/audit/AuditChainRepo"
import { createHash } from "node:crypto"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

/** What the first row of every chain follows. */
export const origin: Head = { position: 0, hash: "0".repeat(64) }

/**
 * The longest that a row may take from being recorded to being visible, in seconds. What becomes visible
 * later than that was not written by a transaction of the service, whose statements end before.
 */
export const lateness = 300

/** The hash of a row at its place. */
export const hashOf = (
  tenant: TenantId,
  previous: string,
  row: ChainedEntry,
  { position, sealedAt }: { readonly position: number; readonly sealedAt: string | null }
): string => {
  const { action, actorId, actorKind, businessAt, detail, id, outcome, recordId } = row
  const said = { action, actorId, actorKind, businessAt, detail, id, outcome, position, recordId }
  const { recordedAt, requestId } = row
  return createHash("sha256")
    .update(Buffer.from(previous, "hex"))
    .update(canonicalJson({ ...said, recordedAt, requestId, sealedAt, tenant }))
    .digest("hex")
}

/** The seals of rows that follow the head, in their order. */
export const seal = (
  tenant: TenantId,
  head: Head,
  rows: ReadonlyArray<UnsealedEntry>,
  sealedAt: string
): ReadonlyArray<Seal> => {
  let { hash, position } = head
  return rows.map((row) => {
    position += 1
    hash = hashOf(tenant, hash, row, { position, sealedAt })
    return { id: row.id, storedAt: row.storedAt, position, hash }
  })
}

/** How far a chain was found to hold. */
export interface Progress extends Head {
  /** Of all rows so far, the one that was recorded last. */
  readonly latest: Sealing | undefined
  /** Rows that became visible too long after they say that they were recorded. */
  readonly late: number
  readonly firstLate: SealedEntry | undefined
}

export const start: Progress = { ...origin, latest: undefined, late: 0, firstLate: undefined }

/** The first row that does not fit, and what is wrong with it. */
export interface Break {
  readonly kind: "CHANGED" | "REMOVED" | "DOUBLED"
  readonly position: number
  /** The row that was found there, or in its stead; absent where none comes after. */
  readonly row: SealedEntry | undefined
}

/** Goes on by rows in the order of their positions; stops at the first that does not fit. */
export const follow = (
  tenant: TenantId,
  progress: Progress,
  rows: ReadonlyArray<SealedEntry>
): { readonly progress: Progress; readonly broken: Break | undefined } => {
  let { firstLate, hash, late, latest, position } = progress
  const reached = () => ({ hash, position, latest, late, firstLate })
  for (const row of rows) {
    const expected = position + 1
    if (row.position !== expected) {
      const kind = row.position > expected ? "REMOVED" : "DOUBLED"
      return { progress: reached(), broken: { kind, position: expected, row } }
    }
    const next = hashOf(tenant, hash, row, row)
    if (next !== row.hash) {
      return { progress: reached(), broken: { kind: "CHANGED", position: expected, row } }
    }
    hash = next
    position = expected
    if (isLate(row, latest)) {
      late += 1
      firstLate ??= row
    }
    latest = later(latest, row)
  }
  return { progress: reached(), broken: undefined }
}

/**
 * Whether a row should have been sealed before one that is in front of it: it was recorded earlier, and
 * long enough before that one was sealed to have been there.
 */
const isLate = (row: SealedEntry, latest: Sealing | undefined): boolean =>
  latest !== undefined &&
  Number(row.recordedAt) < Number(latest.recordedAt) &&
  Number(row.recordedAt) + lateness <= Number(latest.sealedAt)

const later = (latest: Sealing | undefined, { recordedAt, sealedAt }: SealedEntry) =>
  recordedAt === null || sealedAt === null || Number(recordedAt) < Number(latest?.recordedAt ?? 0)
    ? latest
    : { recordedAt, sealedAt }
