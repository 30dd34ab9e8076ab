/** One reading of a policy's log at the instant of a loss: every check, and the terms of the line. */
import type { CoverCheck, CoverCheckId } from "./CoverCheck.ts"
import { begunFrom, inForce } from "./CoverInForce.ts"
import type { CoverQuestion, CoverTerms } from "./CoverTerms.ts"
import type { Deductible } from "../products/claims/Deductible.ts"
import { addWorkingDays } from "./WorkingDays.ts"
import { startOf } from "../assets/AssetLife.ts"
import type { Change } from "../policies/Change.ts"
import { segments, stateAt } from "../policies/ChangeView.ts"
import type { AssetOnPolicy, PolicyState } from "../policies/PolicyState.ts"
import type { Product } from "../products/Product.ts"
import type { Field } from "../products/ProductFields.ts"
import type { CoveredPeril } from "../products/sale/Selected.ts"
import type { CustomFieldValue } from "../values/CustomField.ts"
import { type Instant, max } from "../values/Instant.ts"
import { addDays } from "../values/LocalDate.ts"
import { localDate, plus, startOfDay } from "../values/TimeZone.ts"

export interface CoverReading {
  /** All but the one that compares two readings. */
  readonly checks: ReadonlyArray<CoverCheck>
  readonly deductible?: Deductible | undefined
  readonly limit?: number | undefined
  readonly productVersion: string
}

/** What the line meets at an instant. */
interface Met {
  readonly state: PolicyState
  readonly terms: CoverTerms
  readonly peril: CoveredPeril | undefined
  readonly asset: AssetOnPolicy | undefined
}

/** Reads what some changes of a log make of a policy at the instant of the loss. */
export const read = (question: CoverQuestion, changes: ReadonlyArray<Change>): CoverReading => {
  const { base, incident, line } = question
  // What commands record is such a state, but for a policy that no one has created yet.
  const state = stateAt(changes, { ...base, whenAt: incident.at }) as unknown as PolicyState
  const met = metAt(question, state, incident.at)
  const rules = met.terms.perils[line.perilId] ?? {}
  return {
    checks: [
      inForce(met.terms.product, state, {
        at: incident.at,
        coveredWhileSuspended: rules.coveredWhileSuspended === true,
        firstPremiumInFlight: question.firstPremiumInFlight === true
      }),
      perilCheck(question, met),
      assetCheck(question, met),
      waitingCheck(question, met, changes),
      territoryCheck(question, rules.territory),
      ...exclusionChecks(question, met),
      decreeCheck(question, met.terms),
      declaredInTime(question, met.terms),
      declarationCheck(question, met)
    ],
    deductible: met.terms.deductible ?? deductibleOf(met.peril, rules.deductibleOption),
    limit: amountOf(met.peril, "LIMIT", rules.limitOption),
    productVersion: met.terms.product.version
  }
}

const metAt = ({ line, termsOf }: CoverQuestion, state: PolicyState, at: Instant): Met => {
  const terms = termsOf(state)
  const { assetId } = line
  const asset = assetId === undefined ? undefined : state.assets?.[assetId]
  const isOn =
    asset !== undefined &&
    startOf(state, asset) <= at &&
    (asset.stoppedAt === undefined || at < asset.stoppedAt)
  return {
    state,
    terms,
    peril: terms.covered(state.selection).find(({ peril }) => peril.id === line.perilId),
    asset: isOn ? asset : undefined
  }
}

const checked = (
  id: CoverCheckId,
  outcome: CoverCheck["outcome"],
  because: string,
  source: string
): CoverCheck => ({ id, outcome, because, source })

const perilCheck = ({ line }: CoverQuestion, { peril, terms }: Met): CoverCheck => {
  const { perilsOfType } = terms
  if (peril === undefined) {
    return checked(
      "PERIL",
      "FAIL",
      "The peril was not chosen at the instant of the loss.",
      "POLICY"
    )
  }
  if (perilsOfType === undefined) {
    return checked("PERIL", "REFER", "The product did not know losses of the type then.", "PRODUCT")
  }
  return perilsOfType.includes(line.perilId)
    ? checked("PERIL", "PASS", "The peril was chosen at the instant of the loss.", "POLICY")
    : checked("PERIL", "FAIL", "The peril does not cover losses of the type.", "PRODUCT")
}

