/**
 * An offer and the base branch brought together: for each field and interval, the side that has changed it.
 */
import { type Book, type Fact, seen, type Time, valueAt } from "./Facts.ts"

export interface Parted {
  readonly branch: number
  readonly base: number
  /** The base branch's last fact that the offer shows. */
  readonly upTo: number
  /** What is said of each record; the first key says whether it is there. */
  readonly units: ReadonlyArray<ReadonlyArray<string>>
}

type Value = Fact["value"]
type View = ReadonlyArray<Fact>

interface Moment {
  readonly at: Time
  readonly key: string
  readonly unit: ReadonlyArray<string>
  readonly value: Value
  readonly isConflict: boolean
}

const viewsOf = (book: Book, { branch, base, upTo }: Parted) => {
  const until = <A extends { readonly branch: number; readonly number: number }>(
    all: ReadonlyArray<A>
  ) => all.filter((one) => one.branch !== base || one.number <= upTo)
  const known = Infinity
  const atFork = { facts: until(book.facts), undone: until(book.undone) }
  const last = Infinity
  return {
    base: seen(atFork, { own: base, known }),
    theirs: seen(book, { own: base, known }),
    ours: seen(book, { own: branch, base: { branch: base, upTo }, known }),
    both: seen(book, { own: branch, base: { branch: base, upTo: last }, known })
  }
}

/** What a key is at a time: nothing where the record that it is said of is not there. */
const partAt = (view: View, [whole, ...parts]: ReadonlyArray<string>, key: string, at: Time) =>
  parts.includes(key) && valueAt(view, whole!, at) === undefined
    ? undefined
    : valueAt(view, key, at)

/** Whether one of two has said something of a key that the other has not. */
const isMoved = (key: string, a: View, b: View): boolean => {
  const of = (view: View) => view.filter((fact) => fact.key === key)
  const [inA, inB] = [of(a), of(b)]
  return inA.length !== inB.length || inA.some((fact) => !inB.includes(fact))
}

const together = (book: Book, parted: Parted): ReadonlyArray<Moment> => {
  const { base, ours, theirs } = viewsOf(book, parted)
  // A reverted change has changed something at its time, too.
  const undone = book.undone.flatMap(({ facts }) => facts.map(({ at }) => at))
  const momentsOf = (unit: ReadonlyArray<string>, keys: ReadonlyArray<string>) => {
    const instants = [...base, ...ours, ...theirs].flatMap((fact) =>
      fact.kind === "data" && keys.includes(fact.key!) ? [fact.at] : []
    )
    const moments = [...new Set([...instants, ...undone])].sort((a, b) => (a < b ? -1 : 1))
    return moments.flatMap((at): ReadonlyArray<Moment> => {
      const [was, our, their] = [base, ours, theirs].map((view) =>
        keys.map((key) => partAt(view, unit, key, at))
      )
      const isSame = (a: ReadonlyArray<Value>, b: ReadonlyArray<Value>) =>
        a.every((value, index) => value === b[index])
      const isConflict = !isSame(our!, was!) && !isSame(their!, was!) && !isSame(our!, their!)
      const values = isSame(our!, was!) ? their! : our!
      return keys.map((key, index) => ({ at, key, unit, value: values[index], isConflict }))
    })
  }
  return parted.units.flatMap((unit) => {
    // A record that came or went on one of the two is compared as a whole.
    const isWhole = isMoved(unit[0]!, base, ours) || isMoved(unit[0]!, base, theirs)
    return isWhole ? momentsOf(unit, unit) : unit.flatMap((key) => momentsOf(unit, [key]))
  })
}

/** Where both have said something else since they parted, and not the same. */
export const conflictsOf = (book: Book, parted: Parted): ReadonlyArray<Moment> =>
  together(book, parted).filter(({ isConflict }) => isConflict)

/** What has to be said beside the offer's own facts, so that each field is what it should be. */
export const correctionsOf = (book: Book, parted: Parted): ReadonlyArray<Moment> => {
  const { both } = viewsOf(book, parted)
  const corrections: Array<Moment> = []
  const saidOf = (key: string, at: Time): Value => {
    const shown = both.findLast((fact) => fact.kind === "data" && fact.key === key && fact.at <= at)
    const said = corrections.findLast((other) => other.key === key && other.at <= at)
    return said !== undefined && (shown === undefined || said.at >= shown.at)
      ? said.value
      : shown?.value
  }
  for (const moment of together(book, parted).toSorted((a, b) =>
    a.at < b.at ? -1 : a.at > b.at ? 1 : 0
  )) {
    const { at, key, unit, value } = moment
    const isThere = key === unit[0] || saidOf(unit[0]!, at) !== undefined
    const is = isThere ? saidOf(key, at) : undefined
    if (is !== value) corrections.push(moment)
  }
  return corrections
}
