/** Cover by a reading of its own: each question folds the log anew, with the view that knows no short cuts. */
import type { CoverQuestion } from "../../src/claims/CoverTerms.ts"
import type { Change, JsonObject } from "../../src/policies/Change.ts"
import { fromEpochMillis, type Instant, toEpochMillis } from "../../src/values/Instant.ts"
import { instantsOf, stateAt } from "../NaiveView.ts"
import { assetId } from "./VehicleTerms.ts"

type Outcome = "PASS" | "FAIL" | "REFER"
export type Reading = Readonly<Record<string, Outcome | number | undefined>>

interface State {
  readonly signedAt?: Instant
  readonly startedAt: Instant
  readonly firstPaidAt?: Instant
  readonly contract?: string
  readonly terms?: number
  readonly productVersion?: string
  readonly selection?: { readonly perils: ReadonlyArray<Choice> }
  readonly assets?: Readonly<Record<string, Vehicle>>
}
interface Choice {
  readonly id: string
  readonly included?: boolean
  readonly options?: { readonly OWN: string }
}
interface Vehicle {
  readonly startedAt?: Instant
  readonly stoppedAt?: Instant
  readonly customFields: { readonly usage: string }
}

const at = (question: CoverQuestion, log: ReadonlyArray<Change>, whenAt: Instant): State => {
  const state: JsonObject = stateAt(log, { ...question.base, whenAt })
  return state as unknown as State
}

const isGated = ({ termsOf }: CoverQuestion) =>
  termsOf({}).product.activation.firstPayment === "GATE"

/** Whether a contract runs, or has begun and is suspended. */
const hasBegun = (question: CoverQuestion, state: State, whenAt: Instant): boolean => {
  if (state.signedAt === undefined || state.contract === "STOPPED") return false
  if (state.contract !== "NOT_STARTED") return true
  return state.startedAt <= whenAt && (!isGated(question) || state.firstPaidAt !== undefined)
}

const vehicleAt = (state: State, whenAt: Instant): Vehicle | undefined => {
  const vehicle = state.assets?.[assetId]
  if (vehicle === undefined || whenAt < state.startedAt) return undefined
  if (vehicle.startedAt !== undefined && whenAt < vehicle.startedAt) return undefined
  return vehicle.stoppedAt !== undefined && vehicle.stoppedAt <= whenAt ? undefined : vehicle
}

const choiceOf = ({ selection }: State, perilId: string) =>
  selection?.perils.find(({ id }) => id === perilId)

const isChosen = (state: State, perilId: string) => choiceOf(state, perilId)?.included !== false

const days = (instant: Instant, n: number) =>
  fromEpochMillis(toEpochMillis(instant) + n * 86_400_000)

/** What a log says of the line, check by check. */
export const reading = (question: CoverQuestion, log: ReadonlyArray<Change>): Reading => {
  const { incident, line } = question
  const state = at(question, log, incident.at)
  const vehicle = line.assetId === undefined ? undefined : vehicleAt(state, incident.at)
  const usage = vehicle?.customFields.usage
  return {
    IN_FORCE: inForce(question, state),
    PERIL: isChosen(state, line.perilId) ? "PASS" : "FAIL",
    ASSET: line.assetId === undefined ? "REFER" : vehicle === undefined ? "FAIL" : "PASS",
    WAITING_PERIOD: line.perilId === "THEFT" ? waiting(question, log) : "PASS",
    ...(line.perilId === "DAMAGE" ? exclusion(state, usage) : {}),
    deductible: !isChosen(state, line.perilId)
      ? undefined
      : choiceOf(state, line.perilId)?.options?.OWN === "HIGH"
        ? 60_000
        : 30_000
  }
}

/** Each version has one exclusion of its own. */
const exclusion = ({ productVersion = "1" }: State, usage: string | undefined): Reading => {
  const excluded = productVersion === "1" ? "TAXI" : "PRIVATE"
  return {
    [`EXCLUSION ${excluded}`]: usage === undefined ? "REFER" : usage === excluded ? "FAIL" : "PASS"
  }
}

/** Whether a change counts as known at the loss: it was recorded by then, or law or calendar brought it about. */
export const isKnownThen = (
  { changes, incident, moneyByHand }: CoverQuestion,
  { author, kind, recordedAt, seq }: Change
): boolean => {
  if (recordedAt <= incident.at) return true
  if (author === "renewals" && kind !== "STOP") {
    // Histories merge one change, right after the branch was rebased.
    const branchId = changes.find((change) => change.seq === seq - 1)!.branchId
    return changes
      .filter((change) => change.branchId === branchId && change.author === "user")
      .every((change) => change.recordedAt <= incident.at || change.recordedAt > recordedAt)
  }
  const isDatedBack = moneyByHand.some(
    (money) =>
      money.at <= incident.at && money.recordedAt > incident.at && money.recordedAt <= recordedAt
  )
  const gives = ["FIRST_PAYMENT", "START", "REACTIVATE", "REVERT"].includes(kind)
  return author !== "user" && !(isDatedBack && gives)
}

const inForce = (question: CoverQuestion, state: State): Outcome => {
  if (state.signedAt === undefined || state.contract === "STOPPED") return "FAIL"
  if (question.incident.at >= days(state.startedAt, 14 * (state.terms ?? 1))) return "REFER"
  if (state.contract === "SUSPENDED") return question.line.perilId === "RC" ? "PASS" : "FAIL"
  return hasBegun(question, state, question.incident.at) ? "PASS" : "FAIL"
}

/** The first of the instants in a row, up to the loss, at which the contract covered the peril on the vehicle. */
const waiting = (question: CoverQuestion, log: ReadonlyArray<Change>): Outcome => {
  const { incident, line } = question
  const instants = new Set(
    instantsOf(log).flatMap((from) => {
      const { assets, startedAt } = at(question, log, from)
      const entered = assets?.[assetId]?.startedAt
      return [from, startedAt, ...(entered === undefined ? [] : [entered])]
    })
  )
  let since: Instant | undefined
  for (const from of [...instants].sort()) {
    if (from > incident.at) break
    const state = at(question, log, from)
    const isOn = line.assetId === undefined || vehicleAt(state, from) !== undefined
    if (!hasBegun(question, state, from) || !isChosen(state, "THEFT") || !isOn) since = undefined
    else since ??= from
  }
  if (since === undefined) return "PASS"
  // Days of histories begin at 01:00 in Paris, an hour after the local day does.
  return incident.at < days(fromEpochMillis(toEpochMillis(since) - 3_600_000), 3) ? "FAIL" : "PASS"
}
