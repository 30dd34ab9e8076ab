/** Products that nobody would sell, but that could be published; and the same ones, damaged. */
import type { LocalDate } from "@quittance/domain/LocalDate"
import type { Product } from "@quittance/domain/Product"
import type { Field } from "@quittance/domain/ProductFields"
import type { DatedCharge, Special, TaxTerms } from "@quittance/domain/ProductCharges"
import type { Base, Factor, Peril, RatingInput } from "@quittance/domain/ProductRating"
import type { Draw } from "./Draw.ts"
import { home } from "./Shipped.ts"

const day = (text: string) => text as LocalDate

const entities = ["policy", "customer", "asset"] as const
const of = { policy: "POLICY", customer: "CUSTOMER", asset: "ASSET" } as const

const randomField = (draw: Draw, key: string): Field => {
  const common = { key, label: key, requiredFor: "QUOTE", priced: true } as const
  switch (draw.int(0, 5)) {
    case 0:
      return { ...common, type: "BOOLEAN", example: true }
    case 1: {
      const ids = ["A", "B", "C", "D"].slice(0, draw.int(1, 4))
      const values = ids.map((id) => ({ id, label: id }))
      return { ...common, type: "ENUM", values, example: "A" }
    }
    case 2:
      return { ...common, type: "DATE", max: day("2019-12-31"), example: "2000-02-29" }
    case 3:
      return { ...common, type: "NUMBER", min: 0, max: 50, example: 12.5 }
    case 4:
      return { ...common, type: "MONEY", min: 0, max: 10_000_000_000, example: 100_000 }
    default:
      return { ...common, type: "INTEGER", min: 0, max: draw.int(1, 40), example: 1 }
  }
}

interface Known {
  readonly input: RatingInput
  readonly field: Field
}

const inputOf = (field: Field, entity: (typeof entities)[number]): RatingInput => ({
  id: `input_${field.key}`,
  label: field.key,
  of: of[entity],
  ...(entity === "customer" ? { roles: ["POLICYHOLDER"] } : {}),
  key: field.key,
  as: field.type === "DATE" ? "AGE" : "VALUE"
})

const numeric = ({ type }: Field) => type !== "BOOLEAN" && type !== "ENUM"

/** Rows that follow each other from the lowest value to the highest. */
const ranges = <A>(draw: Draw, outcome: () => A) => {
  const cuts = [...new Set(Array.from({ length: draw.int(0, 4) }, () => draw.int(1, 60)))]
  cuts.sort((a, b) => a - b)
  return [undefined, ...cuts].map((from, index) => ({
    ...(from === undefined ? {} : { from }),
    ...(cuts[index] === undefined ? {} : { below: cuts[index] }),
    ...outcome()
  }))
}

const listed = <A>({ type, values = [] }: Field, outcome: () => A) =>
  (type === "BOOLEAN" ? [true, false] : values.map(({ id }) => id)).map((is) => ({
    is,
    ...outcome()
  }))

const randomFactor = (draw: Draw, { field, input }: Known, index: number): Factor => {
  const common = { id: `FACTOR_${index}`, label: `Factor ${index}`, input: input.id }
  const rate = () => ({ rate: draw.int(0, 30_000) })
  if (!numeric(field)) return { ...common, kind: "VALUE", rows: listed(field, rate) }
  if (field.type === "INTEGER" && draw.chance(0.5)) {
    const perUnit = draw.int(-100, 1000)
    const offset = perUnit < 0 ? -perUnit * Number(field.max) : draw.int(0, 10_000)
    return { ...common, kind: "LINEAR", perUnit, offset }
  }
  return draw.chance(0.7)
    ? { ...common, kind: "RANGE", rows: ranges(draw, rate) }
    : { ...common, kind: "VALUE", rows: [{ is: 1, ...rate() }], otherwise: draw.int(0, 20_000) }
}

const randomBase = (draw: Draw, { field, input }: Known): Base => {
  const amount = () => ({ amount: draw.int(0, 200_000) })
  if (!numeric(field)) return { kind: "VALUE", input: input.id, rows: listed(field, amount) }
  if (field.type === "MONEY") {
    return { kind: "SHARE", input: input.id, rate: `${draw.int(0, 999)}/${draw.int(1, 99_999)}` }
  }
  return { kind: "RANGE", input: input.id, rows: ranges(draw, amount) }
}

const randomPeril = (
  draw: Draw,
  known: ReadonlyArray<Known>,
  factors: ReadonlyArray<Factor>,
  index: number
): Peril => {
  const per = draw.chance(0.5) ? "ASSET" : "POLICY"
  const usable = known.filter(({ input }) => per === "ASSET" || input.of !== "ASSET")
  const usableIds = new Set(usable.map(({ input }) => input.id))
  const base: Base =
    usable.length === 0 || draw.chance(0.2)
      ? { kind: "AMOUNT", amount: draw.int(0, 100_000) }
      : randomBase(draw, draw.pick(usable))
  return {
    id: `PERIL_${index}`,
    name: `Peril ${index}`,
    optional: draw.chance(0.3),
    taxClass: draw.pick(["ONE", "TWO"]),
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
      ...(draw.chance(0.3) ? { min: draw.int(0, 10_000) } : {}),
      ...(draw.chance(0.3) ? { max: draw.int(10_000, 1_000_000) } : {})
    }
  }
}

const charges = (draw: Draw): ReadonlyArray<DatedCharge> =>
  ["2019-01-01", "2024-07-01", "2030-01-01"]
    .slice(0, draw.int(1, 3))
    .map((from) =>
      draw.chance(0.7)
        ? { from: day(from), rate: `${draw.int(0, 350)}/1000` }
        : { from: day(from), amount: draw.int(0, 2_000) }
    )

