/** Fees and taxes as they stand on a day. */
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import type { DatedCharge, TaxTerms } from "@quittance/domain/products/ProductCharges"
import { type Fraction, one, parseFraction, share } from "./Exact.ts"

/** A charge in force: an amount, or an exact share of what it is levied on. */
export type Charge =
  | { readonly amount: number }
  | { readonly fraction: Fraction; readonly text: string }

/** Answers the charge in force on a day; the document has one from `validFrom` on. */
export const compileCharges = (
  charges: ReadonlyArray<DatedCharge> = []
): ((day: LocalDate) => Charge) => {
  const entries = charges.map(({ amount = 0, from, rate }) => ({
    from,
    charge: rate === undefined ? { amount } : { fraction: parseFraction(rate), text: rate }
  }))
  return (day) => {
    const entry = entries.findLast(({ from }) => from <= day)
    if (entry === undefined) throw new Error(`A table of charges has no entry for ${day}.`)
    return entry.charge
  }
}

/** An amount is what it is; a share is rounded to a multiple of `to`. */
export const chargeOn = (base: number, charge: Charge, to?: number): number =>
  "amount" in charge ? charge.amount : share(base, charge.fraction, to)

/** A share as the interface's integer rate, 10 000 being ×1; the exact one stands in its inputs. */
export const rateOf = ({ fraction }: Extract<Charge, { readonly text: string }>): number =>
  share(one, fraction)

export type ComponentTax = Extract<TaxTerms, { readonly level: "COMPONENT" }>
export type PolicyTax = Extract<TaxTerms, { readonly level: "POLICY" }>

export const isComponentTax = (terms: TaxTerms): terms is ComponentTax =>
  terms.level === "COMPONENT"
export const isPolicyTax = (terms: TaxTerms): terms is PolicyTax => terms.level === "POLICY"

/** The taxes on components of a class, in the document's order. */
export const taxesOf = (
  { taxes }: Product,
  taxClass: string | undefined
): ReadonlyArray<ComponentTax> =>
  taxes.filter(isComponentTax).filter(({ classes }) => classes.some((name) => name === taxClass))

export interface CompiledTax {
  readonly tax: ComponentTax
  readonly at: (day: LocalDate) => Charge
  /** What it is rounded to. */
  readonly to?: number | undefined
}
