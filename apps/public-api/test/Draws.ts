/** Draws that are the same in every run: a failure names its number. */
export const drawsOf = (seed: number) => {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  const pick = <A>(items: ReadonlyArray<A>): A => items[below(items.length)]!
  return { below, chance: (share: number) => next() < share, pick }
}
export type Draws = ReturnType<typeof drawsOf>
