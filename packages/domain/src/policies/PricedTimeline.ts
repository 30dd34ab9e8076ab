/** The prices of a policy over time: intervals of one priced state, each with its accepted quote. */
import { type Foldable, origin } from "./Change.ts"
import { type Lineage, type StateInterval, segments, visible, withoutStops } from "./ChangeView.ts"
import { type Instant, max } from "../values/Instant.ts"
import type { Draft } from "./PolicyCommands.ts"
import type { PolicyState } from "./PolicyState.ts"
import { pricedMoments, type ProductOf } from "./PricedMoments.ts"
import { pricedState } from "./PricedState.ts"
import type { Product } from "../products/Product.ts"
import type { QuoteId } from "../values/Ids.ts"

/** A maximal interval `[from, to)` of one priced state; `to` is absent on the last. */
export interface PricedSegment {
  readonly from: Instant
  readonly to?: Instant
  /** The state at its start. */
  readonly state: PolicyState
  readonly product: Product
  /** The canonical text of what is priced. */
  readonly priced: string
  /** The quotes in force in it, one after the other; `undefined` where there is none. */
  readonly quoteIds: ReadonlyArray<QuoteId | undefined>
}

/**
 * What a lineage is priced as from its start on: nothing before it has a price. What a stop hides is priced
 * too: withdrawn or reinstated, it shows again at once.
 */
export const pricedSegments = (
  recorded: ReadonlyArray<Foldable>,
  lineage: Lineage,
  productOf: ProductOf
): ReadonlyArray<PricedSegment> => {
  const changes = withoutStops(recorded, lineage)
  const { moments, startedAt } = pricedMoments(changes, lineage, productOf)
  if (startedAt === undefined) return []
  const timeline = segments(changes, lineage)
  const result: Array<{ -readonly [K in keyof PricedSegment]: PricedSegment[K] }> = []
  const first = Math.max(
    0,
    moments.findLastIndex(({ from }) => from <= startedAt)
  )
  for (const [index, { moved, product, quoteId }] of moments.entries()) {
    if (index < first) continue
    const { to } = timeline[index]!
    const last = result.at(-1)
    if (last === undefined || moved.size > 0) {
      result.push(segmentOf(timeline[index]!, product, quoteId))
    } else {
      if (to === undefined) delete last.to
      else last.to = to
      if (!last.quoteIds.includes(quoteId)) last.quoteIds = [...last.quoteIds, quoteId]
    }
  }
  return result
}

/** A segment whose state and text are made when they are asked for: a fleet has a thousand of them. */
const segmentOf = (
  segment: StateInterval,
  product: Product,
  quoteId: QuoteId | undefined
): PricedSegment => {
  const { from, to } = segment
  let priced: string | undefined
  return {
    from,
    ...(to === undefined ? {} : { to }),
    product,
    quoteIds: [quoteId],
    get state() {
      // What commands recorded has this shape by construction.
      return segment.state as unknown as PolicyState
    },
    get priced() {
      priced ??= pricedState(product, this.state)
      return priced
    }
  }
}

/** Whether two logs of a lineage have other prices anywhere from the start on. */
export const pricedDiffers = (
  before: ReadonlyArray<Foldable>,
  after: ReadonlyArray<Foldable>,
  lineage: Lineage,
  productOf: ProductOf
): boolean => {
  const one = pricedMoments(before, lineage, productOf)
  const other = pricedMoments(after, lineage, productOf)
  if (one.startedAt !== other.startedAt) return true
  const { startedAt } = one
  if (startedAt === undefined) return false
  const parts = {
    one: new Map<string, string | undefined>(),
    other: new Map<string, string | undefined>()
  }
  const different = new Set<string>()
  const byInstant = Map.groupBy(
    [
      ...one.moments.map((moment) => ({ ...moment, of: "one" as const })),
      ...other.moments.map((moment) => ({ ...moment, of: "other" as const }))
    ],
    ({ from }) => from
  )
  const instants = [...byInstant.keys()].sort()
  return instants.some((instant, index) => {
    for (const { moved, of } of byInstant.get(instant)!) {
      for (const [path, text] of moved) {
        parts[of].set(path, text)
        if (parts.one.get(path) === parts.other.get(path)) different.delete(path)
        else different.add(path)
      }
    }
    const next = instants[index + 1]
    const isPriced = next === undefined || next > startedAt
    return isPriced && different.size > 0
  })
}

/** A segment that a quote has to price, or one that began before and keeps its quote. */
export interface ToQuote {
  readonly segment: PricedSegment
  /** From when on its quote is the accepted one. */
  readonly effectiveAt: Instant
  /** The quote that it keeps; absent: it is priced again. */
  readonly kept?: QuoteId
}

/**
 * What quoting prices: every segment from an instant on. A segment that began before it, on a branch
 * that changes nothing priced there, keeps the quote that it began with.
 *
 * @param from where the branch takes effect; `origin` for new business, which prices everything
 */
export const toQuote = (
  priced: ReadonlyArray<PricedSegment>,
  from: Instant
): ReadonlyArray<ToQuote> =>
  priced
    .filter(({ to }) => to === undefined || to > from)
    .map((segment, index) => {
      const effectiveAt = index === 0 ? from : segment.from
      const [kept] = segment.quoteIds
      const isOlder = from !== origin && segment.from < from
      return isOlder && kept !== undefined
        ? { segment, effectiveAt, kept }
        : { segment, effectiveAt }
    })

/**
 * The changes that put each segment's quote where it belongs, also over quotes of earlier tries that no
 * segment begins with any more.
 */
export const quoteDrafts = (
  changes: ReadonlyArray<Foldable>,
  lineage: Lineage,
  quoted: ReadonlyArray<{ readonly effectiveAt: Instant; readonly quoteId: QuoteId }>
): ReadonlyArray<Draft> => {
  const [first] = quoted
  if (first === undefined) return []
  const earlier = visible(withoutStops(changes, lineage), lineage)
    .filter(
      ({ effectiveAt, patch }) =>
        effectiveAt > first.effectiveAt && patch.some(({ path }) => path === "/quoteId")
    )
    .map(({ effectiveAt }) => effectiveAt)
  const instants = [
    ...new Set([...quoted.map(({ effectiveAt }) => effectiveAt), ...earlier])
  ].sort()
  return instants.map((effectiveAt) => ({
    kind: "QUOTE",
    effectiveAt,
    patch: [
      {
        path: "/quoteId",
        value: quoted.findLast((quote) => quote.effectiveAt <= effectiveAt)!.quoteId
      }
    ]
  }))
}

/** The day's instant at which a segment's tables are read: its start, and never before cover begins. */
export const pricedFrom = ({ from, state }: Pick<PricedSegment, "from" | "state">): Instant =>
  max(from, state.startedAt)
