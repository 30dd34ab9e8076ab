/** The branches of a policy and what was said on each: nothing is folded ahead, and all is asked for anew. */
import type { Day, Place } from "./Commands.ts"
import {
  type Book,
  type Fact,
  openStops,
  seen,
  type Sight,
  type Time,
  type Undone,
  valueAt
} from "./Facts.ts"
import * as Fleet from "./Fleet.ts"
import * as People from "./People.ts"
import { conflictsOf } from "./Together.ts"

/** What is said of a policy, by the records that it is said of. */
export const units: ReadonlyArray<ReadonlyArray<string>> = [
  ...["memo", "level", ...People.keys].map((key) => [key]),
  ...Fleet.units
]

/** How far an offer has come; the model does not follow whether a rebase keeps its quotes. */
export type Stage = "DRAFT" | "QUOTED" | "CONFIRMED" | "UNKNOWN"

export interface Offer {
  readonly id: number
  /** From when on it takes effect; a sale from the beginning. */
  readonly at: Time
  readonly opened: Time
  open: boolean
  changes: number
  readonly stages: Array<{ readonly known: Time; readonly stage: Stage }>
  /** Up to which fact of the base branch it shows that, since when. */
  readonly forks: Array<{ readonly known: Time; readonly upTo: number }>
}

/** The base branch's number, and the sale's. */
export const base = 1000
export const sale = 0

export class Branches implements Book {
  readonly facts: Array<Fact> = []
  readonly undone: Array<Undone> = []
  readonly offers: Array<Offer> = []
  signedAt: Time | undefined
  trunkChanges = 0
  now: Time = 0
  /** Why the model ends here; what was before still holds. */
  over: string | undefined
  #numbers = 0
  readonly starts: Day

  constructor(starts: Day) {
    this.starts = starts
    this.offers.push(this.offer(sale, -Infinity))
  }

  protected offer(id: number, at: Time): Offer {
    const { now: known } = this
    return {
      id,
      at,
      opened: known,
      open: true,
      changes: 0,
      stages: [{ known, stage: "DRAFT" }],
      forks: [this.forkNow()]
    }
  }

  /** That a branch shows all of the base branch as it is now. */
  protected forkNow(): Offer["forks"][number] {
    return { known: this.now, upTo: this.#numbers }
  }

  /** Which branch a place names; `undefined` where none was opened there. */
  branchOf(place: Place): number | undefined {
    if (place === 0) return this.signedAt === undefined ? sale : base
    return this.offers[place]?.id
  }

  isTrunk(branch: number): boolean {
    return branch === base
  }

  sightOf(branch: number, known: Time = Infinity): Sight {
    if (branch === base || branch === sale) return { own: branch, known }
    const { upTo } = this.offers[branch]!.forks.findLast((fork) => fork.known <= known)!
    return { own: branch, base: { branch: base, upTo }, known }
  }

  shown(branch: number, known?: Time): ReadonlyArray<Fact> {
    return seen(this, this.sightOf(branch, known))
  }

  protected add(fact: Omit<Fact, "number" | "known">, known: Time = this.now): void {
    this.facts.push({ ...fact, number: ++this.#numbers, known })
  }

  protected undo(branch: number, facts: ReadonlyArray<Fact>): void {
    this.undone.push({ branch, facts, number: ++this.#numbers, known: this.now })
  }

  protected nextChange(branch: number): number {
    return branch === base ? this.trunkChanges++ : this.offers[branch]!.changes++
  }

  stageOf(branch: number, known: Time = Infinity): Stage {
    return this.offers[branch]!.stages.findLast((step) => step.known <= known)!.stage
  }

  protected stage(branch: number, stage: Stage): void {
    this.offers[branch]!.stages.push({ known: this.now, stage })
  }

  /** What a branch costs over time, as text. */
  #priceOf(branch: number): string {
    const shown = this.shown(branch)
    const moments = [this.starts, ...shown.map(({ at }) => at).filter((at) => at > this.starts)]
    const prices = moments.map((at) =>
      JSON.stringify([valueAt(shown, "level", at), Fleet.priced(shown, at)])
    )
    return JSON.stringify(
      prices.flatMap((price, at) => (price === prices[at - 1] ? [] : [moments[at], price]))
    )
  }

  /** Does something that may move the price of an offer, which is quoted anew then. */
  protected moving(branch: number, act: () => void): void {
    const before = this.#priceOf(branch)
    act()
    if (branch === base || this.#priceOf(branch) === before) return
    if (this.stageOf(branch) === "QUOTED") this.stage(branch, "DRAFT")
  }

  /** What an offer itself says, in the order in which it takes effect. */
  protected own(branch: number): ReadonlyArray<Fact> {
    const gone = new Set(
      this.undone.filter((mark) => mark.branch === branch).flatMap(({ facts }) => facts)
    )
    return this.facts
      .filter((fact) => fact.branch === branch && !gone.has(fact))
      .toSorted((a, b) => (a.at === b.at ? a.number - b.number : a.at < b.at ? -1 : 1))
  }

  /** Whether the two have said something else of the same days since they parted. */
  contradicts(branch: number): boolean {
    const { upTo } = this.offers[branch]!.forks.at(-1)!
    return conflictsOf(this, { branch, base, upTo, units }).length > 0
  }

  /** Stops that came since an offer was opened: what is compared behind them is not followed here. */
  isBlurred(branch: number): boolean {
    const { upTo } = this.offers[branch]!.forks.at(-1)!
    return (
      this.facts.some(
        ({ kind, number }) => number > upTo && (kind === "stop" || kind === "reinstate")
      ) || openStops(this.shown(base)).length > 0
    )
  }

  /** The facts of a change that stands, by its number on its branch. */
  ofChange(branch: number, change: number): ReadonlyArray<Fact> {
    return this.facts.filter((fact) => fact.branch === branch && fact.change === change)
  }

  /** What a policy is opened with is part of its creation, and no change that could be reverted alone. */
  unnumber(): void {
    for (const [index, { change: _change, ...fact }] of this.facts.entries())
      this.facts[index] = fact
  }
}