const assetCheck = ({ line }: CoverQuestion, { asset, terms }: Met): CoverCheck => {
  const say = (outcome: CoverCheck["outcome"], because: string) =>
    checked("ASSET", outcome, because, "POLICY")
  if (terms.product.assets.max === 0) return say("PASS", "The product insures no assets.")
  if (line.assetId === undefined) return say("REFER", "The claim does not name the asset.")
  return asset === undefined
    ? say("FAIL", "The asset was not on the policy at the instant of the loss.")
    : say("PASS", "The asset was on the policy at the instant of the loss.")
}

/**
 * The wait runs from the day on which the contract began to cover the peril on the asset, up to the loss without
 * a break. A renewal begins none, nor does a suspension: what it suspends resumes (art. L113-3).
 */
const waitingCheck = (
  question: CoverQuestion,
  met: Met,
  changes: ReadonlyArray<Change>
): CoverCheck => {
  const say = (outcome: CoverCheck["outcome"], because: string) =>
    checked("WAITING_PERIOD", outcome, because, "PRODUCT")
  const waiting = met.terms.perils[question.line.perilId]?.waiting
  if (waiting === undefined) return say("PASS", "The product sets no waiting period.")
  const since = coveredSince(question, changes)
  if (since === undefined) return say("PASS", "Nothing was covered that a wait could run from.")
  const { timeZone } = met.terms.product
  const until = plus(startOfDay(localDate(since, timeZone), timeZone), waiting, 1, timeZone)
  return question.incident.at < until
    ? say("FAIL", `The waiting period ran until ${until}.`)
    : say("PASS", `The waiting period was over at ${until}.`)
}

const coveredSince = (
  question: CoverQuestion,
  changes: ReadonlyArray<Change>
): Instant | undefined => {
  const { at } = question.incident
  let since: Instant | undefined
  for (const { from, state, to } of segments(changes, question.base)) {
    if (from > at) break
    // What commands record is such a state.
    const begins = coveredFrom(question, state as unknown as PolicyState, from)
    if (begins === undefined || begins > at || (to !== undefined && begins >= to)) since = undefined
    else if (since === undefined || begins > from) since = begins
  }
  return since
}

/** From when on a state that holds from an instant on covers the line; `undefined` where it does not. */
const coveredFrom = (
  question: CoverQuestion,
  state: PolicyState,
  from: Instant
): Instant | undefined => {
  const { assetId } = question.line
  const asset = assetId === undefined ? undefined : state.assets?.[assetId]
  const entered = asset === undefined ? from : max(from, startOf(state, asset))
  const { asset: covered, peril, terms } = metAt(question, state, entered)
  const begun = begunFrom(terms.product, state, from)
  if (begun === undefined || peril === undefined) return undefined
  if (terms.product.assets.max === 0 || assetId === undefined) return begun
  return covered === undefined ? undefined : max(begun, entered)
}

const territoryCheck = (
  { incident }: CoverQuestion,
  territory: ReadonlyArray<string> | undefined
): CoverCheck => {
  const say = (outcome: CoverCheck["outcome"], because: string) =>
    checked("TERRITORY", outcome, because, "PRODUCT")
  if (territory === undefined) return say("PASS", "The peril is covered everywhere.")
  const { country } = incident
  if (country === undefined) return say("REFER", "The country of the loss is not known.")
  return territory.includes(country)
    ? say("PASS", `The peril is covered in ${country}.`)
    : say("FAIL", `The peril is not covered in ${country}.`)
}

