/** Random choices that a seed repeats. */
export class Draw {
  #state: number

  constructor(seed: number) {
    this.#state = seed | 0
  }

  /** mulberry32: 32 good bits for each call. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  /** An integer from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + Math.floor(this.#next() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  pick<A>(list: ReadonlyArray<A>): A {
    return list[this.int(0, list.length - 1)]!
  }

  some<A>(list: ReadonlyArray<A>): ReadonlyArray<A> {
    return list.filter(() => this.chance(0.5))
  }

  /** A day between two years. */
  day(from: number, to: number): string {
    const month = String(this.int(1, 12)).padStart(2, "0")
    return `${this.int(from, to)}-${month}-${String(this.int(1, 28)).padStart(2, "0")}`
  }
}
