/**
 * Documents that become due one after the other, and what later events make of them and of those that are
 * there: nothing is written before the batch is whole.
 */
import type { DocumentTrigger } from "../products/documents/DocumentDefinition.ts"
import type { BranchId, ChangeId, FormalNoticeId, PolicyId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"

/** A document that is due, as far as later events look at it. */
export interface BatchedDocument {
  readonly policyId: PolicyId
  readonly branchId: BranchId
  readonly definitionId: string
  readonly trigger: DocumentTrigger
  readonly changeId?: ChangeId | undefined
  readonly formalNoticeId?: FormalNoticeId | undefined
  readonly inForceAt?: Instant | undefined
  readonly inForceKnownAt?: Instant | undefined
  readonly endedAt?: Instant | undefined
  readonly restoredAt?: Instant | undefined
  readonly voidedAt?: Instant | undefined
}

/** What an event makes of documents that there are: `at` is when it was recorded. */
export type DocumentMove = { readonly policyId: PolicyId; readonly at: Instant } & (
  | {
      /** What was offered is offered no more. */
      readonly kind: "VOID"
      readonly trigger: DocumentTrigger
      readonly branchId?: BranchId | undefined
      readonly formalNoticeId?: FormalNoticeId | undefined
    }
  | {
      /** What a branch has offered is in force from an instant on. */
      readonly kind: "MERGE"
      readonly branchId: BranchId
      readonly inForceAt: Instant
      /** Definitions of which a document is made anew as what is in force: the offered one stays an offer. */
      readonly anew: ReadonlyArray<string>
    }
  /** What a change has brought no longer holds, or does again. */
  | {
      readonly kind: "END" | "RESTORE"
      readonly changeId?: ChangeId | undefined
      readonly branchId?: BranchId | undefined
      readonly trigger?: DocumentTrigger | undefined
    }
)

const isOf = (document: BatchedDocument, move: DocumentMove): boolean => {
  if (document.policyId !== move.policyId || document.voidedAt !== undefined) return false
  // A move that names one of these names a document's.
  const isSame = (name: "branchId" | "changeId" | "formalNoticeId" | "trigger") =>
    !(name in move) || (move as Partial<BatchedDocument>)[name] === document[name]
  return (["branchId", "changeId", "formalNoticeId", "trigger"] as const).every(isSame)
}

/** A document as an event leaves it. */
export const moved = <D extends BatchedDocument>(document: D, move: DocumentMove): D => {
  if (!isOf(document, move)) return document
  switch (move.kind) {
    case "VOID":
      return document.inForceAt === undefined || move.formalNoticeId !== undefined
        ? { ...document, voidedAt: move.at }
        : document
    case "MERGE":
      return document.inForceAt === undefined && !move.anew.includes(document.definitionId)
        ? { ...document, inForceAt: move.inForceAt, inForceKnownAt: move.at }
        : document
    case "END":
      return document.inForceAt === undefined ? document : { ...document, endedAt: move.at }
    case "RESTORE":
      return document.endedAt === undefined ? document : { ...document, restoredAt: move.at }
  }
}