const exclusionChecks = (question: CoverQuestion, met: Met): ReadonlyArray<CoverCheck> =>
  met.terms.exclusions
    .filter(({ perils }) => perils?.includes(question.line.perilId) ?? true)
    .map((exclusion) => {
      const say = (outcome: CoverCheck["outcome"], because: string): CoverCheck => ({
        ...checked("EXCLUSION", outcome, because, "PRODUCT"),
        ruleId: exclusion.id
      })
      const asks = exclusion.reads.filter((name) => valueOf(question, met, name) === undefined)
      if (asks.length > 0) {
        return { ...say("REFER", `It is not known whether this holds: ${exclusion.label}.`), asks }
      }
      const holds = exclusion.holds((name) => valueOf(question, met, name)!)
      if (holds === undefined) return say("REFER", `This has no answer: ${exclusion.label}.`)
      return holds
        ? say("FAIL", `It is excluded: ${exclusion.label}.`)
        : say("PASS", `This does not hold: ${exclusion.label}.`)
    })

/** What the claim says of a name; else the field of the asset, then that of the policy. */
const valueOf = (
  { facts }: CoverQuestion,
  { asset, state }: Pick<Met, "asset" | "state">,
  name: string
): CustomFieldValue | undefined =>
  own(facts, name) ?? own(asset?.customFields, name) ?? own(state.customFields, name)

const own = (
  values: Readonly<Record<string, CustomFieldValue>> | undefined,
  name: string
): CustomFieldValue | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined

const decreeCheck = ({ decreePublishedOn }: CoverQuestion, terms: CoverTerms): CoverCheck => {
  const say = (outcome: CoverCheck["outcome"], because: string) =>
    checked("DECREE", outcome, because, "L125-1")
  if (!terms.needsDecree) return say("PASS", "The loss needs no decree.")
  return decreePublishedOn === undefined
    ? say("REFER", "No decree for the place and day of the loss has been published.")
    : say("PASS", `The decree was published on ${decreePublishedOn}.`)
}

/** A late declaration costs cover only where the contract says so and the insurer shows harm (art. L113-2). */
const declaredInTime = (
  { declaredAt, decreePublishedOn, incident }: CoverQuestion,
  { declareWithin }: CoverTerms
): CoverCheck => {
  const say = (outcome: CoverCheck["outcome"], because: string) =>
    checked("DECLARED_IN_TIME", outcome, because, "L113-2")
  if (declareWithin === undefined) return say("PASS", "The product sets no time to declare.")
  const { days, from, working } = declareWithin
  const on = from === undefined ? localDate(incident.at, incident.timeZone) : decreePublishedOn
  if (on === undefined) return say("PASS", "The time to declare begins with the decree.")
  const last = working ? addWorkingDays(on, days) : addDays(on, days)
  return localDate(declaredAt, incident.timeZone) > last
    ? say("REFER", `It was declared after ${last}.`)
    : say("PASS", `It was declared by ${last}.`)
}

/** A claim that contradicts what the price goes by: the indemnity may be reduced in proportion (art. L113-9). */
const declarationCheck = (question: CoverQuestion, met: Met): CoverCheck => {
  const { fields } = met.terms.product
  const contradicts = (declared: ReadonlyArray<Field>, values: PolicyState["customFields"] = {}) =>
    declared.flatMap(({ key, priced }) => {
      const [claimed, known] = [own(question.facts, key), own(values, key)]
      return priced && claimed !== undefined && known !== undefined && claimed !== known
        ? [key]
        : []
    })
  const keys = [
    ...contradicts(fields.asset, met.asset?.customFields),
    ...contradicts(fields.policy, met.state.customFields)
  ]
  return keys.length === 0
    ? checked("DECLARATION", "PASS", "The claim contradicts nothing that was priced.", "L113-9")
    : checked("DECLARATION", "REFER", `The claim contradicts ${keys.join(", ")}.`, "L113-9")
}

const deductibleOf = (
  peril: CoveredPeril | undefined,
  option: string | undefined
): Deductible | undefined => {
  const amount = amountOf(peril, "DEDUCTIBLE", option)
  return amount === undefined ? undefined : { amount }
}

/** The amount of the option that the product names, else of the peril's only one of its kind. */
const amountOf = (
  covered: CoveredPeril | undefined,
  kind: Product["perils"][number]["options"][number]["kind"],
  optionId: string | undefined
): number | undefined =>
  covered?.options.find(({ option }) =>
    optionId === undefined ? option.kind === kind : option.id === optionId
  )?.value.amount
