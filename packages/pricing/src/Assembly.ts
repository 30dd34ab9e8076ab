/** Puts a quote together: the rated perils, then specials, fees and taxes on top of them. */
import { add, type QuoteComponent, sum } from "@quittance/domain/values/Amount"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { PricedComponent } from "@quittance/domain/products/PriceExchange"
import type { Product } from "@quittance/domain/products/Product"
import type {
  BrokerageFee,
  DatedCharge,
  PolicyFee,
  Special
} from "@quittance/domain/products/ProductCharges"
import {
  type Charge,
  chargeOn,
  type CompiledTax,
  compileCharges,
  type ComponentTax,
  isComponentTax,
  isPolicyTax,
  taxesOf
} from "./Charges.ts"
import { type Component, given, type Levied, policyTax, tax } from "./Components.ts"
import {
  brokerageAmount,
  brokerageShare,
  feeTerms,
  perilTerms,
  specialTerms
} from "./ComponentTerms.ts"
import { one, share } from "./Exact.ts"
import { isLevied, placeOf, type Jurisdictions } from "./Jurisdictions.ts"
import type { RatedPeril } from "./Rating.ts"
import type { Sliced } from "./Slices.ts"
import { type Applied, levy, type Levied as LeviedSpecial, type Nets } from "./Specials.ts"
import { amountOver, chargeOver, termRate, type TermLength } from "./TermLength.ts"
import { UsedRates } from "./UsedRates.ts"

/** How a component's net premium came about, for the explanation. */
export type NetTrace =
  | { readonly kind: "RATED"; readonly rated: RatedPeril }
  | { readonly kind: Special["kind"]; readonly base: number }
  | { readonly kind: "GIVEN" }
  /** Another program has priced it and told why. */
  | { readonly kind: "TOLD"; readonly steps: NonNullable<PricedComponent["steps"]> }
  | { readonly kind: "NONE" }

export interface Assembled extends Component {
  readonly taxClass?: string | undefined
  readonly trace: NetTrace
}

export interface Assembly {
  readonly components: ReadonlyArray<Assembled>
  readonly rates: UsedRates
}

export interface AdditionalCharges {
  readonly day: LocalDate
  readonly length: TermLength
  readonly brokerageFees: ReadonlyArray<BrokerageFee>
  readonly additional: QuoteComponent | undefined
  readonly specials: Applied
  readonly places: Jurisdictions
}

export type Assembler = (
  rated: ReadonlyArray<RatedPeril>,
  extras: AdditionalCharges
) => Sliced<Assembly>

type Dated<A> = readonly [A, (day: LocalDate) => Charge]

const dated = <A extends { readonly charges?: ReadonlyArray<DatedCharge> }>(terms: A): Dated<A> => [
  terms,
  compileCharges(terms.charges)
]

export const compileAssembly = (product: Product): Assembler => {
  const taxes = new Map(
    product.taxes
      .filter(isComponentTax)
      .flatMap(({ classes }) => classes)
      .map((name) => [name, taxesOf(product, name).map((tax) => compileTax(product, tax))])
  )
  const fees = product.fees.map(dated)
  const policyTaxes = product.taxes.filter(isPolicyTax).map(dated)
  const { rounding } = product
  return function* (rated, { additional, brokerageFees, day, length, places, specials }) {
    const rates = new UsedRates()
    if (length !== undefined) rates.add(termRate(length))
    const components: Array<Assembled> = []
    const push = (levied: Levied, trace: NetTrace) => {
      const { taxClass } = levied
      const own = taxClass === undefined ? [] : (taxes.get(taxClass) ?? [])
      components.push({ ...tax(levied, own, { day, length, places, rates }), taxClass, trace })
    }
    const nets: Nets = new Map()
    for (const one of rated) {
      const terms = perilTerms(one.peril)
      const rounded = one.units.reduce((sum, unit) => add(sum, unit.net), 0)
      const net = amountOver(length, terms.chargeType, rounded)
      nets.set(one.peril.id, net)
      yield* rates.addPeril(one)
      push({ ...terms, net, fees: [] }, { kind: "RATED", rated: one })
    }
    for (const special of specials) {
      const levied = levy(special, nets, { day, length })
      if (levied === undefined) continue
      rates.addCharge(levied.special.id, levied.charge)
      const kind = levied.special.kind
      push(specialLevied(levied), { kind, base: levied.base })
    }
    if (additional !== undefined)
      components.push({ ...given(additional), trace: { kind: "GIVEN" } })
    const net = sum(components.map(({ component }) => component.premium)).amountPreFeesAndTaxes
    if (brokerageFees.length > 0) {
      push(brokerageLevied(product, brokerageFees, net, rates), { kind: "NONE" })
    }
    const baseOf = (classes: ReadonlyArray<string> | undefined) =>
      classes === undefined ? net : netOf(components, classes)
    for (const [fee, at] of fees) {
      if (!isLevied(places, fee.id)) continue
      const charge = at(day)
      rates.addCharge(fee.id, charge, placeOf(places, fee.id))
      const due = chargeOver(length, fee.chargeType, charge)
      const amount = chargeOn(baseOf(fee.classes), due, rounding?.fees?.to)
      push(feeLevied(fee, amount), { kind: "NONE" })
    }
    for (const [terms, at] of policyTaxes) {
      if (!isLevied(places, terms.id)) continue
      const charge = at(day)
      rates.addCharge(terms.id, charge, placeOf(places, terms.id))
      const due = chargeOver(length, terms.chargeType, charge)
      const amount = chargeOn(baseOf(terms.classes), due, rounding?.taxes?.to)
      components.push({ ...policyTax(terms, amount), trace: { kind: "NONE" } })
    }
    return { components, rates }
  }
}

/** What the components of some classes cost before fees and taxes. */
const netOf = (components: ReadonlyArray<Assembled>, classes: ReadonlyArray<string>): number =>
  components.reduce(
    (sum, { component, taxClass }) =>
      taxClass !== undefined && classes.includes(taxClass)
        ? add(sum, component.premium.amountPreFeesAndTaxes)
        : sum,
    0
  )

const compileTax = ({ rounding }: Product, tax: ComponentTax): CompiledTax => ({
  tax,
  at: compileCharges(tax.charges),
  to: rounding?.taxes?.to
})

const specialLevied = ({ amount, special }: LeviedSpecial): Levied => ({
  ...specialTerms(special),
  isDiscount: special.kind === "DISCOUNT",
  net: amount,
  fees: []
})

const feeLevied = (fee: PolicyFee, amount: number): Levied => ({
  ...feeTerms(fee),
  net: 0,
  fees: [{ id: fee.id, amount }]
})

const brokerageLevied = (
  product: Product,
  brokerageFees: ReadonlyArray<BrokerageFee>,
  net: number,
  rates: UsedRates
): Levied => ({
  ...feeTerms(product.brokerageFee),
  net: 0,
  fees: brokerageFees.map((brokerageFee) => {
    const { brokerageFirmId, fee } = brokerageFee
    const inputs = [
      { id: "brokerageFirmId", value: brokerageFirmId },
      { id: "fee", value: fee }
    ]
    const rate = share(one, brokerageShare(brokerageFee))
    const { id } = product.brokerageFee
    rates.add({ id, rate, inputs }, brokerageFirmId)
    return { id, brokerageFirmId, amount: brokerageAmount(product, net, brokerageFee) }
  })
})
