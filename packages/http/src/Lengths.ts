/**
 * Finds what is longer than its schema lets it be, before anything else looks at it. A schema judges
 * items and patterns first and the length last: of a million characters that is work for nothing.
 */
import { SchemaAST } from "effect"

type Segments = ReadonlyArray<string | number>

type Report = (segments: Segments, message: string) => void

/** Calls back for whatever is too long in a value, with the way to it. */
export type LengthFinder = (value: unknown, report: Report) => void

/** What to look for in the encoded values of a schema, worked out once. */
export const finder = (ast: SchemaAST.AST): LengthFinder => {
  const visit = compile(ast, new Map())
  return (value, report) => {
    visit(value, [], report)
  }
}

/** Answers whether the value, and all within it, is short enough. */
type Visit = (value: unknown, segments: Segments, report: Report) => boolean

const anything: Visit = () => true

const compile = (given: SchemaAST.AST, known: Map<SchemaAST.AST, Visit>): Visit => {
  const before = known.get(given)
  if (before !== undefined) return before
  // A schema that holds itself comes back here before its own visit is known.
  let made: Visit = anything
  known.set(given, (value, segments, report) => made(value, segments, report))
  // What is decoded into something else is judged as it was sent.
  const ast = given.encoding === undefined ? given : SchemaAST.toEncoded(given)
  made = visitOf(ast, known)
  known.set(given, made)
  return made
}

const visitOf = (ast: SchemaAST.AST, known: Map<SchemaAST.AST, Visit>): Visit => {
  if (SchemaAST.isSuspend(ast)) {
    let below: Visit | undefined
    return (value, segments, report) =>
      (below ??= compile(ast.thunk(), known))(value, segments, report)
  }
  if (SchemaAST.isString(ast)) return visitText(maximumOf(ast))
  if (SchemaAST.isArrays(ast)) {
    const items = [...ast.elements, ...ast.rest].map((item) => compile(item, known))
    return visitArray(maximumOf(ast), items)
  }
  if (SchemaAST.isObjects(ast)) {
    const members = ast.propertySignatures.map(
      ({ name, type }) => [String(name), compile(type, known)] as const
    )
    const others = ast.indexSignatures.map(({ type }) => compile(type, known))
    return visitObject(new Map(members), others[0])
  }
  return SchemaAST.isUnion(ast) ? visitUnion(ast, known) : anything
}

/** The bound that the checks of a schema set, if any. */
const maximumOf = ({ checks }: SchemaAST.AST): number => {
  const filters = (checks ?? []).flatMap(flatten)
  return Math.min(...filters.map(({ annotations }) => boundOf(annotations?.["representation"])))
}

const flatten = (check: SchemaAST.Check<unknown>): ReadonlyArray<SchemaAST.Filter<unknown>> =>
  check._tag === "Filter" ? [check] : check.checks.flatMap(flatten)

const boundOf = (representation: unknown): number => {
  if (typeof representation !== "object" || representation === null) return Infinity
  if (!("id" in representation) || representation.id !== "effect/schema/isMaxLength")
    return Infinity
  // What the check of this identifier is represented by.
  const { payload } = representation as { readonly payload?: { readonly maxLength?: number } }
  return payload?.maxLength ?? Infinity
}

const visitText =
  (maximum: number): Visit =>
  (value, segments, report) => {
    if (typeof value !== "string" || value.length <= maximum) return true
    report(segments, `Expected at most ${maximum} characters`)
    return false
  }

const visitArray =
  (maximum: number, items: ReadonlyArray<Visit>): Visit =>
  (value, segments, report) => {
    if (!Array.isArray(value)) return true
    if (value.length > maximum) {
      report(segments, `Expected at most ${maximum} items`)
      return false
    }
    let short = true
    for (const [index, item] of value.entries()) {
      const visit = items[Math.min(index, items.length - 1)]
      if (visit?.(item, [...segments, index], report) === false) short = false
    }
    return short
  }

const visitObject =
  (members: ReadonlyMap<string, Visit>, others: Visit | undefined): Visit =>
  (value, segments, report) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return true
    let short = true
    const look = (key: string, visit: Visit | undefined) => {
      // An object that is no array, of which any member may be asked for.
      const member = (value as Record<string, unknown>)[key]
      if (visit?.(member, [...segments, key], report) === false) short = false
    }
    if (others === undefined) {
      for (const [key, visit] of members) if (Object.hasOwn(value, key)) look(key, visit)
    } else {
      for (const key of Object.keys(value)) look(key, members.get(key) ?? others)
    }
    return short
  }

/** Too long only where no member of the union would take it. */
const visitUnion = (ast: SchemaAST.Union, known: Map<SchemaAST.AST, Visit>): Visit => {
  const visits = ast.types.map((type) => compile(type, known)).filter((visit) => visit !== anything)
  return (value, segments, report) => {
    if (visits.length === 0 || visits.some((visit) => visit(value, segments, ignored))) return true
    visits[0]!(value, segments, report)
    return false
  }
}

const ignored = () => undefined
