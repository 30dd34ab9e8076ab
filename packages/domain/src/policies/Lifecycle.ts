/**
 * The life cycle of a policy: one table for the stages of a branch, one for the states of the
 * contract. Code, OpenAPI, documentation and tests read them; nothing else decides what may follow.
 */
import { Result, Schema } from "effect"
import type { Stage } from "./Branch.ts"
import type { PolicyStatus } from "./Policy.ts"
import type { ContractState } from "./PolicyState.ts"
import { InvalidTransition } from "../requests/RequestErrors.ts"

export const Command = Schema.Literals([
  "quote",
  "confirm",
  "reopen",
  "sign",
  "merge",
  "start",
  "suspend",
  "reactivate",
  "stop",
  "renew",
  "reinstate"
])
export type Command = typeof Command.Type

interface Edge<S> {
  readonly from: ReadonlyArray<S>
  readonly command: Command
  readonly to: S
}

/** The sale, on a branch. Its last step merges it: the signature, or `merge` where none is needed. */
export const stageEdges: ReadonlyArray<Edge<Stage>> = [
  { from: ["DRAFT", "QUOTED"], command: "quote", to: "QUOTED" },
  { from: ["QUOTED"], command: "confirm", to: "CONFIRMED" },
  { from: ["CONFIRMED"], command: "reopen", to: "QUOTED" },
  { from: ["CONFIRMED"], command: "sign", to: "SIGNED" },
  { from: ["CONFIRMED"], command: "merge", to: "SIGNED" }
]

/** The contract, on the base branch; one that is reinstated before it had begun has yet to. */
export const contractEdges: ReadonlyArray<Edge<ContractState>> = [
  { from: ["NOT_STARTED"], command: "start", to: "STARTED" },
  { from: ["STARTED"], command: "suspend", to: "SUSPENDED" },
  { from: ["SUSPENDED"], command: "reactivate", to: "STARTED" },
  { from: ["NOT_STARTED", "STARTED", "SUSPENDED"], command: "stop", to: "STOPPED" },
  { from: ["STARTED"], command: "renew", to: "STARTED" },
  { from: ["SUSPENDED"], command: "renew", to: "SUSPENDED" },
  { from: ["STOPPED"], command: "reinstate", to: "STARTED" },
  { from: ["STOPPED"], command: "reinstate", to: "NOT_STARTED" }
]

/** What only the service does by itself: a caller is not told to try it. */
const automatic: ReadonlySet<Command> = new Set<Command>(["start", "renew"])

/** Where a policy stands: on the way to its signature, or as a contract. */
export interface Position {
  readonly stage: Stage
  readonly contract?: ContractState | undefined
  /** Signed, but the product waits for the first payment before cover starts. */
  readonly gated?: boolean | undefined
  /** Stopped for good: the product reinstates nothing, or no longer. */
  readonly final?: boolean | undefined
  /** On a branch beside a signed policy: whether it is signed, or merged as it is. */
  readonly endorsement?: "SIGNED" | "UNSIGNED" | undefined
  /** What the policy is while such a branch is worked on. */
  readonly inForce?: PolicyStatus | undefined
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

/** Whether a contract no longer waits for its start: it is running, suspended or stopped. */
export const hasBegun = ({ contract }: Pick<Position, "contract">): boolean =>
  contract !== undefined && contract !== "NOT_STARTED"

/** The interface's one `status`, derived from both machines. */
export const status = ({ contract, gated = false, inForce, stage }: Position): PolicyStatus => {
  if (inForce !== undefined) return inForce
  if (contract === undefined) return statusOfStage[stage]
  return contract === "NOT_STARTED" && gated ? "POLICY_CONFIRMED" : statusOfContract[contract]
}

/** What a caller may do where a policy stands. */
export const allowed = (position: Position): ReadonlyArray<Command> =>
  commandsAt(position).filter(
    (command) => !automatic.has(command) && !(command === "reinstate" && position.final === true)
  )

const commandsAt = ({ contract, endorsement, stage }: Position): ReadonlyArray<Command> => {
  if (contract !== undefined) return edgesFrom(contractEdges, contract)
  const lastStep = endorsement === "UNSIGNED" ? "merge" : "sign"
  const steps = edgesFrom(stageEdges, stage).filter(
    (command) => (command !== "sign" && command !== "merge") || command === lastStep
  )
  // A sale is withdrawn by stopping the policy, an endorsement by invalidating its branch.
  return endorsement === undefined && stage !== "SIGNED" ? [...steps, "stop"] : steps
}

const edgesFrom = <S>(edges: ReadonlyArray<Edge<S>>, state: S): ReadonlyArray<Command> => [
  ...new Set(edges.filter(({ from }) => from.includes(state)).map(({ command }) => command))
]

/** Passes where the tables have an edge for the command, else says what they have. */
export const permit = (
  position: Position,
  command: Command
): Result.Result<void, InvalidTransition> =>
  commandsAt(position).includes(command) ? Result.void : Result.fail(refusal(position, command))

/** The refusal of a command, also of one that the tables do not know, such as `update`. */
export const refusal = (position: Position, command: string): InvalidTransition =>
  new InvalidTransition({ status: status(position), command, allowed: allowed(position) })
