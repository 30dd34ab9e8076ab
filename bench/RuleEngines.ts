/** The factor tables of a product, put into engines for rules that others use for rating. */
import { ZenEngine } from "@gorules/zen-engine"
import type { Factor } from "@quittance/domain/products/ProductRating"
import { compileFactor } from "@quittance/pricing/Tables"
import { Engine, type RuleProperties } from "json-rules-engine"

export type RatedInputs = Readonly<Record<string, string | number | boolean>>

/** The rate of each factor that is a table. */
export type Lookup = (inputs: RatedInputs) => Promise<Readonly<Record<string, number>>>

/** The same by our own compiled tables. */
export const ownOf = (factors: ReadonlyArray<Factor>) => {
  const lookups = tables(factors).map((table) => ({
    id: table.id,
    input: table.input,
    lookup: compileFactor(table)
  }))
  return (inputs: RatedInputs): Readonly<Record<string, number>> => {
    const rates: Record<string, number> = {}
    for (const { id, input, lookup } of lookups) {
      const value = inputs[input]
      const rate = value === undefined ? undefined : lookup(value)
      if (rate !== undefined) rates[id] = rate
    }
    return rates
  }
}

type Table = Exclude<Factor, { readonly kind: "LINEAR" }>
type Row = Table["rows"][number]

const tables = (factors: ReadonlyArray<Factor>): ReadonlyArray<Table> =>
  factors.filter((factor): factor is Table => factor.kind !== "LINEAR")

/** One rule for each row; what no row has is what no rule has found. */
export const jsonRulesOf = (factors: ReadonlyArray<Factor>): Lookup => {
  const engine = new Engine()
  for (const { id, input, rows } of tables(factors)) {
    for (const row of rows) engine.addRule(ruleOf(id, input, row))
  }
  const otherwise = Object.fromEntries(
    tables(factors).flatMap((table) =>
      "otherwise" in table && table.otherwise !== undefined ? [[table.id, table.otherwise]] : []
    )
  )
  return async (inputs) => {
    const { events } = await engine.run(inputs)
    return {
      ...otherwise,
      // The parameters are those that the rules were made with.
      ...Object.fromEntries(events.map(({ params, type }) => [type, params?.["rate"] as number]))
    }
  }
}

const ruleOf = (id: string, fact: string, row: Row): RuleProperties => ({
  conditions: {
    all:
      "is" in row
        ? [{ fact, operator: "equal", value: row.is }]
        : [
            ...(row.from === undefined
              ? []
              : [{ fact, operator: "greaterThanInclusive", value: row.from }]),
            ...(row.below === undefined ? [] : [{ fact, operator: "lessThan", value: row.below }])
          ]
  },
  event: { type: id, params: { rate: row.rate } }
})

/** One decision table for each factor, all of them fed by the inputs and gathered in one answer. */
export const zenOf = async (factors: ReadonlyArray<Factor>): Promise<Lookup> => {
  const position = { x: 0, y: 0 }
  const all = tables(factors)
  const decision = new ZenEngine().createDecision({
    nodes: [
      { id: "in", name: "in", type: "inputNode", position },
      ...all.map((table) => ({
        id: table.id,
        name: table.id,
        type: "decisionTableNode",
        position,
        content: {
          hitPolicy: "first",
          inputs: [{ id: "when", name: table.input, field: table.input }],
          outputs: [{ id: "rate", name: table.id, field: table.id }],
          rules: [
            ...table.rows.map((row, index) => ({
              _id: `${table.id}-${index}`,
              when: cellOf(row),
              rate: String(row.rate)
            })),
            ...("otherwise" in table && table.otherwise !== undefined
              ? [{ _id: `${table.id}-otherwise`, when: "", rate: String(table.otherwise) }]
              : [])
          ]
        }
      })),
      { id: "out", name: "out", type: "outputNode", position }
    ],
    edges: all.flatMap(({ id }) => [
      { id: `in-${id}`, sourceId: "in", targetId: id, type: "edge" },
      { id: `${id}-out`, sourceId: id, targetId: "out", type: "edge" }
    ])
  })
  // The answer has the outputs of the tables, which are numbers.
  return async (inputs) => (await decision.evaluate(inputs)).result as Record<string, number>
}

const cellOf = (row: Row): string => {
  if ("is" in row) return JSON.stringify(row.is)
  const { below, from } = row
  if (from === undefined) return below === undefined ? "" : `< ${below}`
  return below === undefined ? `>= ${from}` : `[${from}..${below})`
}
