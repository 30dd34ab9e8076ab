/** The prices of a policy over time: intervals of one priced state, each with its accepted quote. */
import { type Foldable, origin } from "./Change.ts"
import { type Lineage, type Segment, segments, visible } from "./ChangeView.ts"
import { type Instant, max } from "./Instant.ts"
import type { Draft } from "./PolicyCommands.ts"
import type { PolicyState } from "./PolicyState.ts"
import { pricedState } from "./PricedState.ts"
import type { Product } from "./Product.ts"
import type { QuoteId } from "./Quote.ts"

/** The version of the product that a state is priced with. */
export type ProductOf = (state: PolicyState) => Product

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

/** What a lineage is priced as from its start on: nothing before it has a price. */
export const pricedSegments = (
  changes: ReadonlyArray<Foldable>,
  lineage: Lineage,
  productOf: ProductOf
): ReadonlyArray<PricedSegment> => {
  const timeline = segments(changes, lineage)
  const startedAt = stateOfSegment(timeline.at(-1))?.startedAt
  if (startedAt === undefined) return []
  const result: Array<{ -readonly [K in keyof PricedSegment]: PricedSegment[K] }> = []
  for (const segment of timeline) {
    if (segment.to !== undefined && segment.to <= startedAt) continue
    const state = stateOfSegment(segment)!
    const product = productOf(state)
    const priced = pricedState(product, state)
    const last = result.at(-1)
    if (last?.priced === priced) {
      if (segment.to === undefined) delete last.to
      else last.to = segment.to
      if (!last.quoteIds.includes(state.quoteId)) last.quoteIds = [...last.quoteIds, state.quoteId]
    } else {
      result.push({ ...segment, state, product, priced, quoteIds: [state.quoteId] })
    }
  }
  return result
}

// What commands recorded has this shape by construction.
const stateOfSegment = (segment: Segment | undefined): PolicyState | undefined =>
  segment?.state as PolicyState | undefined

/** Whether two timelines have other prices anywhere. */
export const pricedDiffers = (
  a: ReadonlyArray<PricedSegment>,
  b: ReadonlyArray<PricedSegment>
): boolean =>
  a.length !== b.length ||
  a.some(({ from, priced }, index) => {
    const other = b[index]!
    return priced !== other.priced || (index > 0 && from !== other.from)
  })

/** A segment that a quote has to price, or one that began before and keeps its quote. */
export interface ToQuote {
  readonly segment: PricedSegment
  /** From when on its quote is the accepted one. */
  readonly effectiveAt: Instant
  /** The quote that it keeps; absent: it is priced anew. */
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
  const earlier = visible(changes, lineage)
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
