/** What is wrong with the part of a product's document that is about claims. */
import type { Product, ProductFault } from "../Product.ts"
import { duplicates, questionFaults, strangers } from "../ProductFieldFaults.ts"
import type { PerilOption } from "../ProductRating.ts"
import { claimNames, type ProductClaims } from "./ProductClaims.ts"
import { unknownName } from "../../values/ClosestName.ts"
import { isSubDay } from "../../values/Duration.ts"

type Faults = Generator<ProductFault, void>
type Parts = Pick<Product, "claims" | "perils" | "stopReasons">

const idsOf = (entries: ReadonlyArray<{ readonly id: string }>) => entries.map(({ id }) => id)

export function* claimFaults({ claims, perils, stopReasons }: Parts): Faults {
  if (claims === undefined) return
  const perilIds = idsOf(perils)
  const types = idsOf(claims.lossTypes)
  yield* duplicates("/claims/lossTypes", "id", types)
  yield* duplicates("/claims/exclusions", "id", idsOf(claims.exclusions))
  yield* duplicates("/claims/deadlines", "id", idsOf(claims.deadlines))
  yield* lossTypeFaults(claims, perilIds)
  yield* declareFaults(claims, types)
  yield* perilFaults(claims, perils)
  for (const [index, { perils: named = [] }] of claims.exclusions.entries()) {
    yield* strangers(`/claims/exclusions/${index}/perils`, named, perilIds, "/perils")
  }
  for (const [index, { lossTypes = [] }] of claims.deadlines.entries()) {
    const pointer = `/claims/deadlines/${index}/lossTypes`
    yield* strangers(pointer, lossTypes, types, "/claims/lossTypes")
  }
  yield* workingFaults(claims)
  const reason = claims.stopAfterClaim?.reason
  const reasons = idsOf(stopReasons)
  if (reason !== undefined && !reasons.includes(reason)) {
    const message = unknownName(reason, reasons, "/stopReasons")
    yield { pointer: "/claims/stopAfterClaim/reason", message }
  }
}

function* lossTypeFaults({ lossTypes }: ProductClaims, perilIds: ReadonlyArray<string>): Faults {
  for (const [index, { facts, needsDecree, perils }] of lossTypes.entries()) {
    const at = `/claims/lossTypes/${index}`
    yield* duplicates(`${at}/perils`, "", perils)
    yield* strangers(`${at}/perils`, perils, perilIds, "/perils")
    yield* questionFaults(facts, `${at}/facts`)
    for (const [place, { key }] of facts.entries()) {
      if (!claimNames.some((name) => name === key)) continue
      const message = `Choose another key; every claim says ${key} of itself.`
      yield { pointer: `${at}/facts/${place}/key`, message }
    }
    if (needsDecree === false) {
      yield { pointer: `${at}/needsDecree`, message: "Write true, or leave it out." }
    }
  }
}

/** Each loss type has one time in which it is declared. */
function* declareFaults(
  { declareWithin, lossTypes }: ProductClaims,
  types: ReadonlyArray<string>
): Faults {
  const seen = new Set<string>()
  for (const [index, { from, lossTypes: named }] of declareWithin.entries()) {
    const at = `/claims/declareWithin/${index}`
    yield* strangers(`${at}/lossTypes`, named ?? [], types, "/claims/lossTypes")
    // An entry for all types counts as one of a type that no list can name.
    for (const type of named ?? [""]) {
      if (seen.has(type)) {
        const what = type === "" ? "every type that has none of its own" : type
        yield { pointer: at, message: `Leave it out; an earlier entry is for ${what}.` }
      }
      seen.add(type)
      const needsDecree = lossTypes.find(({ id }) => id === type)?.needsDecree === true
      if (from !== undefined && !needsDecree) {
        const message =
          "Name loss types that need a decree; others have none that it could run from."
        yield { pointer: `${at}/from`, message }
      }
    }
  }
}

function* perilFaults({ perils: given }: ProductClaims, perils: Product["perils"]): Faults {
  for (const [
    perilId,
    { deductibleOption, limitOption, territory = [], waiting }
  ] of Object.entries(given)) {
    const at = `/claims/perils/${perilId}`
    const peril = perils.find(({ id }) => id === perilId)
    if (peril === undefined) {
      yield { pointer: at, message: unknownName(perilId, idsOf(perils), "/perils") }
      continue
    }
    yield* optionFaults(`${at}/deductibleOption`, deductibleOption, peril.options, "DEDUCTIBLE")
    yield* optionFaults(`${at}/limitOption`, limitOption, peril.options, "LIMIT")
    yield* duplicates(`${at}/territory`, "", territory)
    if (waiting !== undefined && isSubDay(waiting)) {
      yield { pointer: `${at}/waiting/unit`, message: "Choose whole days." }
    }
  }
}

function* optionFaults(
  pointer: string,
  optionId: string | undefined,
  options: ReadonlyArray<PerilOption>,
  kind: PerilOption["kind"]
): Faults {
  if (optionId === undefined) return
  const fitting = options.filter((option) => option.kind === kind).map(({ id }) => id)
  if (!fitting.includes(optionId)) {
    const message =
      fitting.length === 0
        ? `Leave it out; the peril has no option of kind ${kind}.`
        : `Choose one of: ${fitting.join(", ")}.`
    yield { pointer, message }
  }
}

function* workingFaults({ deadlines }: ProductClaims): Faults {
  for (const [index, { duration, working }] of deadlines.entries()) {
    if (working === true && duration.unit !== "DAY") {
      const message = "Write a duration of days; only those can be working days."
      yield { pointer: `/claims/deadlines/${index}/duration/unit`, message }
    }
  }
}
