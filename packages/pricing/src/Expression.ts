/**
 * One expression of a product's document: a part of CEL (Common Expression Language) without loops,
 * type-checked when the product is compiled. It sees scalars alone, calls nothing of JavaScript, and
 * what it may cost is bounded by its length.
 */
import { type ASTNode, Environment, EvaluationError, ParseError } from "@marcbachmann/cel-js"
import type { CustomFieldValue } from "@quittance/domain/values/CustomField"
import { maxTextLength } from "@quittance/domain/products/ProductFields"
import { Result } from "effect"
import { foreignFault, nameFault, parseFault, typeFault } from "./ExpressionFault.ts"

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

/**
 * Compiles an expression of the given type, or says in a sentence what is wrong with it.
 *
 * @param sees what its variables are, as the object of a sentence
 */
export const compileExpression = (
  text: string,
  variables: ReadonlyMap<string, ScalarType>,
  type: ScalarType,
  sees = "an input that is before this one in the list and of the same record"
): Result.Result<Expression, string> => {
  const environment = new Environment({ limits })
  const seen = new Set<string>()
  for (const [name, variable] of variables) {
    if (isSeen(environment, name, celTypes[variable])) seen.add(name)
  }
  const parsed = Result.try({ try: () => environment.parse(text), catch: thrown })
  if (Result.isFailure(parsed)) return Result.fail(parseFault(text, parsed.failure, variables))
  const run = parsed.success
  const foreign = foreignPart(run.ast)
  if (foreign !== undefined) return Result.fail(foreignFault(text, ...foreign))
  const identifiers = nodes(run.ast).filter((node) => node.op === "id")
  const stranger = identifiers.find(({ args }) => !seen.has(args))
  if (stranger !== undefined) return Result.fail(nameFault(stranger, variables, seen, sees))
  const { error, type: actual, valid } = run.check()
  if (!valid) return Result.fail(typeFault(text, error ?? unchecked))
  const numeral = nodes(run.ast).find((node) => isNumeral(environment, text, node))
  if (numeral !== undefined) return Result.fail(foreignFault(text, numeral, "a number from a text"))
  if (actual !== celTypes[type]) {
    const made = Object.entries(celTypes).find(([, name]) => name === actual)?.[0]
    return Result.fail(
      made === undefined
        ? `Write what makes ${type}; this makes no scalar.`
        : `Write what makes ${type}, or correct \`type\`; this makes ${made}.`
    )
  }
  const names = [...new Set(identifiers.map(({ args }) => args))]
  return Result.succeed({
    variables: names,
    evaluate: (variable) => {
      const context: Record<string, unknown> = Object.create(null)
      for (const name of names) {
        const value = variable(name)
        if (isTooLong(value)) return undefined
        context[name] = toCel(value, variables.get(name))
      }
      // What CEL throws is data of an expression, and no defect of ours.
      const made = Result.try({ try: () => run(context), catch: thrown })
      return Result.isFailure(made) ? undefined : fromCel(made.success)
    }
  })
}

/** Words of the language, such as `type`, can be the name of an input, but of nothing in an expression. */
const isSeen = (environment: Environment, name: string, type: string): boolean =>
  Result.isSuccess(
    Result.try({ try: () => environment.registerVariable(name, type), catch: thrown })
  )

const unchecked = { code: "unknown", summary: "it does not type-check" }

/** An error of CEL says what it is of the text; anything else it throws is told by its message. */
const thrown = (cause: unknown) =>
  cause instanceof ParseError || cause instanceof EvaluationError
    ? cause
    : { code: "unknown", summary: String(cause) }

/** Texts are put together: without a bound each input could be many times the one before it. */
const isTooLong = (value: unknown): boolean =>
  typeof value === "string" && value.length > maxTextLength

const toCel = (value: CustomFieldValue, type: ScalarType | undefined) =>
  type === "INTEGER" ? BigInt(value) : value

const fromCel = (value: unknown): CustomFieldValue | undefined => {
  if (isTooLong(value)) return undefined
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

/** The first part that is not of the language that products speak, and what it is. */
const foreignPart = (ast: ASTNode): readonly [ASTNode, string] | undefined => {
  for (const node of nodes(ast)) {
    const what = foreignness(node)
    if (what !== undefined) return [node, what]
  }
  return undefined
}

const foreignness = ({ args, op }: ASTNode): string | undefined => {
  if (op === "call") return functions.has(args[0]) ? undefined : `the function ${args[0]}`
  if (op === "rcall") return methods.has(args[0]) ? undefined : `the method ${args[0]}`
  if (op === "value") return isScalar(args) ? undefined : "a constant that is no scalar"
  return operators.has(op) ? undefined : `the operator ${op}`
}

const isScalar = (value: unknown) =>
  ["string", "bigint", "number", "boolean"].includes(typeof value)

const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value

const children = ({ args }: ASTNode): ReadonlyArray<ASTNode> =>
  [args].flat(2).filter((value): value is ASTNode => isNode(value))

/** A tree's parts, each before those that it is made of. */
const nodes = (node: ASTNode): ReadonlyArray<ASTNode> => [node, ...children(node).flatMap(nodes)]

/** The library reads a 0 from an empty text and a 3 from `0b11`: a trap in a price. */
const isNumeral = (environment: Environment, text: string, { args, end, op, start }: ASTNode) => {
  if (op !== "call" || (args[0] !== "int" && args[0] !== "double")) return false
  // Of the ranges of parts only those of calls include the parentheses around them.
  const argument = text.slice(text.indexOf("(", start) + 1, end - 1)
  const part = Result.try({ try: () => environment.parse(argument).check(), catch: thrown })
  // A comment could hold a parenthesis of its own, so comments are refused there.
  return Result.isFailure(part) || part.success.type === "string"
}
