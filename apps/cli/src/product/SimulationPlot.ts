/** Where the bars of a simulation stand on its picture, and what its axes say. */
import type { Bar } from "@quittance/pricing/portfolio/ChangeHistogram"

export interface Size {
  readonly width: number
  readonly height: number
}

/** A bar between its sides, as high as its count. */
export interface Column {
  readonly bar: Bar
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface Plot {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly columns: ReadonlyArray<Column>
  /** The counts at which lines go across, from 0 to above the highest bar. */
  readonly counts: ReadonlyArray<number>
}

const margin = { left: 84, right: 44, top: 136, bottom: 92 }
const widest = 110

/** The plot of at least one bar. */
export const plotOf = (bars: ReadonlyArray<Bar>, { height, width }: Size): Plot => {
  const edges = {
    left: margin.left,
    right: width - margin.right,
    top: margin.top,
    bottom: height - margin.bottom
  }
  const room = edges.right - edges.left
  const slot = Math.min(widest, room / bars.length)
  const first = edges.left + (room - slot * bars.length) / 2
  const counts = countsUpTo(Math.max(...bars.map(({ count }) => count)))
  const perPolicy = (edges.bottom - edges.top) / counts.at(-1)!
  const columns = bars.map((bar, index): Column => {
    const size = bar.count * perPolicy
    return { bar, x: first + index * slot, y: edges.bottom - size, width: slot, height: size }
  })
  return { ...edges, columns, counts }
}

const mostLines = 5

/** 0, and round numbers until one is higher than the most by a little, for what is written there. */
const countsUpTo = (most: number): ReadonlyArray<number> => {
  const least = (most * 1.08) / mostLines
  const power = 10 ** Math.max(0, Math.floor(Math.log10(least)))
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? power
  const lines = Math.ceil((most * 1.08) / step)
  return Array.from({ length: lines + 1 }, (_, index) => index * step)
}

/** How high a count is. */
export const heightOf = ({ bottom, counts, top }: Plot, count: number): number =>
  bottom - ((bottom - top) * count) / counts.at(-1)!

/** Where a relative change lies; in the middle of a bar that has no end. */
export const placeOf = ({ columns }: Plot, change: number): number => {
  const column = columns.find(({ bar }) => holds(bar, change)) ?? columns[0]!
  const { bar, width, x } = column
  if (bar.from === undefined || bar.to === undefined || bar.from === bar.to) return x + width / 2
  return x + (width * (change - bar.from)) / (bar.to - bar.from)
}

const holds = ({ from = -Infinity, kind, to = Infinity }: Bar, change: number): boolean => {
  if (kind === "UNCHANGED") return change === 0
  return kind === "FALL" ? from <= change && change < to : from < change && change <= to
}

export interface Tick {
  readonly x: number
  readonly change: number
}

/** Pixels that the text of a tick takes. */
const tickRoom = 64

/** The edges of bars that have room for what they are, counted from 0. */
export const ticksOf = ({ columns }: Plot): ReadonlyArray<Tick> => {
  const regular = columns.filter(({ bar }) => bar.from !== undefined && bar.to !== undefined)
  const falls = regular.filter(({ bar }) => bar.kind === "FALL").toReversed()
  const rises = regular.filter(({ bar }) => bar.kind === "RISE")
  const every = Math.max(1, Math.ceil(tickRoom / columns[0]!.width))
  const far = (_: Column, index: number) => (index + 1) % every === 0
  return [
    ...falls.filter(far).map(({ bar, x }) => ({ x, change: bar.from! })),
    ...zeroOf(columns),
    ...rises.filter(far).map(({ bar, width, x }) => ({ x: x + width, change: bar.to! }))
  ]
}

/** In the middle of what did not move, else between what fell and what rose. */
const zeroOf = (columns: ReadonlyArray<Column>): ReadonlyArray<Tick> => {
  const unchanged = columns.find(({ bar }) => bar.kind === "UNCHANGED")
  if (unchanged !== undefined) return [{ x: unchanged.x + unchanged.width / 2, change: 0 }]
  const rise = columns.find(({ bar }) => bar.from === 0)
  if (rise !== undefined) return [{ x: rise.x, change: 0 }]
  const fall = columns.find(({ bar }) => bar.to === 0)
  return fall === undefined ? [] : [{ x: fall.x + fall.width, change: 0 }]
}
