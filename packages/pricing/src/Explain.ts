/**
 * Why a price is what it is: for every component, what each input moved. Rating rounds once, at its
 * end; each step here is the difference between what the price would round to after it and before it,
 * so the steps sum to the price to the cent.
 */
import { add, type Amount, AmountOverflow } from "@quittance/domain/values/Amount"
import { componentName, type Product } from "@quittance/domain/products/Product"
import type { Explanation, ExplanationStep, QuoteRate } from "@quittance/domain/products/Quote"
import type { Assembled } from "./Assembly.ts"
import type { Priced } from "./Engine.ts"
import { start } from "./Exact.ts"
import { atOnce, SliceCount, type Sliced } from "./Slices.ts"
import { termRateId } from "./TermLength.ts"
import { added, comesTo, multiplied, type RatedPeril, type RatedUnit } from "./Rating.ts"

export const explain = (product: Product, priced: Priced): Explanation =>
  atOnce(explainInSlices(product, priced))

/** The same, of a few assets at a time. */
export function* explainInSlices(product: Product, priced: Priced): Sliced<Explanation> {
  const rates = new Map(priced.quote.rates.map((rate) => [rate.id, rate]))
  const slice = new SliceCount()
  const components: Array<Explanation["components"][number]> = []
  for (const assembled of priced.components) {
    const { id, premium } = assembled.component
    const { amountPreFeesAndTaxes, amountWithFeesAndTaxes } = premium
    const net = yield* netSteps(product, assembled, rates, slice)
    components.push({
      componentId: id,
      label: componentName(product, id),
      steps: [...net, ...chargeSteps(product, premium, rates)],
      amountPreFeesAndTaxes,
      amountWithFeesAndTaxes
    })
  }
  return { components }
}

const chargeSteps = (
  product: Product,
  { fees, taxes }: Amount,
  rates: ReadonlyMap<string, QuoteRate>
): ReadonlyArray<ExplanationStep> => [
  ...fees.map((fee): ExplanationStep => {
    const firm = fee.brokerageFirmId
    return {
      part: "FEE",
      kind: "FEE",
      id: fee.id,
      label: componentName(product, fee.id),
      inputs: firm === undefined ? [] : [{ id: "brokerageFirmId", value: firm }],
      change: fee.amount
    }
  }),
  ...taxes.map((tax): ExplanationStep => ({
    part: "TAX",
    kind: "TAX",
    id: tax.id,
    label: componentName(product, tax.id),
    ...rateOf(rates.get(tax.id)),
    change: tax.amount
  }))
]

const rateOf = (rate: QuoteRate | undefined) =>
  rate === undefined ? { inputs: [] } : { rate: rate.rate, inputs: rate.inputs }

function* netSteps(
  product: Product,
  { component: { id, premium }, trace }: Assembled,
  rates: ReadonlyMap<string, QuoteRate>,
  slice: SliceCount
): Sliced<ReadonlyArray<ExplanationStep>> {
  const change = premium.amountPreFeesAndTaxes
  const label = componentName(product, id)
  switch (trace.kind) {
    case "RATED":
      return overTerm(
        (yield* perilSteps(trace.rated, slice)) ?? [
          { part: "NET", kind: "BASE", id, label, inputs: [], change }
        ],
        change,
        rates.get(termRateId)
      )
    case "SHARE":
    case "DISCOUNT":
    case "MINIMUM": {
      const { inputs, ...rate } = rateOf(rates.get(id))
      const base = { id: "base", value: trace.base }
      const { kind } = trace
      return [{ part: "NET", kind, id, label, ...rate, inputs: [...inputs, base], change }]
    }
    case "GIVEN":
      return [{ part: "NET", kind: "GIVEN", id, label, inputs: [], change }]
    case "TOLD":
      return trace.steps.map((step) => ({ part: "NET", ...step }))
    case "NONE":
      return []
  }
}

/** With what a term of another length than the product's period moves, where it moves something. */
const overTerm = (
  steps: ReadonlyArray<ExplanationStep>,
  net: number,
  rate: QuoteRate | undefined
): ReadonlyArray<ExplanationStep> => {
  if (rate === undefined) return steps
  const change = steps.reduce((left, step) => add(left, -step.change), net)
  if (change === 0) return steps
  const step = { part: "NET", kind: "FACTOR", id: termRateId, label: "Length of the term" } as const
  return [...steps, { ...step, ...rateOf(rate), change }]
}

/**
 * The steps of a peril; over several assets those of one kind are one step, without their inputs.
 * `undefined` where a step on the way leaves the range of money, though the price does not.
 */
function* perilSteps(
  rated: RatedPeril,
  slice: SliceCount
): Sliced<ReadonlyArray<ExplanationStep> | undefined> {
  try {
    const all: Array<ReadonlyArray<ExplanationStep>> = []
    for (const unit of rated.units) {
      all.push(unitSteps(rated, unit))
      if (slice.isFull()) yield
    }
    return all.length === 1 ? all[0] : merged(all.flat())
  } catch (error) {
    if (error instanceof AmountOverflow) return undefined
    throw error
  }
}

const merged = (steps: ReadonlyArray<ExplanationStep>): ReadonlyArray<ExplanationStep> => {
  const result = new Map<string, ExplanationStep>()
  for (const { change, id, kind, label, part } of steps) {
    const key = `${kind} ${id}`
    const sum = add(result.get(key)?.change ?? 0, change)
    result.set(key, { part, kind, id, label, inputs: [], change: sum })
  }
  return [...result.values()]
}

const unitSteps = ({ peril, to }: RatedPeril, unit: RatedUnit): ReadonlyArray<ExplanationStep> => {
  const steps: Array<ExplanationStep> = []
  let running = start(unit.base, unit.fraction)
  let before = 0
  const push = (step: Omit<ExplanationStep, "part" | "change">, after: number) => {
    steps.push({ part: "NET", ...step, change: add(after, -before) })
    before = after
  }
  const now = () => comesTo(running, unit.before, to)
  push({ kind: "BASE", id: peril.id, label: peril.name, inputs: unit.inputs }, now())
  for (const move of unit.moves) {
    if (move.rate === undefined) continue
    running = multiplied(running, move)
    const { id, inputs, kind, label, rate } = move
    push({ kind, id, label, rate, inputs }, now())
  }
  for (const move of unit.moves) {
    if (move.add === undefined) continue
    running = added(running, move)
    const { id, inputs, kind, label } = move
    push({ kind, id, label, inputs }, now())
  }
  if (unit.net !== before) {
    const kind = unit.net > before ? "MINIMUM" : "MAXIMUM"
    push({ kind, id: peril.id, label: peril.name, inputs: [] }, unit.net)
  }
  return steps
}
