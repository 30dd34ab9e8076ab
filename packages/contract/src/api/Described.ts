/** Writes what members mean into the published document, beside whatever else it says of them. */
import { terms, termOf } from "./Terms.ts"

type Part = Readonly<Record<string, unknown>>

/** What holds values, in which a member called `properties` is none. */
const values: ReadonlySet<string> = new Set(["const", "default", "enum", "example", "examples"])

const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null

/**
 * A copy of a part of the document in which each property of an object is described.
 *
 * @param path the schema that the part is of and the members that lead to it
 */
export const described = <A>(part: A, path: ReadonlyArray<string> = []): A => {
  if (!isPart(part)) return part
  // The shape is the same, with more descriptions.
  if (Array.isArray(part)) return part.map((item) => described<unknown>(item, path)) as A
  const { in: place, name } = part
  // Members of a parameter, such as `order`, have its name before theirs.
  const at = typeof place === "string" && typeof name === "string" ? [name] : path
  const copy = Object.entries(part).map(([key, value]) => [key, copied(key, value, at)])
  return Object.fromEntries(copy) as A
}

/** The same of the components, whose names begin the paths of their members. */
export const describedSchemas = <A extends Part>(schemas: A): A => {
  const copy = Object.entries(schemas).map(([name, schema]) => [name, described(schema, [name])])
  // The shape is the same, with more descriptions.
  return Object.fromEntries(copy) as A
}

const copied = (key: string, value: unknown, path: ReadonlyArray<string>): unknown => {
  if (values.has(key)) return value
  return key === "properties" && isPart(value) ? properties(value, path) : described(value, path)
}

const properties = (members: Part, path: ReadonlyArray<string>): Part =>
  Object.fromEntries(
    Object.entries(members).map(([name, schema]) => {
      const at = [...path, name]
      const term = termOf(at)
      const description = term === undefined ? {} : { description: terms.get(term) }
      // What stands below `properties` is a schema each.
      return [name, { ...description, ...described(schema as Part, at) }]
    })
  )
