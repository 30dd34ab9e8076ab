/**
 * The life cycle of a policy: one table for the stages of a branch, one for the states of the
 * contract. Code, OpenAPI, documentation and tests read them; nothing else decides what may follow.
 */
import { Result, Schema } from "effect"
import type { Stage } from "./Branch.ts"
import type { PolicyStatus } from "./Policy.ts"
import { PolicyStatus as PolicyStatusSchema } from "./Policy.ts"
import type { ContractState } from "./PolicyState.ts"

export const Command = Schema.Literals([
  "quote",
  "confirm",
  "reopen",
  "sign",
  "start",
  "suspend",
  "reactivate",
  "stop"
])
export type Command = typeof Command.Type

interface Edge<S> {
  readonly from: ReadonlyArray<S>
  readonly command: Command
  readonly to: S
}

/** The sale, on a branch. Signing merges the branch. */
export const stageEdges: ReadonlyArray<Edge<Stage>> = [
  { from: ["DRAFT", "QUOTED"], command: "quote", to: "QUOTED" },
  { from: ["QUOTED"], command: "confirm", to: "CONFIRMED" },
  { from: ["CONFIRMED"], command: "reopen", to: "QUOTED" },
  { from: ["CONFIRMED"], command: "sign", to: "SIGNED" }
]

/** The contract, on the trunk. */
export const contractEdges: ReadonlyArray<Edge<ContractState>> = [
  { from: ["NOT_STARTED"], command: "start", to: "STARTED" },
  { from: ["STARTED"], command: "suspend", to: "SUSPENDED" },
  { from: ["SUSPENDED"], command: "reactivate", to: "STARTED" },
  { from: ["NOT_STARTED", "STARTED", "SUSPENDED"], command: "stop", to: "STOPPED" }
]

/** Where a policy stands: on the way to its signature, or as a contract. */
export interface Position {
  readonly stage: Stage
  readonly contract?: ContractState | undefined
  /** Signed, but the product waits for the first payment before cover starts. */
  readonly gated?: boolean | undefined
}

const statusOfStage: Record<Stage, PolicyStatus> = {
  DRAFT: "POLICY_CREATED",
  QUOTED: "POLICY_QUOTED",
  CONFIRMED: "POLICY_CONFIRMED",
  SIGNED: "POLICY_SIGNED"
}

const statusOfContract: Record<ContractState, PolicyStatus> = {
  NOT_STARTED: "POLICY_SIGNED",
  STARTED: "POLICY_STARTED",
  SUSPENDED: "POLICY_SUSPENDED",
  STOPPED: "POLICY_STOPPED"
}

/** The interface's one `status`, derived from both machines. */
export const status = ({ contract, gated = false, stage }: Position): PolicyStatus => {
  if (contract === undefined) return statusOfStage[stage]
  return contract === "NOT_STARTED" && gated ? "POLICY_CONFIRMED" : statusOfContract[contract]
}

/** What may be done where a policy stands. */
export const allowed = ({ contract, stage }: Position): ReadonlyArray<Command> =>
  (contract === undefined ? edgesFrom(stageEdges, stage) : edgesFrom(contractEdges, contract)).map(
    ({ command }) => command
  )

const edgesFrom = <S>(edges: ReadonlyArray<Edge<S>>, state: S) =>
  edges.filter(({ from }) => from.includes(state))

export class InvalidTransition extends Schema.TaggedError<InvalidTransition>()(
  "InvalidTransition",
  {
    status: PolicyStatusSchema,
    command: Schema.String,
    allowed: Schema.Array(Schema.String)
  }
) {
  override get message() {
    const next =
      this.allowed.length === 0 ? "nothing can follow" : `possible are: ${this.allowed.join(", ")}`
    return `A policy in ${this.status} does not take the command ${this.command}; ${next}.`
  }
}

/** Passes where the tables have an edge for the command, else says what they have. */
export const permit = (
  position: Position,
  command: Command
): Result.Result<void, InvalidTransition> =>
  allowed(position).includes(command) ? Result.void : Result.fail(refusal(position, command))

/** The refusal of a command, also of one that the tables do not know, such as `update`. */
export const refusal = (position: Position, command: string): InvalidTransition =>
  new InvalidTransition({ status: status(position), command, allowed: allowed(position) })
