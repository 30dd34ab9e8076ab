/** Finds identifiers that were made in another environment: production's in the sandbox and back. */
import { isTest } from "@quittance/domain/values/PrefixedId"
import { SchemaAST } from "effect"
import type { Environment } from "@quittance/domain/requests/Tenancy"

/** Calls back for every foreign identifier of a value, with the way to it. */
export type Finder = (
  value: unknown,
  report: (segments: ReadonlyArray<string | number>) => void
) => void

/**
 * What to look for in the encoded values of a schema, worked out once: the places where the schema has
 * an identifier. Texts that only look like one are left alone.
 */
export const finder = (ast: SchemaAST.AST, environment: Environment): Finder => {
  const visit = compile(SchemaAST.toEncoded(ast), environment === "production")
  return (value, report) => visit?.(value, [], report)
}

type Visit = (
  value: unknown,
  segments: ReadonlyArray<string | number>,
  report: (segments: ReadonlyArray<string | number>) => void
) => void

/** `undefined` where there is nothing to find. */
const compile = (ast: SchemaAST.AST, production: boolean): Visit | undefined => {
  if (SchemaAST.isObjects(ast)) return compileObject(ast, production)
  if (SchemaAST.isArrays(ast)) return compileArray(ast, production)
  if (SchemaAST.isUnion(ast)) {
    const visits = ast.types.map((type) => compile(type, production)).filter(isVisit)
    return visits.length === 0
      ? undefined
      : (value, segments, report) => {
          // Members of a union may share identifiers; one place is reported once.
          const found = new Set<string>()
          for (const visit of visits) {
            visit(value, segments, (path) => {
              if (found.has(path.join("/"))) return
              found.add(path.join("/"))
              report(path)
            })
          }
        }
  }
  return SchemaAST.resolve(ast)?.["prefixedId"] === undefined
    ? undefined
    : (value, segments, report) => {
        if (typeof value === "string" && isTest(value) === production) report(segments)
      }
}

const compileObject = (ast: SchemaAST.Objects, production: boolean): Visit | undefined => {
  const members = ast.propertySignatures.flatMap(({ name, type }) => {
    const visit = compile(type, production)
    return visit === undefined ? [] : [{ key: String(name), visit }]
  })
  if (members.length === 0) return undefined
  return (value, segments, report) => {
    if (typeof value !== "object" || value === null) return
    for (const { key, visit } of members) {
      // Own members only: what a prototype has was not sent.
      if (Object.hasOwn(value, key)) {
        visit((value as Record<string, unknown>)[key], [...segments, key], report)
      }
    }
  }
}

const compileArray = (ast: SchemaAST.Arrays, production: boolean): Visit | undefined => {
  const visits = [...ast.elements, ...ast.rest]
    .map((type) => compile(type, production))
    .filter(isVisit)
  if (visits.length === 0) return undefined
  return (value, segments, report) => {
    // A query parameter that was sent once is an array of one.
    const items = Array.isArray(value) ? value : [value]
    items.forEach((item, index) => {
      for (const visit of visits) visit(item, [...segments, index], report)
    })
  }
}

const isVisit = (visit: Visit | undefined): visit is Visit => visit !== undefined
