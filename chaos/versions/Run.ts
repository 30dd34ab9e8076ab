/** Lives that are lived by the product and by the model, compared after each command, and made shorter. */
import { Effect } from "effect"
import { type Draw, drawing } from "../Draw.ts"
import { type Command, draw as drawLife, type Life, type Place } from "./Commands.ts"
import { contractAt, isStopShown, openStops, valueAt } from "./Facts.ts"
import { priceOf } from "./Bicycle.ts"
import * as Bicycles from "./Bicycles.ts"
import { base, sale } from "./Branches.ts"
import { renewalAfter } from "./Calendar.ts"
import * as Fleet from "./Fleet.ts"
import { Model } from "./Model.ts"
import * as People from "./People.ts"
import * as Scene from "./Scene.ts"

/** What two say of one thing. */
export interface Difference {
  readonly after: Command
  readonly what: string
  readonly product: unknown
  readonly model: unknown
}

interface Asked {
  readonly place: Place
  readonly whenAt?: number
  readonly knownAt?: number
}

const statuses: Readonly<Record<string, string>> = {
  SIGNED: "POLICY_SIGNED",
  STARTED: "POLICY_STARTED",
  SUSPENDED: "POLICY_SUSPENDED",
  STOPPED: "POLICY_STOPPED",
  DRAFT: "POLICY_CREATED",
  QUOTED: "POLICY_QUOTED",
  CONFIRMED: "POLICY_CONFIRMED"
}

/** What the model says to a question; `undefined` where it says nothing. */
export const expected = (model: Model, { knownAt, place, whenAt }: Asked) => {
  const known = knownAt ?? Infinity
  const now = knownAt ?? model.now
  const isSigned = model.signedAt !== undefined && model.signedAt <= known
  const branch = place === 0 ? (isSigned ? base : sale) : place
  if (branch !== base && model.offers[branch]!.opened > known) return undefined
  const shown = model.shown(branch, known)
  const own = shown.filter((fact) => fact.branch === branch && fact.kind === "data")
  const last = Math.max(
    now,
    branch === base ? now : model.offers[branch]!.at,
    ...own.map(({ at }) => at)
  )
  const usual = branch === base ? now : branch === sale ? Infinity : last
  const time = whenAt ?? usual
  const contract = contractAt(shown, time)
  const stage = branch === base ? "CONFIRMED" : model.stageOf(branch, known)
  const level = valueAt(shown, "level", time)
  const from =
    branch === base || branch === sale
      ? model.starts
      : Math.max(model.starts, model.offers[branch]!.at)
  const status = branch === sale ? stage : (contract ?? "CONFIRMED")
  const worth = Fleet.priced(shown, time).map(([, value]) => Number(value))
  const isPriced = stage === "QUOTED" || (stage === "CONFIRMED" && (branch !== base || isSigned))
  return {
    memo: valueAt(shown, "memo", time),
    level,
    status: statuses[status],
    stop: isStopShown(shown, time),
    people: People.onIt(shown, time),
    nextRenewalAt: renewalAfter(model.starts, whenAt ?? now),
    assets: Fleet.onIt(shown, time),
    // Without a time also those are there that come later, as they will be then.
    ...(whenAt === undefined ? {} : { fleet: Fleet.listed(shown, time, status) }),
    ...(stage === "DRAFT" ? { price: undefined } : {}),
    // Where it is stopped the price is that of what the stop hides, so that it can be undone.
    ...(isPriced && time >= from && contract !== "STOPPED"
      ? { price: priceOf(Number(level), worth) }
      : {})
  }
}

const said = (answer: Scene.Read | string, wanted: object, { assets, people }: Scene.Scene) => {
  if (typeof answer === "string") return answer
  const read = answer.policy
  const fieldOf = (key: string) => read.customFields?.find((field) => field.key === key)?.value
  const all = {
    memo: fieldOf("memo"),
    level: fieldOf("level"),
    status: read.status,
    stop: read.stop !== undefined,
    people: People.shownOf(people, read.customers),
    nextRenewalAt: read.nextRenewalAt,
    assets: Bicycles.numbersOf(assets, read.assets),
    fleet: Bicycles.shownOf(assets, answer.assets),
    price: read.quote?.totalPremium.amountWithFeesAndTaxes
  }
  // Only what the model says something of is compared.
  return Object.fromEntries(Object.entries(all).filter(([key]) => key in wanted))
}

const questions = (model: Model, from: Draw): ReadonlyArray<Asked> => {
  const places = [0, ...model.offers.slice(1).map(({ id }) => id)]
  const days = [...new Set(model.facts.flatMap(({ at }) => (at === -Infinity ? [] : [at, at - 1])))]
  const anniversaries = [365, 730, 731].map((after) => model.starts + after)
  const dayOf = () => from.one([model.now, model.starts, ...anniversaries, ...days])
  const plain = places.map((place): Asked => ({ place }))
  const drawn = Array.from({ length: 4 }, (): Asked => ({
    place: from.one(places),
    ...(from.percent(80) ? { whenAt: dayOf() } : {}),
    ...(from.percent(35) ? { knownAt: from.below(model.now + 1) } : {})
  }))
  return [...plain, ...drawn]
}

const isWrong = (command: Command): boolean =>
  (Fleet.isOfAsset(command) && Fleet.isWrong(command)) ||
  (command.does === "data" &&
    (command.key === "ghost" ||
      (command.key === "memo"
        ? typeof command.value !== "string" || command.value.length < 1 || command.value.length > 20
        : typeof command.value !== "number" ||
          command.value < 10_000 ||
          command.value > 1_000_000)))

