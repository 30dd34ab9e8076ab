/** The largest bodies that a schema can be sent, in the shapes that cost a careless reader the most. */
import { SchemaAST } from "effect"

export interface HostileBody {
  readonly shape: string
  readonly text: string
}

/** Texts on which a pattern with two open ends tries every pair of places. */
const longTexts = [(size: number) => " ".repeat(size), (size: number) => `a@${".".repeat(size)} `]

/** Every body of about so many bytes for the payload of a route. */
export const hostileBodies = (ast: SchemaAST.AST, size: number): ReadonlyArray<HostileBody> => {
  const encoded = SchemaAST.toEncoded(ast)
  const value = sample(encoded, 0)
  const bodies: Array<HostileBody> = [
    { shape: "deep arrays", text: "[".repeat(size / 2) + "]".repeat(size / 2) },
    { shape: "deep objects", text: '{"a":'.repeat(size / 6) + "1" + "}".repeat(size / 6) },
    { shape: "wide", text: JSON.stringify(wide(size)) },
    { shape: "faults below a long name", text: JSON.stringify(below(size)) },
    { shape: "a wide array", text: JSON.stringify(Array.from({ length: size / 4 }, () => 1.5)) },
    { shape: "one name again and again", text: `{${'"a":1,'.repeat(size / 6)}"a":1}` }
  ]
  const put = (place: Place, shape: string, member: unknown) =>
    bodies.push({
      shape: `${shape} at /${place.segments.join("/")}`,
      text: JSON.stringify(place.put(member))
    })
  for (const place of placesOf(encoded, value)) {
    if (SchemaAST.isObjects(place.ast)) put(place, "wide", wide(size))
    if (SchemaAST.isString(place.ast)) {
      longTexts.forEach((text, index) => put(place, `long text ${index}`, text(size)))
    }
    if (!SchemaAST.isArrays(place.ast)) continue
    const [item] = [...place.ast.elements, ...place.ast.rest]
    const one = JSON.stringify(sample(item!, 0)).length + 8
    const count = Math.ceil(size / one)
    put(place, "distinct items", many(item!, count, true))
    put(place, "doubles", many(item!, count, false))
    put(
      place,
      "unfit items",
      Array.from({ length: size / 5 }, () => null)
    )
  }
  // Members of a union have places in common.
  return [...new Map(bodies.map((body) => [body.shape, body])).values()]
}

const many = (ast: SchemaAST.AST, count: number, distinct: boolean) =>
  Array.from({ length: count }, (_, index) => sample(ast, distinct ? index : 0))

const wide = (size: number) =>
  Object.fromEntries(Array.from({ length: size / 11 }, (_, index) => [`key${index}`, 1]))

const below = (size: number) => ({
  ["k".repeat(size / 2)]: Array.from({ length: size / 18 }, () => "\u0000\u0000")
})

interface Place {
  readonly ast: SchemaAST.AST
  readonly segments: ReadonlyArray<string | number>
  /** The whole body with another member at the place. */
  readonly put: (member: unknown) => unknown
}

const identity = (member: unknown) => member

/** Every member of a body, one item of each array. */
const placesOf = (
  ast: SchemaAST.AST,
  value: unknown,
  segments: Place["segments"] = [],
  put: Place["put"] = identity
): ReadonlyArray<Place> => {
  if (segments.length > 8) return []
  if (SchemaAST.isUnion(ast)) {
    return ast.types.flatMap((type) => placesOf(type, sample(type, 0), segments, put))
  }
  if (SchemaAST.isSuspend(ast)) return placesOf(ast.thunk(), value, segments, put)
  const here: Place = { ast, segments, put }
  if (SchemaAST.isArrays(ast)) {
    const [item] = [...ast.elements, ...ast.rest]
    return [here, ...placesOf(item!, sample(item!, 0), [...segments, 0], (member) => put([member]))]
  }
  if (SchemaAST.isObjects(ast)) {
    return [
      here,
      ...ast.propertySignatures.flatMap(({ name, type }) =>
        placesOf(type, sample(type, 0), [...segments, String(name)], (member) =>
          put({ ...(value as object), [String(name)]: member })
        )
      )
    ]
  }
  return [here]
}

/** A value of the right kind; a schema may still refuse it. */
const sample = (ast: SchemaAST.AST, index: number): unknown => {
  if (SchemaAST.isObjects(ast)) {
    return Object.fromEntries(
      ast.propertySignatures
        .filter(({ type }) => !SchemaAST.isOptional(type))
        .map(({ name, type }) => [String(name), sample(type, index)])
    )
  }
  if (SchemaAST.isArrays(ast)) return ast.elements.map((element) => sample(element, index))
  if (SchemaAST.isUnion(ast)) return sample(ast.types[0]!, index)
  if (SchemaAST.isSuspend(ast)) return null
  if (SchemaAST.isLiteral(ast)) return ast.literal
  if (SchemaAST.isNumber(ast)) return index + 0.5
  return SchemaAST.isBoolean(ast) ? true : `k${index}`
}
