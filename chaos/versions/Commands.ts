/** What is asked of a policy, as data that can be left out and asked again: records are named by number. */
import type { Draw } from "../Draw.ts"
import * as Fleet from "./Fleet.ts"
import * as People from "./People.ts"

/** Days since the world began; what takes effect does so at the same time of the day. */
export type Day = number

/** Where a command works: 0 names no branch, a number the one that was opened so many times. */
export type Place = number

export type Command =
  | {
      readonly does: "data"
      readonly on: Place
      readonly day?: Day
      /** Or whatever else the model keeps by a key of its own. */
      readonly key: string
      /** Absent from then on. */
      readonly value: string | number | undefined
    }
  | Fleet.AssetCommand
  | People.PersonCommand
  | { readonly does: "open"; readonly day: Day }
  | {
      readonly does: "quote" | "confirm" | "reopen" | "sign" | "fork" | "invalidate" | "rebase"
      readonly on: Place
    }
  | { readonly does: "suspend" | "reactivate" | "stop"; readonly day?: Day }
  | { readonly does: "withdraw" }
  | { readonly does: "reinstate"; readonly gap: "COVERED" | "NOT_COVERED" }
  | { readonly does: "revert"; readonly on: Place; readonly change: number }
  | { readonly does: "wait"; readonly days: number }

/** A policy's beginning, and what is asked of it one after the other. */
export interface Life {
  /** When it starts, in days since the world began: before its signature, or after. */
  readonly starts: Day
  readonly commands: ReadonlyArray<Command>
}

/**
 * Lives end by this day: the worker renews a policy once or twice on the way, and no acceptance is needed.
 */
export const lastDay = 800

const sale: ReadonlyArray<Command> = [
  { does: "quote", on: 0 },
  { does: "confirm", on: 0 },
  { does: "sign", on: 0 }
]

/** What a step of an offer leads to is seldom drawn by itself: an offer is often taken to its end. */
const steps = (on: Place): ReadonlyArray<Command> => [
  { does: "quote", on },
  { does: "confirm", on },
  { does: "sign", on }
]

const wrong = ["", "x".repeat(21), 7]

/** A life of so many commands, wrong ones among them. */
export const draw = (from: Draw, length: number): Life => {
  let today = 0
  let branches = 0
  let assets = 1
  const day = () => today + from.one([-20, -5, -1, 0, 0, 1, 5, 20, 40])
  const maybe = () => (from.percent(50) ? {} : { day: day() })
  const place = () => (branches === 0 || from.percent(35) ? 0 : 1 + from.below(branches))
  const data = (): Command => {
    const at = { does: "data", on: place(), ...maybe() } as const
    const kind = from.below(10)
    if (kind === 0) return { ...at, key: "ghost", value: "x" }
    if (kind === 1) return { ...at, key: "memo", value: from.one(wrong) }
    if (kind === 2) return { ...at, key: "level", value: from.one([0, 1_000_001, "many"]) }
    return from.percent(50)
      ? { ...at, key: "memo", value: from.one(["a", "b", "c"]) }
      : { ...at, key: "level", value: 100_000 * (1 + from.below(3)) }
  }
  const asset = (): ReadonlyArray<Command> => {
    // What is in force takes few of them, an endorsement that is still open most.
    const offer = from.percent(60) ? branches : 1 + from.below(branches)
    const on = branches === 0 || from.percent(15) ? 0 : offer
    const commands = Fleet.draw(from, { on, day: maybe(), next: assets }, maybe)
    if (commands[0]?.does === "add") assets++
    return on > 0 && from.percent(30) ? [...commands, ...steps(on)] : commands
  }
  const one = (): ReadonlyArray<Command> => {
    const kind = from.below(150)
    if (kind >= 100) return asset()
    if (kind < 28) return [data()]
    if (kind < 36) return [People.draw(from, place(), maybe())]
    if (kind < 44) {
      branches++
      return [{ does: "open", day: day() }]
    }
    if (kind < 58) return steps(place())
    if (kind < 64) return [{ does: from.one(["quote", "confirm", "reopen", "sign"]), on: place() }]
    if (kind < 70) {
      const does = from.one(["fork", "invalidate", "rebase", "rebase"] as const)
      if (does === "fork") branches++
      return [{ does, on: place() }]
    }
    if (kind < 76) return [{ does: from.one(["suspend", "reactivate"]), ...maybe() }]
    if (kind < 82) return [{ does: "stop", ...maybe() }]
    if (kind < 88) {
      return [
        from.percent(30)
          ? { does: "withdraw" }
          : { does: "reinstate", gap: from.one(["COVERED", "NOT_COVERED"]) }
      ]
    }
    if (kind < 93) return [{ does: "revert", on: place(), change: from.below(6) }]
    const days = Math.min(from.one([1, 4, 6, 15, 30, 90, 300]), lastDay - today)
    today += days
    return [{ does: "wait", days }]
  }
  const starts = from.one([-15, -3, 0, 3, 10, 25, 40])
  const early = Array.from({ length: from.below(4) }, () =>
    from.percent(60) ? [data()] : asset()
  ).flat()
  const commands: Array<Command> = [...early, ...(from.percent(90) ? sale : [])]
  while (commands.length < length) commands.push(...one())
  return { starts, commands }
}
