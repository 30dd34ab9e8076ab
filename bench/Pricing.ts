import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { exampleOf } from "@quittance/domain/products/ProductExamples"
import { compile } from "@quittance/pricing/Engine"
import { read } from "@quittance/pricing/Publishable"
import { productDefinition } from "@quittance/testing/ShippedProducts"
import { Effect, Result } from "effect"
import { type Bar, compare } from "./Interleaved.ts"
import { jsonRulesOf, ownOf, type RatedInputs, zenOf } from "./RuleEngines.ts"
import { within } from "./Within.ts"

const productOf = (name: string) => Result.getOrThrow(read(productDefinition(name)))

const startDate = "2026-03-01" as LocalDate

const sorted = (rates: Readonly<Record<string, number>>) =>
  JSON.stringify(Object.entries(rates).toSorted(([a], [b]) => (a < b ? -1 : 1)))

/**
 * A whole motor quote, with nine perils, taxes, fees and what is on the wire of it, against the time
 * it may take, and against the engines for rules that others put their tables into: the look into the
 * same tables, by values that were worked out before, and the whole quote against their look alone.
 */
export const bench = Effect.gen(function* () {
  const motor = productOf("motor-fr")
  const fleet = productOf("fleet-fr")
  const [quotes, fleets] = [compile(motor), compile(fleet)]
  const risk = { ...exampleOf(motor), startDate }
  const vehicle = exampleOf(fleet).assets[0]!
  const vehicles = Array.from({ length: 1000 }, (_, index) => ({
    customFields: {
      ...vehicle.customFields,
      power: 1 + (index % 50),
      value: 900_000 + index * 1000
    }
  }))
  const oneTier = () => quotes.price({ ...risk, tierId: "COMPREHENSIVE" })
  const wholeFleet = () =>
    fleets.price({ ...exampleOf(fleet), startDate, assets: vehicles, tierId: "COMPREHENSIVE" })
  for (const price of [oneTier, wholeFleet]) Result.getOrThrow(price())

  const inputs: RatedInputs = {
    bonusMalus: 68,
    claims: 0,
    annualMileage: 12_000,
    driverAge: 37,
    licenceYears: 18,
    vehicleAge: 6,
    group: 30,
    power: 5,
    value: 1_450_000,
    usage: "COMMUTING",
    parking: "PRIVATE_CAR_PARK",
    zone: "CITY"
  }
  const { factors } = motor.rating
  const engines = {
    "json-rules-engine": jsonRulesOf(factors),
    "@gorules/zen-engine": yield* Effect.promise(() => zenOf(factors))
  }
  const own = ownOf(factors)
  const options = { rounds: 15, operationsPerRound: 200, concurrency: 1 }
  const against: Array<Bar> = []
  for (const [name, engine] of Object.entries(engines)) {
    const found = yield* Effect.promise(() => engine(inputs))
    if (sorted(found) !== sorted(own(inputs))) {
      return yield* Effect.die(new Error(`${name} found other factors: ${JSON.stringify(found)}`))
    }
    const theirs = () => Effect.promise(() => engine(inputs))
    const ours = () => Effect.sync(() => own(inputs))
    against.push(
      yield* compare(`the factors ÷ the same by ${name}`, 0.2, theirs, ours, options),
      yield* compare(
        `a whole quote ÷ the factors alone by ${name}`,
        1,
        theirs,
        () => Effect.sync(oneTier),
        options
      )
    )
  }
  return [
    within("a motor quote of one tier, 20,000 a second", 50, 4000, oneTier),
    within("all three tiers side by side, 8,000 a second", 125, 2000, () => quotes.tiers(risk)),
    within("a fleet of 1,000 vehicles, in 60 ms", 60_000, 5, wholeFleet),
    ...against
  ]
})
