/** Which events an endpoint is told: other types count for what gets its position after the change. */
import { Schema } from "effect"
import { kindsOf, knownKinds } from "../events/EventFilter.ts"

/** From some position of the feed on, these patterns of types. */
export const FilterFrom = Schema.Struct({
  /** It counts for positions after this one. */
  after: Schema.Int,
  types: Schema.Array(Schema.String)
})
export type FilterFrom = typeof FilterFrom.Type

/** The kinds of rows that patterns mean, of those that this release knows. */
export const knownKindsOf = (patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  kindsOf(patterns) ?? knownKinds

/** Whether rows of a kind are for an endpoint, by the filter that counts at their position. */
export const wantedBy = (
  filters: ReadonlyArray<FilterFrom>
): ((row: { readonly kind: string; readonly position: number }) => boolean) => {
  const spans = filters.map(({ after, types }) => ({
    after,
    kinds: new Set(knownKindsOf(types))
  }))
  return ({ kind, position }) =>
    spans.findLast(({ after }) => after < position)?.kinds.has(kind) ?? false
}

/** A kind that counts for positions after one, up to the other one with it. */
export interface KindSpan {
  readonly kind: string
  readonly after: number
  readonly until: number
}

/** The same filters as rows, which a statement can ask. */
export const spansOf = (filters: ReadonlyArray<FilterFrom>): ReadonlyArray<KindSpan> =>
  filters.flatMap(({ after, types }, index) => {
    const until = filters[index + 1]?.after ?? Number.MAX_SAFE_INTEGER
    return knownKindsOf(types).map((kind) => ({ kind, after, until }))
  })

/** How many filters are remembered for what waits, and for replays. */
export const rememberedFilters = 50

/**
 * The filters once these patterns count from a position on. Of more than are remembered the two oldest become
 * one that lets through what either did: nothing that waits is left out.
 */
export const withFilter = (
  filters: ReadonlyArray<FilterFrom>,
  next: FilterFrom
): ReadonlyArray<FilterFrom> => {
  const before = filters.filter(({ after }) => after < next.after)
  if (isSame(before.at(-1)?.types ?? [], next.types)) return before
  const [first, second, ...others] = [...before, next]
  if (first === undefined || second === undefined || others.length + 2 <= rememberedFilters) {
    return [...before, next]
  }
  const types = [...new Set([...first.types, ...second.types])]
  return [{ after: first.after, types }, ...others]
}

const isSame = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): boolean =>
  some.length === others.length && some.every((type) => others.includes(type))
