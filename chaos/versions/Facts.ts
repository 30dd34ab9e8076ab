/** What a policy's accepted commands have made so, and what of it can be seen: worked out anew each time. */

/** A time in days; what holds from the beginning is at `-Infinity`. */
export type Time = number

export type Kind =
  | "data"
  | "sign"
  | "start"
  | "suspend"
  | "reactivate"
  | "announce"
  | "stop"
  | "reinstate"

export interface Fact {
  /** In the order in which they were recorded. */
  readonly number: number
  readonly known: Time
  readonly branch: number
  readonly at: Time
  readonly kind: Kind
  readonly key?: string
  readonly value?: string | number | undefined
  /** The change that it is part of, counted on its branch. */
  readonly change?: number
}

/** A reverted change, as one branch has it. */
export interface Undone {
  readonly number: number
  readonly known: Time
  readonly branch: number
  readonly facts: ReadonlyArray<Fact>
}

/** Whose facts are seen: the base branch's up to a number, and a branch's own after them. */
export interface Sight {
  readonly own: number
  readonly base?: { readonly branch: number; readonly upTo: number } | undefined
  readonly known: Time
}

export interface Book {
  readonly facts: ReadonlyArray<Fact>
  readonly undone: ReadonlyArray<Undone>
}

type Mark = Pick<Fact, "branch" | "known" | "number">

const isIn = ({ known, own, base }: Sight, mark: Mark): boolean =>
  mark.known <= known &&
  (mark.branch === own || (mark.branch === base?.branch && mark.number <= base.upTo))

/** The reinstatement that ended a stop, if one did. */
const endOf = (stop: Fact, all: ReadonlyArray<Fact>): Fact | undefined =>
  all.find(({ at, kind, number }) => kind === "reinstate" && number > stop.number && at >= stop.at)

const isStep = ({ kind }: Fact): boolean =>
  kind !== "data" && kind !== "sign" && kind !== "reinstate"

/** What of some facts a stop hides, the last stop first: what is hidden itself hides nothing. */
const hiddenIn = (all: ReadonlyArray<Fact>): ReadonlySet<Fact> => {
  const hidden = new Set<Fact>()
  for (const stop of all.filter(({ kind }) => kind === "stop").reverse()) {
    if (hidden.has(stop)) continue
    const end = endOf(stop, all)
    for (const fact of all) {
      if (fact === stop || fact.kind === "sign" || fact.kind === "reinstate") continue
      if (fact.kind === "stop" && fact.number > stop.number) continue
      const isBehind = fact.at >= stop.at
      const isInGap = end !== undefined && fact.number < end.number && fact.at < end.at
      if (isBehind && (end === undefined || (isStep(fact) && isInGap))) hidden.add(fact)
      const isItsWord = fact.kind === "announce" && fact.number === stop.number - 1
      if (isItsWord && end?.at === stop.at) hidden.add(fact)
    }
  }
  for (const end of all.filter(({ kind }) => kind === "reinstate")) {
    const stops = all.filter((stop) => stop.kind === "stop" && endOf(stop, all) === end)
    if (stops.length > 0 && stops.every((stop) => hidden.has(stop))) hidden.add(end)
  }
  return hidden
}

/** All that is seen, in the order in which it takes effect. */
export const seen = ({ facts, undone }: Book, sight: Sight): ReadonlyArray<Fact> => {
  const gone = new Set(undone.filter((mark) => isIn(sight, mark)).flatMap((mark) => mark.facts))
  const all = facts.filter((fact) => isIn(sight, fact) && !gone.has(fact))
  const hidden = hiddenIn(all)
  const rank = (fact: Fact) => (fact.branch === sight.own ? 1 : 0)
  return all
    .filter((fact) => !hidden.has(fact))
    .toSorted((a, b) => {
      if (a.at !== b.at) return a.at < b.at ? -1 : 1
      return rank(a) - rank(b) || a.number - b.number
    })
}

/** The stops in force that were not ended, of what is seen. */
export const openStops = (shown: ReadonlyArray<Fact>): ReadonlyArray<Fact> =>
  shown.filter((stop) => stop.kind === "stop" && endOf(stop, shown) === undefined)

/** The value of a field at a time. */
export const valueAt = (shown: ReadonlyArray<Fact>, key: string, time: Time) =>
  shown.findLast((fact) => fact.kind === "data" && fact.key === key && fact.at <= time)?.value

/** What a contract is at a time; `undefined` before its signature took effect. */
export const contractAt = (shown: ReadonlyArray<Fact>, time: Time): string | undefined => {
  const to: Partial<Record<Kind, string>> = {
    sign: "SIGNED",
    start: "STARTED",
    suspend: "SUSPENDED",
    reactivate: "STARTED",
    stop: "STOPPED"
  }
  let contract: string | undefined
  for (const fact of shown.filter(({ at }) => at <= time)) {
    if (fact.kind === "reinstate") contract = String(fact.value)
    else contract = to[fact.kind] ?? contract
  }
  return contract
}

/** Whether a stop shows at a time: announced, or there; a reinstatement leaves one that is still to come. */
export const isStopShown = (shown: ReadonlyArray<Fact>, time: Time): boolean => {
  const last = shown.findLast(
    ({ at, kind }) => at <= time && ["announce", "stop", "reinstate"].includes(kind)
  )
  if (last?.kind !== "reinstate") return last !== undefined
  return last.key === "announced"
}
