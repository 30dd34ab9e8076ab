/** What statements do: run as they are sent, in the plan for their values and in the one for any. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient, Statement } from "effect/sql"

interface Node {
  readonly "Node Type": string
  readonly "Index Name"?: string
  readonly "Relation Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: ReadonlyArray<Node>
}

/** What a statement did: the ways in which it read tables, and how many of their rows it looked at. */
export interface Work {
  readonly scans: ReadonlyArray<string>
  readonly nodes: ReadonlyArray<string>
  readonly rows: number
}

const workOf = (plan: Node): Work => {
  const scans = new Set<string>()
  const nodes: Array<string> = []
  let rows = 0
  const visit = (node: Node): void => {
    nodes.push(node["Node Type"])
    if (node["Index Name"] !== undefined) scans.add(node["Index Name"])
    if (node["Relation Name"] !== undefined) {
      const removed =
        (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0)
      rows += (node["Actual Rows"] + removed) * node["Actual Loops"]
    }
    node.Plans?.forEach(visit)
  }
  visit(plan)
  return { scans: [...scans].sort(), nodes, rows: Math.round(rows) }
}

const literal = (value: unknown): string => {
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(", ")}]::text[]`
  if (value instanceof Date) return `'${value.toISOString()}'`
  return typeof value === "number" ? String(value) : `'${String(value).replaceAll("'", "''")}'`
}

type Mode = "force_custom_plan" | "force_generic_plan"

/** Runs a statement as it would be sent, planned in a mode, and tells what it did. */
const explained = Effect.fnUntraced(function* (
  statement: Statement.Statement<unknown>,
  mode: Mode
) {
  const sql = yield* SqlClient.SqlClient
  const [text, values] = statement.compile()
  const plan = yield* sql.withTransaction(
    Effect.gen(function* () {
      yield* sql.unsafe(`SET LOCAL plan_cache_mode = ${mode}`)
      yield* sql.unsafe(`PREPARE explained AS ${text}`)
      const [row] = yield* sql.unsafe<Record<string, ReadonlyArray<{ readonly Plan: Node }>>>(
        `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE explained(${values.map(literal).join(", ")})`
      )
      yield* sql.unsafe("DEALLOCATE explained")
      return Object.values(row!)[0]![0]!.Plan
    })
  )
  return workOf(plan)
})

/** What an effect that is so many statements answers, and the work of each statement in either mode. */
export const worksOf = Effect.fnUntraced(function* <A, E, R>(
  list: Effect.Effect<A, E, R>,
  statements = 1
) {
  const sent: Array<Statement.Statement<unknown>> = []
  const answer = yield* Effect.provideService(list, Statement.CurrentTransformer, (statement) => {
    sent.push(statement)
    return Effect.succeed(statement)
  })
  assert.lengthOf(sent, statements)
  const modes = ["force_custom_plan", "force_generic_plan"] as const
  const works = yield* Effect.forEach(sent, (statement) =>
    Effect.forEach(modes, (mode) => explained(statement, mode))
  )
  return { answer, works: works.flat() }
})

export const assertNoScan = ({ nodes }: Work) =>
  assert.notInclude(nodes, "Seq Scan", nodes.join(", "))
