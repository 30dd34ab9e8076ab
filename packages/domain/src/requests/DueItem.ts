/** What falls due of a tenant's records, apart from its policies. */
import { Schema } from "effect"
import type { Instant } from "../values/Instant.ts"

/** The jobs that records wait for; the test clock counts each by this name. */
export const DueItemKind = Schema.Literals([
  "notifyDebits",
  "makeFiles",
  "deliverFiles",
  "settleDebits",
  "readBankFiles",
  "matchEntries",
  "payOut",
  "askPayees",
  "answerAsBank",
  "watchRefunds",
  "expireSignatures",
  "remindSigners",
  "eraseEnded"
])
export type DueItemKind = typeof DueItemKind.Type

/** A job that waits for its time; one of each kind for a record. */
export interface DueItem {
  readonly kind: DueItemKind
  readonly recordId: string
  readonly dueAt: Instant
}

/**
 * What a run has left: nothing, more of the same that is due now, or the next time. `DONE` and a next time
 * say nothing where the record was scheduled once more meanwhile.
 */
export type DueItemOutcome = "DONE" | "MORE" | { readonly again: Instant }

/** How often a run failed, at most, before only people can have it tried again. */
export const mostAttempts = 12

/** So many minutes pass after a failure, twice as many after each further one, and a day at most. */
export const minutesAfter = (attempts: number): number => Math.min(2 ** (attempts - 1), 1440)
