/** What is insured on a policy: what is said of each asset, as the model keeps it, and which commands can't be. */
import type { Draw } from "../Draw.ts"
import type { Day, Place } from "./Commands.ts"
import { type Fact, type Time, valueAt } from "./Facts.ts"
import type { Model } from "./Model.ts"

/** Assets by number: the first is there from the beginning, the others may come. */
export const assets = [0, 1, 2, 3, 4, 5, 6, 7] as const

/** How many a policy has at least and at most while their cover has not ended. */
export const limits = { min: 1, max: 3 }

interface OfAsset {
  readonly on: Place
  readonly asset: number
  readonly day?: Day
}

export type AssetCommand =
  | (OfAsset & {
      readonly does: "add"
      /** A start of its own; nothing else says then when it comes. */
      readonly starts?: Day
      readonly fields: Readonly<Record<string, string | number>>
    })
  | (OfAsset & {
      readonly does: "change"
      /** A field, or its name. */
      readonly key: string
      readonly value: string | number
    })
  | (OfAsset & { readonly does: "end" })
  | (OfAsset & { readonly does: "remove" })

const members = ["value", "colour", "name", "started", "stopped"] as const

const keyOf = (asset: number): string => `asset ${asset}`

const memberKey = (asset: number, member: string): string => `${keyOf(asset)} ${member}`

/** The keys of each asset together, the one that says whether it is there first. */
export const units: ReadonlyArray<ReadonlyArray<string>> = assets.map((asset) => [
  keyOf(asset),
  ...members.map((member) => memberKey(asset, member))
])

const rightValues = [10_000, 20_000, 30_000, 1_000_000]
const wrongFields = [
  { value: 9_999 },
  { value: 1_000_001 },
  { value: "much" },
  { value: 10_000, ghost: "x" },
  { value: 10_000, colour: 7 }
]

/** Where a command is drawn to work, from when on, and the number that the next asset would have. */
interface Drawn {
  readonly on: Place
  readonly day: { readonly day?: Day }
  readonly next: number
}

const add = (from: Draw, { day, next, on }: Drawn): AssetCommand => {
  const right = from.percent(90) ? { value: from.one(rightValues) } : {}
  const fields = from.percent(90) ? right : from.one(wrongFields)
  const coloured = from.percent(30) ? { colour: "red", ...fields } : fields
  const starts = day.day !== undefined && from.percent(40) ? { starts: day.day } : day
  return { does: "add", on, asset: next, ...starts, fields: coloured }
}

const later = (from: Draw, at: OfAsset): AssetCommand => {
  const kind = from.below(10)
  // What is taken away was never there, so that it takes no day.
  if (kind > 7) return { does: "remove", on: at.on, asset: at.asset }
  if (kind > 4) return { does: kind < 7 ? "end" : "remove", ...at }
  const [key, value] = from.one([
    ["value", from.one(rightValues)],
    ["value", from.one(rightValues)],
    ["value", from.one([0, 1_000_001, "much"])],
    ["colour", from.one(["red", "blue"])],
    ["name", from.one(["old", "new"])],
    ["colour", 7],
    ["ghost", "x"]
  ])
  return { does: "change", ...at, key: String(key), value: value! }
}

/** Draws commands on one asset: on any that there may be, or on one that comes. */
export const draw = (
  from: Draw,
  drawn: Drawn,
  anyDay: () => { readonly day?: Day }
): ReadonlyArray<AssetCommand> => {
  const { day, next, on } = drawn
  if (next === assets.length || from.percent(45)) {
    return [later(from, { on, asset: from.below(next), ...day })]
  }
  const follow = Array.from({ length: from.below(3) }, () =>
    later(from, { on, asset: next, ...anyDay() })
  )
  return [add(from, drawn), ...follow]
}

export const isOfAsset = (command: { readonly does: string }): command is AssetCommand =>
  ["add", "change", "end", "remove"].includes(command.does)

const isRight = (key: string, value: string | number): boolean =>
  key === "value"
    ? typeof value === "number" && value >= 10_000 && value <= 1_000_000
    : key !== "ghost" && typeof value === "string"

/** Whether it says what no asset may have. */
export const isWrong = (command: AssetCommand): boolean => {
  if (command.does === "add") return Object.entries(command.fields).some(([k, v]) => !isRight(k, v))
  return command.does === "change" && !isRight(command.key, command.value)
}

/** Since when an asset is on what is shown, the last time that it came. */
const since = (shown: ReadonlyArray<Fact>, asset: number): Time | undefined => {
  const last = shown.findLast(({ key }) => key === keyOf(asset))
  return last?.value === undefined ? undefined : last.at
}

