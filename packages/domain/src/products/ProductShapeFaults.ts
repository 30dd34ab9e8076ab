/** What is wrong with the shape of a product's document, each fault as a sentence that mends it. */
import { JsonPointer, SchemaAST, type SchemaIssue } from "effect"
import type { ProductFault } from "./Product.ts"
import { closestName } from "../values/ClosestName.ts"

type Faults = Generator<ProductFault, void>
type Path = ReadonlyArray<PropertyKey>

/** Where in the document an issue lies, and what the schema has there. */
interface Place {
  readonly definition: unknown
  readonly path: Path
  /** The object that the last key of the path is of. */
  readonly parent?: SchemaAST.Objects | undefined
  /** The page that tells all members; absent: the one about products. */
  readonly reference?: string
}

export function* shapeFaults(issue: SchemaIssue.Issue, place: Place): Faults {
  switch (issue._tag) {
    case "Pointer":
      return yield* shapeFaults(issue.issue, { ...place, path: [...place.path, ...issue.path] })
    case "Composite": {
      const parent = SchemaAST.isObjects(issue.ast) ? issue.ast : undefined
      for (const child of issue.issues) {
        if (child._tag === "Filter") yield* filterFaults(child, issue.ast, place)
        else yield* shapeFaults(child, { ...place, parent })
      }
      return
    }
    case "AnyOf":
      return yield* unionFaults(issue, place)
    case "MissingKey":
      return yield told(place, `Add it: ${wanted(typeOfLast(place))}.`)
    case "UnexpectedKey":
      return yield told(place, unknownName(place))
    default:
      yield leafFault(
        "ast" in issue ? issue.ast : undefined,
        "annotations" in issue ? issue.annotations?.["message"] : undefined,
        place
      )
  }
}

const told = ({ path }: Place, message: string): ProductFault => ({
  pointer: path.map((key) => `/${JsonPointer.escapeToken(String(key))}`).join(""),
  message
})

const valueAt = ({ definition, path }: Place): unknown =>
  path.reduce<unknown>(
    (node, key) => (isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined),
    definition
  )

const isRecord = (value: unknown): value is Record<PropertyKey, unknown> =>
  typeof value === "object" && value !== null

const typeOfLast = ({ parent, path }: Place): SchemaAST.AST | undefined =>
  parent?.propertySignatures.find(({ name }) => name === path.at(-1))?.type

const unknownName = ({ parent, path, reference = "docs/products.md" }: Place): string => {
  const known = (parent?.propertySignatures ?? []).map(({ name }) => String(name))
  const meant = closestName(String(path.at(-1)), known)
  if (meant !== undefined) return `Leave it out, or write \`${meant}\` if that is what it means.`
  return known.length > 12
    ? `Leave it out; ${reference} tells the members that are known here.`
    : `Leave it out; known here are ${known.join(", ")}.`
}

/** A choice between forms is told by the member that tells them apart, else by what all of them are. */
function* unionFaults(issue: SchemaIssue.AnyOf, place: Place): Faults {
  const value = valueAt(place)
  const objects = issue.ast.types.filter(SchemaAST.isObjects)
  const key = tellingKey(issue.ast)
  if (key === undefined || !isRecord(value)) {
    return yield told(place, give(issue.ast, value))
  }
  const form = objects.find((ast) => literalsAt(ast, key).includes(value[key]))
  if (form === undefined) {
    const at = { ...place, path: [...place.path, key] }
    const choices = objects.flatMap((ast) => literalsAt(ast, key))
    return yield told(at, key in value ? choose(choices, value[key]) : `Add it: ${oneOf(choices)}.`)
  }
  for (const one of issue.issues) {
    if (one._tag !== "Composite" || one.ast === form) yield* shapeFaults(one, place)
  }
}

/** The member by whose values the forms of an object are told apart: no two of them share one. */
const tellingKey = ({ types }: SchemaAST.Union): string | undefined => {
  const forms = types.filter(SchemaAST.isObjects)
  if (forms.length < types.length) return undefined
  return forms[0]?.propertySignatures
    .map(({ name }) => String(name))
    .find((name) => {
      const literals = forms.map((form) => literalsAt(form, name))
      const all = literals.flat()
      return literals.every(({ length }) => length > 0) && new Set(all).size === all.length
    })
}

const oneForm = (ast: SchemaAST.Union): string | undefined => {
  const key = tellingKey(ast)
  if (key === undefined) return undefined
  const forms = ast.types.filter(SchemaAST.isObjects)
  return `an object with \`${key}\`: ${oneOf(forms.flatMap((form) => literalsAt(form, key)))}`
}

const literalsAt = (form: SchemaAST.Objects, key: string): ReadonlyArray<unknown> =>
  literalsOf(form.propertySignatures.find(({ name }) => name === key)?.type) ?? []

