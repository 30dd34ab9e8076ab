/** Draws that are the same at each run of a seed (mulberry32). */
export interface Draw {
  /** An integer from 0 up to, but not, the count. */
  below(count: number): number
  /** Whether something happens that happens so many times in a hundred. */
  percent(share: number): boolean
  one<A>(items: ReadonlyArray<A>): A
}

export const drawing = (seed: number): Draw => {
  let state = seed | 0
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (count: number) => Math.floor(next() * count)
  return {
    below,
    percent: (share) => below(100) < share,
    one: (items) => items[below(items.length)]!
  }
}
