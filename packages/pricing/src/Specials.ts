/** Components on the net premiums of several perils: surcharges, promotions, a least premium. */
import { allocate } from "@quittance/domain/values/Allocation"
import { add } from "@quittance/domain/values/Amount"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import type { Special } from "@quittance/domain/products/ProductCharges"
import { type Charge, chargeOn, compileCharges } from "./Charges.ts"
import { compileCondition } from "./Conditions.ts"
import type { PriceInput } from "./PriceInput.ts"
import { specialTerms } from "./ComponentTerms.ts"
import type { Sliced } from "./Slices.ts"
import { chargeOver, type TermLength } from "./TermLength.ts"
import type { Values } from "./Values.ts"

/** The net premiums of the covered perils, as they are left by the discounts so far. */
export type Nets = Map<string, number>

/** What a special comes to; `undefined` where it does not apply. */
export interface Levied {
  readonly special: Special
  readonly charge: Charge
  readonly base: number
  readonly amount: number
}

/** Which specials apply to a risk. */
export type Applied = ReadonlyArray<CompiledSpecial>

interface CompiledSpecial {
  readonly special: Special
  /** What it is rounded to. */
  readonly to: number | undefined
  readonly at: (day: LocalDate) => Charge
}

export interface CompiledSpecials {
  /** Those that are in force on the day, and whose condition is true; their values are asked for. */
  readonly applied: (given: PriceInput, values: Values) => Sliced<Applied>
}

export const compileSpecials = (product: Product): CompiledSpecials => {
  const specials = product.specials.map((special) => ({
    special,
    to: product.rounding?.specials?.to,
    at: compileCharges(special.charges),
    applies: special.when === undefined ? undefined : compileCondition(product, special.when)
  }))
  return {
    applied: function* (given, values) {
      const applied: Array<CompiledSpecial> = []
      for (const { applies, ...one } of specials) {
        const { until } = one.special
        const isTrue = applies === undefined || (yield* applies(given, values))
        if (isTrue && (until === undefined || given.startDate < until)) applied.push(one)
      }
      return applied
    }
  }
}

/** Levies a special; a discount leaves less to the ones after it. */
export const levy = (
  { at, special, to }: CompiledSpecial,
  nets: Nets,
  { day, length }: { readonly day: LocalDate; readonly length: TermLength }
): Levied | undefined => {
  const present = special.of.filter((id) => nets.has(id))
  if (present.length === 0) return undefined
  const base = present.reduce((sum, id) => add(sum, nets.get(id) ?? 0), 0)
  const charge = at(day)
  const due = chargeOver(length, specialTerms(special).chargeType, charge)
  const levied = chargeOn(base, due, to)
  switch (special.kind) {
    case "SHARE":
      return { special, charge, base, amount: levied }
    case "MINIMUM":
      return levied > base ? { special, charge, base, amount: levied - base } : undefined
    case "DISCOUNT": {
      const taken = Math.min(levied, base)
      if (taken > 0) takeOff(nets, present, taken)
      return { special, charge, base, amount: taken === 0 ? 0 : -taken }
    }
  }
}

/** From each peril its share of the discount, by what it costs. */
const takeOff = (nets: Nets, ids: ReadonlyArray<string>, taken: number) => {
  const weights = ids.map((id) => nets.get(id) ?? 0)
  const parts = allocate(taken, weights)
  for (const [index, id] of ids.entries()) nets.set(id, weights[index]! - parts[index]!)
}
