/**
 * Long pure work in slices: it pauses where a slice ends, and its runner lets other work run, or continues at
 * once. The result is the same.
 */
export type Sliced<A> = Generator<void, A>

/** How many assets a slice looks at. */
export const sliceSize = 25

/** Counts what was looked at; a slice ends where this says so. */
export class SliceCount {
  #looked = 0

  /** Counts one more; whether the slice is full with it. */
  isFull(): boolean {
    this.#looked++
    if (this.#looked < sliceSize) return false
    this.#looked = 0
    return true
  }
}

/** All of it at once. */
export const atOnce = <A>(work: Sliced<A>): A => {
  let step = work.next()
  while (step.done !== true) step = work.next()
  return step.value
}