/** Why a command can't be, as far as it hangs on the asset alone; `undefined` where it may be. */
export const fault = (model: Model, command: AssetCommand): string | undefined => {
  const { asset, does, on } = command
  const branch = model.branchOf(on)!
  const isTrunk = model.isTrunk(branch)
  if (isTrunk && (does === "add" || does === "end" || does === "remove")) {
    return "what is in force has other assets by an endorsement alone"
  }
  if (isTrunk && command.does === "change" && command.key === "value") {
    return "what has a price is changed by an endorsement alone"
  }
  if (does === "add") return undefined
  const shown = model.shown(branch)
  if (since(shown, asset) === undefined) return "the asset is not there"
  const isOwn = shown.some((fact) => fact.branch === branch && fact.key === keyOf(asset))
  if (does === "remove" && !isOwn) return "the asset is another branch's"
  const isStopped = shown.some(
    ({ key, value }) => key === memberKey(asset, "stopped") && value !== undefined
  )
  return does === "end" && isStopped ? "the cover of an asset ends once" : undefined
}

/** All that a command says of an asset, and from when on. */
export const saidOf = (model: Model, command: AssetCommand) => {
  const { asset, day, does, on } = command
  const branch = model.branchOf(on)!
  const usual = model.usualDay(branch)
  const key = keyOf(asset)
  const nothing = members.map((member) => ({ key: memberKey(asset, member), value: undefined }))
  if (command.does === "add") {
    const { fields, starts } = command
    const at = starts === undefined || starts === model.starts ? (day ?? usual) : starts
    const own = starts === undefined ? fields : { ...fields, started: starts }
    const values = members.map((member) => ({
      key: memberKey(asset, member),
      value: (own as Readonly<Record<string, string | number>>)[member]
    }))
    return { branch, at, said: [{ key, value: "there" }, ...values] }
  }
  const came = since(model.shown(branch), asset)!
  if (does === "remove") return { branch, at: came, said: [{ key, value: undefined }, ...nothing] }
  if (command.does === "change") {
    const said = [{ key: memberKey(asset, command.key), value: command.value }]
    return { branch, at: day ?? Math.max(usual, came), said }
  }
  const shown = model.shown(branch)
  const started = Number(valueAt(shown, memberKey(asset, "started"), Infinity) ?? model.starts)
  // A sale has no day of its own: who says none means today.
  const at = day ?? Math.max(usual === -Infinity ? model.now : usual, started, model.starts)
  return { branch, at, said: [{ key: memberKey(asset, "stopped"), value: at }] }
}

/** The assets that are there at a time, in the order in which they came. */
export const onIt = (shown: ReadonlyArray<Fact>, time: Time): ReadonlyArray<number> =>
  assets.filter((asset) => valueAt(shown, keyOf(asset), time) !== undefined)

/** The assets that have a price at a time, and what each is worth; without a value it is `undefined`. */
export const priced = (
  shown: ReadonlyArray<Fact>,
  time: Time
): ReadonlyArray<readonly [number, Fact["value"]]> =>
  onIt(shown, time)
    .filter((asset) => valueAt(shown, memberKey(asset, "stopped"), time) === undefined)
    .map((asset) => [asset, valueAt(shown, memberKey(asset, "value"), time)])

/** Whether a policy can be priced with what it insures at a time. */
export const isSaleable = (shown: ReadonlyArray<Fact>, time: Time): boolean => {
  const all = priced(shown, time)
  const isEnough = all.length >= limits.min && all.length <= limits.max
  return isEnough && all.every(([, value]) => value !== undefined)
}

/** An asset as it is read. */
export interface Shown {
  readonly asset: number
  readonly value: unknown
  readonly colour: unknown
  readonly name: unknown
  readonly started: unknown
  readonly stopped: unknown
  readonly status: string | undefined
}

const statuses: Readonly<Record<string, string>> = {
  DRAFT: "ASSET_CREATED",
  QUOTED: "ASSET_QUOTED",
  CONFIRMED: "ASSET_CONFIRMED",
  SIGNED: "ASSET_CONFIRMED",
  STARTED: "ASSET_STARTED",
  SUSPENDED: "ASSET_STARTED",
  STOPPED: "ASSET_STOPPED"
}

/** The assets at a time, where the policy is at a state of its contract, or of its sale. */
export const listed = (
  shown: ReadonlyArray<Fact>,
  time: Time,
  policy: string | undefined
): ReadonlyArray<Shown> =>
  onIt(shown, time).map((asset) => {
    const of = (member: string) => valueAt(shown, memberKey(asset, member), time)
    const started = of("started")
    const isEarly = started !== undefined && Number(started) > time
    const ofPolicy = policy === undefined ? undefined : statuses[policy]
    const ofAsset = isEarly && ofPolicy === "ASSET_STARTED" ? "ASSET_CONFIRMED" : ofPolicy
    const stopped = of("stopped")
    return {
      asset,
      value: of("value"),
      colour: of("colour"),
      name: of("name"),
      started,
      stopped,
      status: stopped !== undefined && policy !== undefined ? "ASSET_STOPPED" : ofAsset
    }
  })