const randomTaxes = (draw: Draw): ReadonlyArray<TaxTerms> => [
  {
    id: "TAX_1",
    name: "Tax 1",
    level: "COMPONENT",
    classes: ["ONE", "TWO"],
    charges: charges(draw)
  },
  {
    id: "TAX_2",
    name: "Tax 2",
    level: "COMPONENT",
    classes: ["TWO"],
    ...(draw.chance(0.5) ? { chargeType: "ONE_TIME" as const } : {}),
    ...(draw.chance(0.5) ? { refundable: false } : {}),
    charges: charges(draw)
  },
  {
    id: "TAX_3",
    name: "Tax 3",
    level: "POLICY",
    chargeType: "ONE_TIME",
    everyTerm: draw.chance(0.5),
    charges: charges(draw)
  }
]

/** A product without a fault. */
export const randomProduct = (draw: Draw): Product => {
  const fields = { policy: [], customer: [], asset: [] } as Record<
    (typeof entities)[number],
    Array<Field>
  >
  const known: Array<Known> = []
  for (let index = draw.int(1, 8); index > 0; index--) {
    const entity = draw.pick(entities)
    const field = randomField(draw, `field${index}`)
    fields[entity].push(field)
    known.push({ field, input: inputOf(field, entity) })
  }
  const factors = Array.from({ length: draw.int(0, 8) }, (_, index) =>
    randomFactor(draw, draw.pick(known), index)
  )
  const perils = Array.from({ length: draw.int(2, 6) }, (_, index) =>
    randomPeril(draw, known, factors, index)
  )
  // Both classes have a peril, so that no tax names a class that nothing has, and no tier is empty.
  const classed = perils.map((peril, index) =>
    index < 2 ? { ...peril, optional: index > 0, taxClass: index === 0 ? "ONE" : "TWO" } : peril
  )
  return {
    ...home,
    fields,
    trunkFields: { policy: [], customer: [], asset: [] },
    assets: { type: "THING", min: 1, max: 4 },
    rating: { inputs: known.map(({ input }) => input), factors },
    perils: classed,
    tiers: [
      { id: "ALL", name: "All", perils: classed.map(({ id }) => id) },
      {
        id: "FIRST",
        name: "First",
        perils: ["PERIL_0"],
        defaults: classed[0]!.options.map(({ id }) => ({
          perilId: "PERIL_0",
          optionId: id,
          valueId: "HIGH"
        }))
      }
    ],
    defaultTier: "ALL",
    specials: randomSpecials(draw, classed),
    fees: draw.chance(0.5)
      ? [
          {
            id: "FEE",
            name: "Fee",
            chargeType: draw.pick(["ONE_TIME", "RECURRING", "SPOT"] as const),
            ...(draw.chance(0.5) ? { taxClass: "ONE" } : {}),
            charges: charges(draw)
          }
        ]
      : [],
    brokerageFee: {
      id: "BROKERAGE",
      name: "Brokerage",
      chargeType: draw.pick(["ONE_TIME", "RECURRING"] as const),
      ...(draw.chance(0.3) ? { taxClass: "TWO" } : {})
    },
    taxes: randomTaxes(draw)
  }
}

/** Surcharges, least premiums, and discounts on the perils of one class each. */
const randomSpecials = (draw: Draw, perils: ReadonlyArray<Peril>): ReadonlyArray<Special> =>
  Array.from({ length: draw.int(0, 4) }, (_, index): Special => {
    const kind = draw.pick(["SHARE", "DISCOUNT", "MINIMUM"] as const)
    const taxClass = draw.pick(perils).taxClass
    const of = perils.filter((peril) => kind !== "DISCOUNT" || peril.taxClass === taxClass)
    const amount = draw.int(0, 90_000)
    return {
      id: `SPECIAL_${index}`,
      name: `Special ${index}`,
      kind,
      of: of.map(({ id }) => id),
      taxClass,
      ...(draw.chance(0.2) ? { until: day(`20${draw.int(21, 35)}-07-01`) } : {}),
      charges: [
        kind === "MINIMUM" || draw.chance(0.3)
          ? { from: day("2020-01-01"), amount }
          : { from: day("2020-01-01"), rate: `${draw.int(0, 999)}/999` }
      ]
    }
  })

type Json = null | boolean | number | string | Array<Json> | { [key: string]: Json }

const isBranch = (json: Json | undefined): json is Array<Json> | { [key: string]: Json } =>
  typeof json === "object" && json !== null

/** Breaks one place of a document: something is gone, renamed, of another size or kind. */
export const damaged = (draw: Draw, document: unknown): unknown => {
  const copy = structuredClone(document) as Json
  const places: Array<readonly [Array<Json> | { [key: string]: Json }, string]> = []
  const visit = (node: Json) => {
    if (!isBranch(node)) return
    for (const [key, child] of Object.entries(node)) {
      places.push([node, key])
      visit(child)
    }
  }
  visit(copy)
  const [parent, key] = draw.pick(places)
  // An array's members are reached by their index as a text, as an object's are.
  const holder = parent as { [key: string]: Json }
  const value = holder[key]
  if (draw.chance(0.4)) {
    if (Array.isArray(parent)) parent.splice(Number(key), 1)
    else delete holder[key]
  } else if (typeof value === "number") holder[key] = draw.pick([0, -1, 1, value + 1, 1e15, 0.5])
  else if (typeof value === "string")
    holder[key] = draw.pick(["", "ONE", `${value}_`, "1/3", "2050-01-01"])
  else holder[key] = draw.pick<Json>([null, true, 7, "x", [], {}])
  return copy
}
