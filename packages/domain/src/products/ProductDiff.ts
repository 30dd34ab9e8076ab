/** What two JSON documents say differently, where each list of named members is read by its names. */
import { JsonPointer, type Schema } from "effect"

/** One difference; a side that has nothing there is absent. */
export interface Difference {
  /**
   * A JSON pointer, but a member of a list that names its members (by `id`, `key`, or what is dated by
   * `from`) stands there with its name and not with its place: `/perils/THEFT/rating/base/amount`.
   */
  readonly path: string
  readonly from?: Schema.Json
  readonly to?: Schema.Json
}

/** The differences in the order of the first document, then what only the second one has. */
export const differences = (from: Schema.Json, to: Schema.Json): ReadonlyArray<Difference> => [
  ...compare("", from, to)
]

function* compare(
  path: string,
  from: Schema.Json | undefined,
  to: Schema.Json | undefined
): Generator<Difference, void> {
  const isTable = isList(from) && isList(to) && from.length === to.length
  const [before, after] = [members(from, isTable), members(to, isTable)]
  if (before === undefined || after === undefined || before.name !== after.name) {
    if (!isSame(from, to)) {
      yield { path, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
    }
    return
  }
  const names = new Set([...before.entries.keys(), ...after.entries.keys()])
  for (const name of names) {
    const step = `${path}/${JsonPointer.escapeToken(name)}`
    yield* compare(step, before.entries.get(name), after.entries.get(name))
  }
}

interface Members {
  /** By which member the entries are named; empty for an object. */
  readonly name: string
  readonly entries: ReadonlyMap<string, Schema.Json>
}

/** What a value is made of, if that has names; rows of tables that are equally long have their places. */
const members = (value: Schema.Json | undefined, isTable: boolean): Members | undefined => {
  if (isObject(value)) return { name: "", entries: new Map(Object.entries(value)) }
  if (!isList(value)) return undefined
  for (const name of ["id", "key", "from"]) {
    const named = value.map((entry) => (isObject(entry) ? entry[name] : undefined))
    if (named.length === 0 || !named.every((text) => typeof text === "string")) continue
    const entries = new Map(named.map((text, index) => [text, value[index]!]))
    if (entries.size === named.length) return { name, entries }
  }
  return isTable && value.every(isObject)
    ? { name: "place", entries: new Map(value.map((entry, index) => [String(index), entry])) }
    : undefined
}

const isList = (value: Schema.Json | undefined): value is ReadonlyArray<Schema.Json> =>
  Array.isArray(value)

const isObject = (
  value: Schema.Json | undefined
): value is { readonly [name: string]: Schema.Json } =>
  typeof value === "object" && value !== null && !isList(value)

const isSame = (a: Schema.Json | undefined, b: Schema.Json | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b)
