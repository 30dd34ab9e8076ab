/** The query of a list with an order, written `order[by]=…&order[direction]=…`. */
import { Schema, SchemaTransformation } from "effect"
import { type Direction, directions } from "@quittance/domain/values/Page"

interface Written<Key> {
  readonly "order[by]"?: Key
  readonly "order[direction]"?: Direction
}

/** The given members, and `order`, of which both halves are there or none. */
export const orderedQuery = <Fields extends Schema.Struct.Fields, const Key extends string>(
  fields: Fields,
  keys: ReadonlyArray<Key>
) => {
  const by = Schema.Literals(keys)
  const direction = Schema.Literals(directions)
  const Query = Schema.Struct({
    ...fields,
    "order[by]": Schema.optionalKey(by),
    "order[direction]": Schema.optionalKey(direction)
  }).check(
    Schema.makeFilter((query: Written<Key>) =>
      (query["order[by]"] === undefined) === (query["order[direction]"] === undefined)
        ? undefined
        : { path: ["order"], issue: "Expected both order[by] and order[direction], or neither" }
    )
  )
  const Decoded = Schema.Struct({
    ...fields,
    order: Schema.optionalKey(Schema.Struct({ by, direction }))
  })
  return Query.pipe(
    Schema.decodeTo(
      Schema.toType(Decoded),
      SchemaTransformation.transform({
        // The members that are carried along keep their types, which a spread of generic ones forgets.
        decode: (written) => ordered<Key>(written) as typeof Decoded.Type,
        // So do they the other way.
        encode: (query) => flat<Key>(query) as typeof Query.Type
      })
    )
  )
}

const ordered = <Key>(written: Written<Key>): object => {
  const { "order[by]": by, "order[direction]": direction, ...query } = written
  return by === undefined || direction === undefined
    ? query
    : { ...query, order: { by, direction } }
}

const flat = <Key>(query: {
  readonly order?: { readonly by: Key; readonly direction: Direction }
}): object => {
  const { order, ...rest } = query
  return order === undefined
    ? rest
    : { ...rest, "order[by]": order.by, "order[direction]": order.direction }
}
