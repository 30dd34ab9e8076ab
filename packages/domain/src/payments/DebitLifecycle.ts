/** The states of a debit, one table: from the plan to the bank's last word. */
import { Result, Schema } from "effect"
import { InvalidTransition } from "../requests/RequestErrors.ts"

export const DebitStatus = Schema.Literals([
  "PLANNED",
  "IN_FILE",
  "SUBMITTED",
  "SETTLED",
  "REJECTED",
  "RETURNED",
  "CANCELLED"
]).annotate({ identifier: "DebitStatus" })
export type DebitStatus = typeof DebitStatus.Type

export const DebitCancellation = Schema.Literals([
  "NOTHING_DUE",
  "MANDATE_NOT_USABLE",
  "BY_HAND",
  "FILE_CANCELLED",
  "TOO_LATE"
]).annotate({ identifier: "DebitCancellation" })
export type DebitCancellation = typeof DebitCancellation.Type

interface DebitEdge {
  readonly event: "fill" | "cancel" | "deliver" | "reject" | "settle" | "return"
  readonly from: ReadonlyArray<DebitStatus>
  readonly to: DebitStatus
}

export type DebitEvent = DebitEdge["event"]

/**
 * `fill` puts it into a file, `deliver` hands that file over, `settle` is the begin of its collection
 * day. What is in a file is cancelled with the file alone; what has reached the bank is for the bank.
 */
export const debitEdges: ReadonlyArray<DebitEdge> = [
  { event: "fill", from: ["PLANNED"], to: "IN_FILE" },
  { event: "cancel", from: ["PLANNED", "IN_FILE"], to: "CANCELLED" },
  { event: "deliver", from: ["IN_FILE"], to: "SUBMITTED" },
  { event: "reject", from: ["IN_FILE", "SUBMITTED"], to: "REJECTED" },
  { event: "settle", from: ["SUBMITTED"], to: "SETTLED" },
  { event: "return", from: ["SETTLED"], to: "RETURNED" }
]

/** The status after an event; fails with `InvalidTransition` where the table has no such step. */
export const debitAfter = (
  status: DebitStatus,
  event: DebitEvent
): Result.Result<DebitStatus, InvalidTransition> => {
  const edges = debitEdges.filter(({ from }) => from.includes(status))
  const edge = edges.find((other) => other.event === event)
  return edge === undefined
    ? Result.fail(
        new InvalidTransition({
          status,
          command: event,
          allowed: edges.map((other) => other.event)
        })
      )
    : Result.succeed(edge.to)
}

/** What may be done by hand of what no file has. */
const commands = ["notify", "postpone", "cancel"] as const
export type DebitCommand = (typeof commands)[number] | "retry"

/**
 * Fails with `InvalidTransition` where a debit is no longer planned, or its payer was told already, and for `retry`
 * where it has not failed.
 */
export const commandedDebit = (
  { isNotified, status }: { readonly status: DebitStatus; readonly isNotified: boolean },
  command: DebitCommand
): Result.Result<void, InvalidTransition> => {
  const allowed = allowedOf(status).filter((one) => one !== "notify" || !isNotified)
  return allowed.includes(command)
    ? Result.succeed(undefined)
    : Result.fail(new InvalidTransition({ status, command, allowed }))
}

const allowedOf = (status: DebitStatus): ReadonlyArray<DebitCommand> => {
  if (status === "PLANNED") return commands
  return status === "REJECTED" || status === "RETURNED" ? ["retry"] : []
}

/**
 * What a bank's refusal is to a debit: a status for what has settled already is a return, before that it
 * is a reject. `undefined` where it changes nothing: a second message tells of the same failure, and a
 * return happens once.
 */
export const refusalOf = (status: DebitStatus): "reject" | "return" | undefined => {
  if (status === "SETTLED") return "return"
  return status === "IN_FILE" || status === "SUBMITTED" ? "reject" : undefined
}

/** Whether its outcome is open: its invoices are then in progress, and no formal notice is written. */
export const isInFlight = (status: DebitStatus): boolean =>
  status === "IN_FILE" || status === "SUBMITTED"

/**
 * The states of a debit that was not rejected before its settlement. What is refunded later was collected, too:
 * the debtor's bank knows the mandate since.
 */
export const collectedStatuses = [
  "SETTLED",
  "RETURNED"
] as const satisfies ReadonlyArray<DebitStatus>

/** Whether money was ever collected by a mandate, by the states of its debits. */
export const wasCollected = (statuses: ReadonlyArray<DebitStatus>): boolean =>
  collectedStatuses.some((status) => statuses.includes(status))
