/** What paths are over time in several views of a log at once, and where that is worth telling. */
import type { Schema } from "effect"
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Foldable } from "./Change.ts"
import { effectsOf, type Lineage } from "./ChangeView.ts"
import { Folding } from "./Folding.ts"
import type { Instant } from "../values/Instant.ts"

export type Value = Schema.Json | undefined

/** What a lineage shows, in the order in which it takes effect. */
export interface ObservedValue {
  readonly lineage: Lineage
  readonly changes: ReadonlyArray<Foldable>
}

/** A path over `[from, to)`, with its value in each of the views; `undefined` where nothing is at it. */
export interface PathInterval {
  readonly path: string
  readonly from: Instant
  readonly to?: Instant
  readonly values: ReadonlyArray<Value>
}

/** Every path from the first change that touches it in a view, cut where one does; path by path. */
export const pathHistory = (
  views: ReadonlyArray<ObservedValue>,
  paths: ReadonlyArray<string>
): ReadonlyArray<PathInterval> => {
  if (paths.length === 0) return []
  const touching = touchers(paths)
  const histories = views.map((view) => historyOf(view, touching))
  return paths.toSorted().flatMap((path) => {
    const own = histories.map((history) => history.get(path) ?? [])
    const instants = [...new Set(own.flatMap((values) => values.map(({ from }) => from)))].sort()
    const next = own.map(() => 0)
    return instants.map((from, index): PathInterval => {
      const to = instants[index + 1]
      const values = own.map((history, view) => {
        while (history[next[view]!] !== undefined && history[next[view]!]!.from <= from)
          next[view]!++
        return history[next[view]! - 1]?.value
      })
      return { path, from, ...(to === undefined ? {} : { to }), values }
    })
  })
}

type History = ReadonlyMap<string, ReadonlyArray<{ readonly from: Instant; readonly value: Value }>>

/** The values that paths go through in a view. */
const historyOf = (
  { changes, lineage }: ObservedValue,
  touching: (path: string) => ReadonlyArray<string>
): History => {
  const history = new Map<string, Array<{ readonly from: Instant; readonly value: Value }>>()
  const folding = new Folding()
  for (const { from, patch } of effectsOf(changes, lineage)) {
    folding.patch(patch)
    for (const path of new Set(patch.flatMap((entry) => touching(entry.path)))) {
      const values = history.get(path) ?? []
      history.set(path, values)
      values.push({ from, value: folding.at(path) })
    }
  }
  return history
}

/** Which of some paths one touches: itself, what lies above it, and what lies below. */
const touchers = (paths: ReadonlyArray<string>) => {
  const wanted = new Set(paths)
  const below = Map.groupBy(
    paths.flatMap((path) => above(path).map((upper) => ({ path, upper }))),
    ({ upper }) => upper
  )
  return (path: string): ReadonlyArray<string> => [
    ...[path, ...above(path)].filter((upper) => wanted.has(upper)),
    ...(below.get(path) ?? []).map((lower) => lower.path)
  ]
}

/** Stretches as long as they can be: one goes on where the next has the same values. */
export const joined = (parts: ReadonlyArray<PathInterval>): ReadonlyArray<PathInterval> => {
  const result: Array<{ -readonly [K in keyof PathInterval]: PathInterval[K] }> = []
  for (const part of parts) {
    const last = result.at(-1)
    const goesOn =
      last?.path === part.path &&
      last.to === part.from &&
      part.values.every((value, view) => isSame(value, last.values[view]))
    if (!goesOn) result.push({ ...part })
    else if (part.to === undefined) delete last.to
    else last.to = part.to
  }
  return result
}

/** Every path above one: `/a/b/c` lies below `/a/b` and `/a`. */
export const above = (path: string): ReadonlyArray<string> =>
  [...path.matchAll(/\//gu)]
    .map(({ index }) => path.slice(0, index))
    .filter((upper) => upper !== "")

export const isSame = (a: Value, b: Value): boolean =>
  a === b || (a !== undefined && b !== undefined && canonicalJson(a) === canonicalJson(b))
