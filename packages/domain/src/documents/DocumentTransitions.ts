/** Which state of a document may follow which: the whole table. */
import { DocumentStatus } from "./Document.ts"

const transitions: Readonly<Record<DocumentStatus, ReadonlyArray<DocumentStatus>>> = {
  PENDING: ["READY", "FAILED", "VOID"],
  QUARANTINED: ["READY", "REJECTED"],
  READY: ["VOID", "ERASED"],
  FAILED: ["PENDING", "VOID"],
  REJECTED: [],
  VOID: ["ERASED"],
  ERASED: []
}

export const mayBecome = (from: DocumentStatus, to: DocumentStatus): boolean =>
  transitions[from].includes(to)

/** The states from which one may be reached. */
export const statesBefore = (to: DocumentStatus): ReadonlyArray<DocumentStatus> =>
  DocumentStatus.literals.filter((from) => mayBecome(from, to))
