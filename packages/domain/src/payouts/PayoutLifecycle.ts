/** What can be done to a payout, one table: code, documentation and refusals read it. */
import { Result } from "effect"
import { InvalidTransition } from "../requests/RequestErrors.ts"
import type { Payout, PayoutStatus } from "./Payout.ts"

interface PayoutEdge {
  readonly command:
    | "approve"
    | "reject"
    | "cancel"
    | "confirm-payee"
    | "record-paid"
    | "record-failed"
  readonly from: ReadonlyArray<PayoutStatus>
  /** Absent: it stays as it is. */
  readonly to?: PayoutStatus
  /** Whether the payee's name has to be settled before, or is what the step settles. */
  readonly payee?: "SETTLED" | "OPEN"
}

export type PayoutCommand = PayoutEdge["command"]

export const payoutEdges: ReadonlyArray<PayoutEdge> = [
  { command: "approve", from: ["AWAITING_APPROVAL"], to: "APPROVED" },
  { command: "reject", from: ["AWAITING_APPROVAL"], to: "REJECTED" },
  { command: "cancel", from: ["AWAITING_APPROVAL", "APPROVED"], to: "CANCELLED" },
  { command: "confirm-payee", from: ["AWAITING_APPROVAL", "APPROVED"], payee: "OPEN" },
  { command: "record-paid", from: ["APPROVED"], to: "PAID", payee: "SETTLED" },
  // A bank may send the money back days after it left.
  { command: "record-failed", from: ["APPROVED", "PAID"], to: "FAILED" }
]

type Facts = Pick<Payout, "payeeCheck" | "status">

/** Whether a name that nearly matches still waits for a person. */
export const awaitsPayee = ({ payeeCheck }: Pick<Payout, "payeeCheck">): boolean =>
  payeeCheck.result === "CLOSE_MATCH" && payeeCheck.confirmedAt === undefined

/** The status after a command; fails with `InvalidTransition` where the table has no such step. */
export const payoutAfter = (
  payout: Facts,
  command: PayoutCommand
): Result.Result<PayoutStatus, InvalidTransition> => {
  const edges = payoutEdges
    .filter(({ from }) => from.includes(payout.status))
    .filter(({ payee }) => payee === undefined || (payee === "OPEN") === awaitsPayee(payout))
  const edge = edges.find((other) => other.command === command)
  return edge === undefined
    ? Result.fail(
        new InvalidTransition({
          status: payout.status,
          command,
          allowed: edges.map((other) => other.command)
        })
      )
    : Result.succeed(edge.to ?? payout.status)
}

/** What a bank tells of a payout: that its money has left, or has come back. */
export type BankWord = "LEFT" | "CAME_BACK"

/**
 * The status after what a bank tells, whatever people had still to settle of the payee; `undefined` where it
 * changes nothing.
 */
export const payoutAfterBank = (
  { status }: Pick<Payout, "status">,
  word: BankWord
): PayoutStatus | undefined => {
  const command = word === "LEFT" ? "record-paid" : "record-failed"
  return payoutEdges.find((edge) => edge.command === command && edge.from.includes(status))?.to
}

/** Statuses in which money of a payout may move: what a statement tells of others waits for people. */
export const movingStatuses: ReadonlyArray<PayoutStatus> = ["APPROVED", "PAID", "FAILED"]

/** Whether what the payout took from a balance is given back to it. */
export const givesBack = (status: PayoutStatus): boolean =>
  status === "REJECTED" || status === "CANCELLED" || status === "FAILED"
