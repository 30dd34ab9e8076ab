/** The largest of many, kept while they go by. */

/** What is ranked: by how far its difference is from 0; of the same, the first by its identifier. */
export interface Ranked {
  readonly id: string
  /** In minor units. */
  readonly difference: number
}

export class TopN<A extends Ranked> {
  readonly #most: number
  readonly #kept: Array<A> = []

  constructor(most: number) {
    this.#most = most
  }

  /** Adds one, made only if it is among the largest; what does not differ is none of them. */
  offer(ranked: Ranked, make: () => A): void {
    if (ranked.difference === 0) return
    const index = this.#kept.findIndex((kept) => isBefore(ranked, kept))
    if (index === -1 && this.#kept.length === this.#most) return
    this.#kept.splice(index === -1 ? this.#kept.length : index, 0, make())
    this.#kept.length = Math.min(this.#kept.length, this.#most)
  }

  /** From the largest on. */
  get list(): ReadonlyArray<A> {
    return this.#kept
  }
}

const isBefore = (a: Ranked, b: Ranked): boolean => {
  const [sizeA, sizeB] = [Math.abs(a.difference), Math.abs(b.difference)]
  return sizeA === sizeB ? a.id < b.id : sizeA > sizeB
}
