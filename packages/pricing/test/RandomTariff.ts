/** Factors, bases and perils over whatever inputs a product has. */
import type { Rounding } from "@quittance/domain/products/ProductCharges"
import type { Base, Factor, Peril } from "@quittance/domain/products/ProductRating"
import type { Domain } from "@quittance/domain/products/ProductTableFaults"
import type { Draw } from "@quittance/testing/Draw"
import type { Known } from "./RandomFields.ts"

/** Rows that follow each other from the lowest value to the highest. */
const ranges = <A>(draw: Draw, outcome: () => A) => {
  const cuts = [...new Set(Array.from({ length: draw.int(0, 4) }, () => draw.int(-20, 60)))]
  cuts.sort((a, b) => a - b)
  return [undefined, ...cuts].map((from, index) => ({
    ...(from === undefined ? {} : { from }),
    ...(cuts[index] === undefined ? {} : { below: cuts[index] }),
    ...outcome()
  }))
}

/** A row for each listed value, or some rows and what stands for the others. */
const rows = <A>(draw: Draw, { kind, values }: Domain, outcome: () => A, rest: () => number) => {
  const all = values.map((is) => ({ is, ...outcome() }))
  if (kind === "LISTED" && draw.chance(0.7)) return { rows: all }
  const some = kind === "LISTED" ? draw.some(all) : []
  return { rows: some, otherwise: rest() }
}

const isNumeric = ({ kind }: Domain) => kind === "INTEGER" || kind === "NUMBER"

export const randomFactor = (draw: Draw, { domain, input }: Known, index: number): Factor => {
  const common = { id: `FACTOR_${index}`, label: `Factor ${index}`, input: input.id }
  const rate = () => ({ rate: draw.int(0, 30_000) })
  const rest = () => draw.int(0, 20_000)
  const { high, kind, low } = domain
  const isNarrow = kind === "INTEGER" && Number.isFinite(low) && high - low <= 5000
  if (isNarrow && draw.chance(0.4)) {
    const perUnit = draw.int(-600, 1000)
    const offset = draw.int(0, 10_000) - Math.min(perUnit * low, perUnit * high)
    return { ...common, kind: "LINEAR", perUnit, ...(offset === 0 ? {} : { offset }) }
  }
  if (isNumeric(domain) && draw.chance(0.8)) {
    return { ...common, kind: "RANGE", rows: ranges(draw, rate) }
  }
  if (kind === "INTEGER" && low <= 1 && high >= 1) {
    return { ...common, kind: "VALUE", rows: [{ is: 1, ...rate() }], otherwise: rest() }
  }
  return { ...common, kind: "VALUE", ...rows(draw, domain, rate, rest) }
}

const randomBase = (draw: Draw, { domain, input }: Known): Base => {
  const amount = () => ({ amount: draw.int(0, 200_000) })
  if (domain.kind === "INTEGER" && domain.low >= 0 && draw.chance(0.5)) {
    return { kind: "SHARE", input: input.id, rate: `${draw.int(0, 999)}/${draw.int(1, 99_999)}` }
  }
  if (isNumeric(domain)) return { kind: "RANGE", input: input.id, rows: ranges(draw, amount) }
  return {
    kind: "VALUE",
    input: input.id,
    ...rows(draw, domain, amount, () => draw.int(0, 200_000))
  }
}

/** How a premium is charged, mostly as most are. */
export const premiumCharge = (draw: Draw) => {
  const chargeType = draw.pick(["ONE_TIME", "SPOT", "RECURRING"] as const)
  if (draw.chance(0.7)) return {}
  return {
    chargeType,
    ...(chargeType === "ONE_TIME" && draw.chance(0.5) ? { everyTerm: true } : {})
  }
}

export const randomPeril = (
  draw: Draw,
  known: ReadonlyArray<Known>,
  factors: ReadonlyArray<Factor>,
  rounding: Rounding | undefined,
  index: number
): Peril => {
  const per = draw.chance(0.5) ? "ASSET" : "POLICY"
  const usable = known.filter(({ input }) => per === "ASSET" || input.of !== "ASSET")
  const usableIds = new Set(usable.map(({ input }) => input.id))
  const to = rounding?.premiums?.to ?? 1
  const bound = (low: number, high: number) =>
    draw.int(Math.ceil(low / to), Math.ceil(high / to)) * to
  const base: Base =
    usable.length === 0 || draw.chance(0.2)
      ? { kind: "AMOUNT", amount: draw.int(0, 100_000) }
      : randomBase(draw, draw.pick(usable))
  return {
    id: `PERIL_${index}`,
    name: `Peril ${index}`,
    optional: draw.chance(0.3),
    taxClass: draw.pick(["ONE", "TWO"]),
    ...premiumCharge(draw),
    ...(draw.chance(0.2) ? { refundable: false } : {}),
    options: Array.from({ length: draw.int(0, 2) }, (_, option) => ({
      id: `OPTION_${option}`,
      name: `Option ${option}`,
      kind: draw.pick(["LIMIT", "DEDUCTIBLE", "CHOICE"] as const),
      default: "LOW",
      values: ["LOW", "HIGH"].map((id) => ({
        id,
        name: id,
        ...(draw.chance(0.5) ? { amount: draw.int(0, 1_000_000) } : {}),
        ...(draw.chance(0.5) ? { multiply: draw.int(0, 20_000) } : {}),
        ...(draw.chance(0.5) ? { add: draw.int(-5_000, 5_000) } : {})
      }))
    })),
    rating: {
      per,
      base,
      factors: draw
        .some(factors)
        .filter(({ input }) => usableIds.has(input))
        .map(({ id }) => id),
      ...(draw.chance(0.3) ? { min: bound(0, 10_000) } : {}),
      ...(draw.chance(0.3) ? { max: bound(10_000, 1_000_000) } : {})
    }
  }
}
