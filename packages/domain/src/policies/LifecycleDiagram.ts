/** The life cycle as a page of the documentation, drawn from the tables that the code runs on. */
import type { Stage } from "./Branch.ts"
import { allowed, contractEdges, type Position, stageEdges, status } from "./Lifecycle.ts"
import type { ContractState } from "./PolicyState.ts"

const regenerate = "node --conditions=@quittance/source packages/domain/scripts/life-cycle.ts"

/** `docs/life-cycle.md`. */
export const page = (): string =>
  [
    "# The life cycle of a policy",
    `<!-- Generated from packages/domain/src/policies/Lifecycle.ts: ${regenerate} -->`,
    "A policy is sold on a branch and lives on the base branch. Each of the two has its own states; the `status` that the interface shows is derived from both.",
    "## The sale and every other branch",
    "`sign` is the last step of a branch that needs a signature, `merge` of one that needs none. An endorsement whose data changes after its quote is a `DRAFT` again.",
    ...diagram("DRAFT", stageEdges, ["SIGNED"]),
    "## The contract",
    "`start` and `renew` come by themselves, when their time has come.",
    ...diagram("NOT_STARTED", contractEdges, []),
    "## What is allowed where",
    "A command that is not listed is answered with 409 `INVALID_TRANSITION`, whose `details` have this list.",
    table()
  ].join("\n\n") + "\n"

interface Edge {
  readonly from: ReadonlyArray<string>
  readonly command: string
  readonly to: string
}

const diagram = (first: string, edges: ReadonlyArray<Edge>, last: ReadonlyArray<string>) => [
  [
    "```mermaid",
    "stateDiagram-v2",
    `  [*] --> ${first}`,
    ...edges.flatMap(({ command, from, to }) =>
      from.map((state) => `  ${state} --> ${to}: ${command}`)
    ),
    ...last.map((state) => `  ${state} --> [*]`),
    "```"
  ].join("\n")
]

const stages: ReadonlyArray<Stage> = ["DRAFT", "QUOTED", "CONFIRMED"]
const contracts: ReadonlyArray<ContractState> = ["NOT_STARTED", "STARTED", "SUSPENDED", "STOPPED"]

const rows: ReadonlyArray<readonly [where: string, position: Position]> = [
  ...stages.map((stage) => [`the sale, ${stage}`, { stage }] as const),
  ...stages.map(
    (stage) => [`a branch to be signed, ${stage}`, { stage, endorsement: "SIGNED" }] as const
  ),
  ...stages.map(
    (stage) => [`a branch without signature, ${stage}`, { stage, endorsement: "UNSIGNED" }] as const
  ),
  [
    "the base branch, NOT_STARTED, before a first payment that cover waits for",
    { stage: "SIGNED", contract: "NOT_STARTED", gated: true }
  ],
  ...contracts.map(
    (contract) => [`the base branch, ${contract}`, { stage: "SIGNED", contract }] as const
  )
]

const table = (): string => {
  const cells = [
    ["Where", "`status`", "Commands"],
    ...rows.map(([where, position]) => {
      const commands = allowed(position).map((command) => `\`${command}\``)
      // A branch beside the base branch leaves the policy's status as it is.
      const shown =
        position.endorsement === undefined ? `\`${status(position)}\`` : "of the base branch"
      return [where, shown, commands.join(", ") || "none"]
    })
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]!.length)))
  const line = (row: ReadonlyArray<string>, fill = " ") =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column]!, fill)).join(" | ")} |`
  const [header, ...body] = cells
  return [line(header!), line(["", "", ""], "-"), ...body.map((row) => line(row))].join("\n")
}
