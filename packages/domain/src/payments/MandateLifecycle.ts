/** What can be done to a mandate, one table: code, documentation and refusals read it. */
import { Result } from "effect"
import { InvalidTransition } from "../requests/RequestErrors.ts"
import type { DebitScheme, MandateStatus } from "./Mandate.ts"
import { isFinal, isSuccess, reasonClassOf } from "./ReturnReason.ts"

interface MandateEdge {
  readonly command:
    | "sign"
    | "confirm-bank"
    | "amend"
    | "block"
    | "unblock"
    | "cancel"
    | "expire"
    | "use-up"
  readonly from: ReadonlyArray<MandateStatus>
  readonly to: (facts: { readonly scheme: DebitScheme }) => MandateStatus
}

export type MandateCommand = MandateEdge["command"]

/**
 * `block` follows from a bank's reason of class `BLOCK`, `expire` from 36 months without a debit, and
 * `use-up` from the first debit of a mandate for one debit that was not rejected. The other steps are
 * requested.
 */
export const mandateEdges: ReadonlyArray<MandateEdge> = [
  {
    command: "sign",
    from: ["DRAFT"],
    // The debtor's bank has to know a B2B mandate before it may be used.
    to: ({ scheme }) => (scheme === "B2B" ? "AWAITING_BANK" : "ACTIVE")
  },
  { command: "confirm-bank", from: ["AWAITING_BANK"], to: () => "ACTIVE" },
  { command: "amend", from: ["ACTIVE"], to: () => "ACTIVE" },
  { command: "block", from: ["ACTIVE"], to: () => "BLOCKED" },
  { command: "unblock", from: ["BLOCKED"], to: () => "ACTIVE" },
  {
    command: "cancel",
    from: ["DRAFT", "AWAITING_BANK", "ACTIVE", "BLOCKED"],
    to: () => "CANCELLED"
  },
  { command: "expire", from: ["ACTIVE", "BLOCKED", "AWAITING_BANK"], to: () => "EXPIRED" },
  { command: "use-up", from: ["ACTIVE"], to: () => "EXPIRED" }
]

/** What a transition is judged by. */
export interface MandateFacts {
  readonly status: MandateStatus
  readonly scheme: DebitScheme
  /** The bank's code that blocked it. */
  readonly blockedBy?: string | undefined
}

/**
 * The status after a command.
 *
 * Fails with `InvalidTransition` where the table has no such step, and for `unblock` after `MD01` (no
 * mandate), `MD07` (the debtor died) and `AC04` (the account is closed): a new mandate is signed then.
 */
export const mandateAfter = (
  facts: MandateFacts,
  command: MandateCommand
): Result.Result<MandateStatus, InvalidTransition> => {
  const edges = mandateEdges
    .filter(({ from }) => from.includes(facts.status))
    .filter((edge) => edge.command !== "unblock" || isUnblockable(facts.blockedBy))
  const edge = edges.find((other) => other.command === command)
  return edge === undefined
    ? Result.fail(
        new InvalidTransition({
          status: facts.status,
          command,
          allowed: edges.map((other) => other.command)
        })
      )
    : Result.succeed(edge.to(facts))
}

/** Whether a bank's reason blocks the mandate that the debit was collected by. */
export const blocksMandate = (reasonCode: string): boolean =>
  !isSuccess(reasonCode) && reasonClassOf(reasonCode) === "BLOCK"

const isUnblockable = (blockedBy: string | undefined): boolean =>
  blockedBy === undefined || !isFinal(blockedBy)
