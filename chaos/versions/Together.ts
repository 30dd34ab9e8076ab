/** An offer and the base branch brought together: of each field and each stretch of time whoever has moved. */
import { type Book, type Fact, seen, type Time, valueAt } from "./Facts.ts"

export interface Parted {
  readonly branch: number
  readonly base: number
  /** The base branch's last fact that the offer shows. */
  readonly upTo: number
  readonly keys: ReadonlyArray<string>
}

type Value = Fact["value"]

interface Moment {
  readonly at: Time
  readonly key: string
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

const together = (book: Book, parted: Parted): ReadonlyArray<Moment> => {
  const { base, ours, theirs } = viewsOf(book, parted)
  return parted.keys.flatMap((key) => {
    const instants = [...base, ...ours, ...theirs].flatMap((fact) =>
      fact.kind === "data" && fact.key === key ? [fact.at] : []
    )
    // What was taken back has moved something at its time, too.
    const undone = book.undone.flatMap(({ facts }) => facts.map(({ at }) => at))
    const moments = [...new Set([...instants, ...undone])].sort((a, b) => (a < b ? -1 : 1))
    return moments.map((at): Moment => {
      const [was, our, their] = [base, ours, theirs].map((view) => valueAt(view, key, at))
      const isConflict = our !== was && their !== was && our !== their
      return { at, key, value: our === was ? their : our, isConflict }
    })
  })
}

/** Where both have said something else since they parted, and not the same. */
export const conflictsOf = (book: Book, parted: Parted): ReadonlyArray<Moment> =>
  together(book, parted).filter(({ isConflict }) => isConflict)

/** What has to be said beside the offer's own facts, so that each field is what it should be. */
export const correctionsOf = (book: Book, parted: Parted): ReadonlyArray<Moment> => {
  const { both } = viewsOf(book, parted)
  const corrections: Array<Moment> = []
  for (const moment of together(book, parted).toSorted((a, b) =>
    a.at < b.at ? -1 : a.at > b.at ? 1 : 0
  )) {
    const { at, key, value } = moment
    const shown = both.findLast((fact) => fact.kind === "data" && fact.key === key && fact.at <= at)
    const said = corrections.findLast((other) => other.key === key && other.at <= at)
    const is =
      said !== undefined && (shown === undefined || said.at >= shown.at) ? said.value : shown?.value
    if (is !== value) corrections.push(moment)
  }
  return corrections
}
