/** What the document model has at the paths that templates and products name. */
import { DocumentModel } from "@quittance/domain/documents/DocumentModel"
import type { ValueFormat } from "@quittance/domain/documents/DocumentTemplate"
import { SchemaAST } from "effect"

/** What names mean in a text, as types: those that `each` has given. */
export type Names = ReadonlyMap<string, SchemaAST.AST>

export const noNames: Names = new Map()

/** The type of the value at a path; `undefined` where the model can't have one there. */
export const typeAt = (path: string, names: Names): SchemaAST.AST | undefined => {
  const [first, ...steps] = path.split(".")
  const named = names.get(first!)
  let at = named === undefined ? member(DocumentModel.ast, first!) : resolved(named)
  for (const step of steps) {
    if (at === undefined) return undefined
    at = member(at, step)
  }
  return at
}

/** The type of a list's records; `undefined` where it is no list. */
export const recordOf = (list: SchemaAST.AST): SchemaAST.AST | undefined => {
  const record = SchemaAST.isArrays(list) ? list.rest[0] : undefined
  return record === undefined ? undefined : resolved(record)
}

/** Whether a format may show values of a type: no list, and no record but a field of the product's. */
export const isShown = (type: SchemaAST.AST, format: ValueFormat): boolean => {
  if (SchemaAST.isArrays(type)) return false
  if (SchemaAST.isObjects(type)) return format === "label" && has(type, "key") && has(type, "type")
  if (SchemaAST.isNumber(type)) return ofNumbers.has(format)
  return SchemaAST.isString(type) ? !ofNumbers.has(format) : true
}

const ofNumbers: ReadonlySet<ValueFormat> = new Set(["money", "percent", "number"])

const resolved = (ast: SchemaAST.AST): SchemaAST.AST =>
  SchemaAST.isSuspend(ast) ? resolved(ast.thunk()) : ast

/** In a list of records a step names one by its `key` or `id`. */
const member = (ast: SchemaAST.AST, step: string): SchemaAST.AST | undefined => {
  if (SchemaAST.isArrays(ast)) {
    const record = recordOf(ast)
    return record !== undefined && (has(record, "key") || has(record, "id")) ? record : undefined
  }
  const type = SchemaAST.isObjects(ast) ? propertyOf(ast, step)?.type : undefined
  return type && resolved(type)
}

const has = (ast: SchemaAST.AST, name: string): boolean =>
  SchemaAST.isObjects(ast) && propertyOf(ast, name) !== undefined

const propertyOf = ({ propertySignatures }: SchemaAST.Objects, name: string) =>
  propertySignatures.find((property) => property.name === name)