/** All values of a type that lists them. */
const literalsOf = (ast: SchemaAST.AST | undefined): ReadonlyArray<unknown> | undefined => {
  if (ast === undefined) return undefined
  if (SchemaAST.isLiteral(ast)) return [ast.literal]
  return SchemaAST.isUnion(ast) && ast.types.every(SchemaAST.isLiteral)
    ? ast.types.map(({ literal }) => literal)
    : undefined
}

const oneOf = (choices: ReadonlyArray<unknown>): string =>
  choices.length === 1 ? String(choices[0]) : `one of ${choices.join(", ")}`

const choose = (choices: ReadonlyArray<unknown>, given: unknown): string => {
  const meant = closestName(String(given), choices.map(String))
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`
  return `Choose ${oneOf(choices)}${instead(given)}.${hint}`
}

const give = (ast: SchemaAST.AST | undefined, given: unknown): string => {
  const choices = literalsOf(ast)
  return choices === undefined
    ? `Give ${wanted(ast)}${instead(given, ast)}.`
    : choose(choices, given)
}

const instead = (given: unknown, ast?: SchemaAST.AST): string => {
  if (given === undefined) return ""
  if (Array.isArray(given))
    return ast !== undefined && SchemaAST.isArrays(ast) ? "" : ", not a list"
  if (isRecord(given)) return ", not an object"
  const text = JSON.stringify(given)
  return text.length > 60 ? "" : `, not ${text}`
}

/** What a filter says of the value, or of a place in it; else what the type wants. */
function* filterFaults(
  { filter, issue }: SchemaIssue.Filter,
  ast: SchemaAST.AST,
  place: Place
): Faults {
  if (issue._tag === "Pointer") return yield* shapeFaults(issue, place)
  yield leafFault(ast, filter.annotations?.["message"], place)
}

const leafFault = (
  ast: SchemaAST.AST | undefined,
  message: unknown,
  place: Place
): ProductFault => {
  const given = valueAt(place)
  if (typeof message !== "string") return told(place, give(ast, given))
  return told(
    place,
    message.startsWith(expected)
      ? `Give ${message.slice(expected.length)}${instead(given, ast)}.`
      : message
  )
}

const expected = "Expected "

/** What a type wants, as the object of a sentence. */
const wanted = (ast: SchemaAST.AST | undefined): string => {
  if (ast === undefined) return "a value"
  const choices = literalsOf(ast)
  if (choices !== undefined) return oneOf(choices)
  const phrases = (ast.checks ?? []).flatMap(saying)
  const authored = phrases.find((phrase) => !ofEffect.test(phrase))
  if (authored !== undefined) return authored
  if (SchemaAST.isNumber(ast)) return numberWanted(phrases)
  if (SchemaAST.isArrays(ast)) return `a list${lengthWanted(phrases, "entries")}`
  if (SchemaAST.isString(ast)) return `a text${lengthWanted(phrases, "characters")}`
  if (SchemaAST.isBoolean(ast)) return "true or false"
  if (SchemaAST.isUnion(ast))
    return oneForm(ast) ?? [...new Set(ast.types.map(wanted))].join(" or ")
  if (SchemaAST.isObjects(ast)) return `an object${withMembers(ast)}`
  return "a value"
}

/** What checks say that have no words of ours. */
const ofEffect = /^(?:a value |an integer$|a finite number$)/u

/** ` of at least 1 and at most 50 entries`, from `a value with a length of at least 1` and so on. */
const lengthWanted = (phrases: ReadonlyArray<string>, units: string): string => {
  const bounds = phrases.flatMap(
    (phrase) => /^a value with a length of (.+)$/u.exec(phrase)?.[1] ?? []
  )
  if (bounds.length === 1 && bounds[0] === "at least 1") return " that is not empty"
  return bounds.length === 0 ? "" : ` of ${bounds.join(" and ")} ${units}`
}

/** `an integer between 1 and 366`, from `an integer` and `a value between 1 and 366`. */
const numberWanted = (phrases: ReadonlyArray<string>): string => {
  const bounds = phrases.flatMap((phrase) => /^a value (.+)$/u.exec(phrase)?.[1] ?? [])
  const kind = phrases.includes("an integer") ? "an integer" : "a number"
  return [kind, bounds.join(" and ")].join(" ").trimEnd()
}

/** What a check says that it expects. */
const saying = (check: SchemaAST.Check<never>): ReadonlyArray<string> => {
  if (check._tag === "FilterGroup") return check.checks.flatMap(saying)
  const { expected: phrase, message } = check.annotations ?? {}
  if (typeof message === "string" && message.startsWith(expected)) {
    return [message.slice(expected.length)]
  }
  return typeof phrase === "string" ? [phrase] : []
}

const withMembers = ({ propertySignatures }: SchemaAST.Objects): string => {
  const needed = propertySignatures.filter(({ type }) => !SchemaAST.isOptional(type))
  return needed.length === 0 ? "" : ` with ${needed.map(({ name }) => String(name)).join(", ")}`
}