const placesOf = (command: Command): Place | undefined => ("on" in command ? command.on : undefined)

/** Whether a command is one that is asked at all: on a branch that is there, and what the model follows. */
const isAsked = (model: Model, command: Command): boolean => {
  const place = placesOf(command)
  if (place !== undefined && model.branchOf(place) === undefined) return false
  const isOfBranch = ["fork", "invalidate", "rebase"].includes(command.does)
  if (isOfBranch && place === 0) return false
  if (Fleet.isOfAsset(command) && command.does !== "add") return isKnown(model, command.asset)
  return (
    command.does !== "revert" ||
    model.ofChange(model.branchOf(command.on)!, command.change).length > 0
  )
}

/** Whether an asset was ever added. */
const isKnown = (model: Model, asset: number): boolean =>
  model.facts.some(({ key }) => key === Fleet.units[asset]![0])

/** A step of an offer goes on where there are as many assets as there may be, each with all that it needs. */
const fleetFault = (
  model: Model,
  command: Command,
  refused: string | undefined
): string | undefined => {
  if (command.does !== "quote" && command.does !== "confirm") return undefined
  const branch = model.branchOf(command.on)!
  const shown = model.shown(branch)
  if (branch === base || openStops(shown).length > 0) return undefined
  const from = Math.max(model.starts, branch === sale ? -Infinity : model.offers[branch]!.at)
  const times = [from, ...shown.map(({ at }) => at).filter((at) => at > from)]
  const isSaleable = times.every((time) => Fleet.isSaleable(shown, time))
  if (refused === undefined) return isSaleable ? undefined : "what it insures can't be sold"
  return refused === "InvalidCustomField" && isSaleable ? "what it insures can be sold" : undefined
}

/** Refusals that only a contradiction, or only a wrong value, explains. */
const refusalFault = (
  model: Model,
  command: Command,
  outcome: Scene.Outcome
): string | undefined => {
  const refused = outcome === "done" ? undefined : outcome.refused
  if (isWrong(command)) return refused === undefined ? "a wrong value is refused" : undefined
  const isData = command.does === "data" || Fleet.isOfAsset(command)
  if (refused === "InvalidCustomField" && isData) return "a right value is taken"
  if (Fleet.isOfAsset(command) && refused === undefined) return Fleet.fault(model, command)
  const ofFleet = fleetFault(model, command, refused)
  if (ofFleet !== undefined) return ofFleet
  const isMerge = command.does === "rebase" || (command.does === "sign" && command.on > 0)
  if (!isMerge || model.over !== undefined) return undefined
  const branch = model.branchOf(command.on)!
  if (model.isBlurred(branch)) return undefined
  const isConflict = model.contradicts(branch)
  if (refused === undefined && isConflict) return "a conflict is told"
  return refused === "BranchConflict" && !isConflict ? "there is no conflict" : undefined
}

export interface Lived {
  readonly difference?: Difference
  readonly commands: number
  readonly accepted: number
  readonly reads: number
}

/** Lives a life on a tenant of its own; the seed draws what is asked after each command. */
export const live = Effect.fn("Run.live")(function* (life: Life, seed: number) {
  const scene = yield* Scene.open(life)
  const model = new Model(life.starts)
  model.accept({ does: "data", on: 0, key: "memo", value: "start" })
  model.accept({ does: "data", on: 0, key: "level", value: 500_000 })
  model.offers[sale]!.changes = 0
  model.unnumber()
  model.accept({ does: "add", on: 0, asset: 0, fields: { value: Scene.first } })
  const counts = { commands: 0, accepted: 0, reads: 0 }
  for (const [index, command] of life.commands.entries()) {
    // What is asked hangs on the command alone, so that a shorter life asks the same.
    const from = drawing(seed * 31 + index)
    if (!isAsked(model, command)) continue
    const outcome = yield* Scene.perform(scene, command, model.now)
    counts.commands++
    const fault = refusalFault(model, command, outcome)
    if (fault !== undefined) {
      return {
        ...counts,
        difference: { after: command, what: fault, product: outcome, model: fault }
      }
    }
    if (outcome === "done") {
      counts.accepted++
      model.accept(People.asData(model, command, index))
    }
    if (model.over !== undefined) break
    for (const asked of questions(model, from)) {
      const wanted = expected(model, asked)
      if (wanted === undefined) continue
      counts.reads++
      const is = said(yield* Scene.read(scene, asked), wanted, scene)
      if (textOf(is) === textOf(wanted)) continue
      const what = JSON.stringify(asked)
      return { ...counts, difference: { after: command, what, product: is, model: wanted } }
    }
  }
  return counts satisfies Lived as Lived
})

/** The members in an order of their own; those of an asset are in the same one everywhere. */
const textOf = (value: object | string): string =>
  JSON.stringify(typeof value === "string" ? value : Object.entries(value).sort())

/** The shortest life found that still differs: commands are left out, more at a time at first. */
export const shrink = Effect.fn("Run.shrink")(function* (life: Life, seed: number) {
  let commands = life.commands
  const differs = (candidate: Life) =>
    Effect.map(live(candidate, seed), ({ difference }) => difference !== undefined)
  for (let size = Math.ceil(life.commands.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < commands.length;) {
      const fewer = commands.toSpliced(at, size)
      if (yield* differs({ starts: life.starts, commands: fewer })) commands = fewer
      else at += size
    }
  }
  return { starts: life.starts, commands } satisfies Life
})

export const lifeOf = (seed: number): Life => {
  const from = drawing(seed)
  return drawLife(from, 8 + from.below(30))
}
