/**
 * One expression of a product's document: a part of CEL (Common Expression Language) without loops,
 * type-checked when the product is compiled. It sees scalars alone, calls nothing of JavaScript, and
 * what it may cost is bounded by its length.
 */
import { type ASTNode, Environment } from "@marcbachmann/cel-js"
import type { CustomFieldValue } from "@quittance/domain/CustomField"
import { Result } from "effect"

/** What a variable is, or an expression makes. */
export type ScalarType = "INTEGER" | "NUMBER" | "BOOLEAN" | "STRING"

export interface Expression {
  /** The variables it names, each once. */
  readonly variables: ReadonlyArray<string>
  /** Its value; `undefined` where it has none, as after a division by zero or beyond ±(2^53−1). */
  readonly evaluate: (variable: (name: string) => CustomFieldValue) => CustomFieldValue | undefined
}

const celTypes = { INTEGER: "int", NUMBER: "double", BOOLEAN: "bool", STRING: "string" } as const

const limits = { maxAstNodes: 200, maxDepth: 32, maxListElements: 100, maxCallArguments: 4 }

/** Compiles an expression of the given type, or says in a sentence what is wrong with it. */
export const compileExpression = (
  text: string,
  variables: ReadonlyMap<string, ScalarType>,
  type: ScalarType
): Result.Result<Expression, string> => {
  const environment = new Environment({ limits })
  for (const [name, variable] of variables) environment.registerVariable(name, celTypes[variable])
  const parsed = attempt(() => environment.parse(text))
  if (Result.isFailure(parsed)) return Result.fail(`Write a CEL expression: ${parsed.failure}.`)
  const run = parsed.success
  const foreign = foreignPart(run.ast)
  if (foreign !== undefined) return Result.fail(`Leave out ${foreign}; see docs/products.md.`)
  const { error, type: actual, valid } = run.check()
  if (!valid) return Result.fail(`Correct the expression: ${firstLine(error)}.`)
  if (actual !== celTypes[type]) {
    return Result.fail(`Make it a value of type ${type}; it makes a ${actual ?? "dyn"}.`)
  }
  const names = [...new Set(identifiers(run.ast))]
  return Result.succeed({
    variables: names,
    evaluate: (variable) => {
      const context: Record<string, unknown> = Object.create(null)
      for (const name of names) context[name] = toCel(variable(name), variables.get(name))
      return Result.getOrUndefined(attempt(() => fromCel(run(context))))
    }
  })
}

/** What CEL throws is data of an expression, and no defect of ours. */
const attempt = <A>(run: () => A): Result.Result<A, string> =>
  Result.try({ try: run, catch: firstLine })

const firstLine = (cause: unknown): string =>
  (cause instanceof Error ? cause.message : String(cause)).split("\n")[0] ?? ""

const toCel = (value: CustomFieldValue, type: ScalarType | undefined) =>
  type === "INTEGER" ? BigInt(value) : value

const fromCel = (value: unknown): CustomFieldValue | undefined => {
  if (typeof value !== "bigint") {
    // The type check has left nothing else.
    return value as CustomFieldValue
  }
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : undefined
}

const operators: ReadonlySet<string> = new Set(
  "id value list ?: && || !_ -_ in == != < <= > >= + - * / %".split(" ")
)
const functions: ReadonlySet<string> = new Set(["size", "int", "double", "string"])
const methods: ReadonlySet<string> = new Set(["startsWith", "endsWith", "contains"])

/** The first part that is not of the language that products speak. */
const foreignPart = (node: ASTNode): string | undefined => {
  if (node.op === "call") return functions.has(node.args[0]) ? inside(node) : node.args[0]
  if (node.op === "rcall") return methods.has(node.args[0]) ? inside(node) : node.args[0]
  if (node.op === "value") return isScalar(node.args) ? undefined : "that constant"
  return operators.has(node.op) ? inside(node) : `the operator ${node.op}`
}

const inside = (node: ASTNode): string | undefined => {
  for (const child of children(node)) {
    const foreign = foreignPart(child)
    if (foreign !== undefined) return foreign
  }
  return undefined
}

const isScalar = (value: unknown) =>
  ["string", "bigint", "number", "boolean"].includes(typeof value)

const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value

const children = ({ args }: ASTNode): ReadonlyArray<ASTNode> =>
  [args].flat(2).filter((value): value is ASTNode => isNode(value))

const identifiers = (node: ASTNode): ReadonlyArray<string> =>
  node.op === "id" ? [node.args] : children(node).flatMap(identifiers)
