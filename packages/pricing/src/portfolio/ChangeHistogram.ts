/** The bars in which price changes are shown: as fine as they fit, what lies far out in one at each end. */
import { mostBasisPoints, type PriceChanges } from "./PriceChanges.ts"

/**
 * A bar over relative changes, in hundredths of a per cent. A fall includes its lower bound and a rise
 * its upper one, so that what did not move has a bar of its own. Without a bound it is open there.
 */
export interface Bar {
  readonly kind: "FALL" | "UNCHANGED" | "RISE"
  readonly from: number | undefined
  readonly to: number | undefined
  readonly count: number
}

/** Widths of bars that people read easily, in hundredths of a per cent. */
const widths = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000
]

/** How many bars of the usual number there may be more before the far ends are cut off. */
const patience = 1.5

interface Range {
  readonly low: number
  readonly high: number
}

/**
 * The bars from one end to the other, 0 among them. Their width is that in which all but the farthest
 * hundredth at either end takes at most so many bars.
 */
export const histogram = (changes: PriceChanges, most = 24): ReadonlyArray<Bar> => {
  const most98 = rangeOf(changes, 1, 99)
  const all = rangeOf(changes, 0, 100)
  if (most98 === undefined || all === undefined) return []
  const width = widths.find((width) => barsIn(most98, width) <= most) ?? mostBasisPoints
  const { high, low } = barsIn(all, width) <= most * patience ? all : most98
  const [first, last] = [-barsBelow(low, width), barsAbove(high, width)]
  const unchanged: Bar = { kind: "UNCHANGED", from: 0, to: 0, count: changes.unchanged }
  const bars = [
    openFall(changes, first * width),
    ...Array.from({ length: -first }, (_, index) => fall(changes, (first + index) * width, width)),
    unchanged,
    ...Array.from({ length: last }, (_, index) => rise(changes, index * width, width)),
    openRise(changes, last * width)
  ]
  return bars.filter((bar) => isRegular(bar) || bar.count > 0)
}

const isRegular = ({ from, to }: Bar) => from !== undefined && to !== undefined && from !== to

/** From one quantile to another, and 0. */
const rangeOf = (changes: PriceChanges, from: number, to: number): Range | undefined => {
  const [low, high] = [changes.quantile(from), changes.quantile(to)]
  return low === undefined || high === undefined
    ? undefined
    : { low: Math.min(low, 0), high: Math.max(high, 0) }
}

const barsBelow = (low: number, width: number) => Math.ceil(-low / width)
const barsAbove = (high: number, width: number) => Math.ceil(high / width)
const barsIn = ({ high, low }: Range, width: number) =>
  barsBelow(low, width) + barsAbove(high, width)

const fall = (changes: PriceChanges, from: number, width: number): Bar => {
  const to = from + width
  return { kind: "FALL", from, to, count: changes.between(from, to - 1) }
}

const rise = (changes: PriceChanges, from: number, width: number): Bar => {
  const to = from + width
  return { kind: "RISE", from, to, count: changes.between(from + 1, to) }
}

const openFall = (changes: PriceChanges, to: number): Bar => ({
  kind: "FALL",
  from: undefined,
  to,
  count: changes.between(-mostBasisPoints, to - 1)
})

const openRise = (changes: PriceChanges, from: number): Bar => ({
  kind: "RISE",
  from,
  to: undefined,
  count: changes.between(from + 1, mostBasisPoints)
})
