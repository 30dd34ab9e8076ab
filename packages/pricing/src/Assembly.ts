/** Puts a quote together: the rated perils, then specials, fees and taxes on top of them. */
import { add, type QuoteComponent, sum } from "@quittance/domain/Amount"
import type { LocalDate } from "@quittance/domain/LocalDate"
import type { PricedComponent } from "@quittance/domain/PriceExchange"
import type { BrokerageFee } from "@quittance/domain/Policy"
import type { Product } from "@quittance/domain/Product"
import type { DatedCharge, PolicyFee, Special } from "@quittance/domain/ProductRating"
import {
  type Charge,
  chargeOn,
  type CompiledTax,
  compileCharges,
  type ComponentTax,
  isComponentTax,
  isPolicyTax,
  rateOf,
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
import type { RatedPeril } from "./Rating.ts"
import { type Applied, levy, type Levied as LeviedSpecial, type Nets } from "./Specials.ts"
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
  readonly trace: NetTrace
}

export interface Assembly {
  readonly components: ReadonlyArray<Assembled>
  readonly rates: UsedRates
}

export interface Extras {
  readonly day: LocalDate
  readonly brokerageFees: ReadonlyArray<BrokerageFee>
  readonly additional: QuoteComponent | undefined
  readonly specials: Applied
}

export type Assembler = (rated: ReadonlyArray<RatedPeril>, extras: Extras) => Assembly

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
      .map((name) => [name, taxesOf(product, name).map(compileTax)])
  )
  const fees = product.fees.map(dated)
  const policyTaxes = product.taxes.filter(isPolicyTax).map(dated)
  return (rated, { additional, brokerageFees, day, specials }) => {
    const rates = new UsedRates()
    const components: Array<Assembled> = []
    const push = (levied: Levied, trace: NetTrace) => {
      const own = levied.taxClass === undefined ? [] : (taxes.get(levied.taxClass) ?? [])
      components.push({ ...tax(levied, own, day, rates), trace })
    }
    const nets: Nets = new Map()
    for (const one of rated) {
      const net = one.units.reduce((sum, unit) => add(sum, unit.net), 0)
      nets.set(one.peril.id, net)
      rates.addPeril(one)
      push(perilLevied(one, net), { kind: "RATED", rated: one })
    }
    for (const special of specials) {
      const levied = levy(special, nets, day)
      if (levied === undefined) continue
      addRate(rates, levied.special.id, levied.charge)
      const kind = levied.special.kind
      push(specialLevied(levied), { kind, base: levied.base })
    }
    if (additional !== undefined)
      components.push({ ...given(additional), trace: { kind: "GIVEN" } })
    const net = sum(components.map(({ component }) => component.premium)).amountPreFeesAndTaxes
    if (brokerageFees.length > 0) {
      push(brokerageLevied(product.brokerageFee, brokerageFees, net, rates), { kind: "NONE" })
    }
    for (const [fee, at] of fees) {
      const charge = at(day)
      addRate(rates, fee.id, charge)
      push(feeLevied(fee, chargeOn(net, charge)), { kind: "NONE" })
    }
    for (const [terms, at] of policyTaxes) {
      const charge = at(day)
      addRate(rates, terms.id, charge)
      const component = policyTax(terms, chargeOn(net, charge))
      components.push({ ...component, trace: { kind: "NONE" } })
    }
    return { components, rates }
  }
}

const compileTax = (tax: ComponentTax): CompiledTax => ({ tax, at: compileCharges(tax.charges) })

const addRate = (rates: UsedRates, id: string, charge: Charge) => {
  if ("text" in charge) {
    rates.add({ id, rate: rateOf(charge), inputs: [{ id: "share", value: charge.text }] })
  }
}

const perilLevied = ({ peril }: RatedPeril, net: number): Levied => ({
  ...perilTerms(peril),
  net,
  fees: []
})

const specialLevied = ({ amount, special }: LeviedSpecial): Levied => ({
  ...specialTerms(special),
  net: amount,
  fees: []
})

const feeLevied = (fee: PolicyFee, amount: number): Levied => ({
  ...feeTerms(fee),
  net: 0,
  fees: [{ id: fee.id, amount }]
})

const brokerageLevied = (
  terms: Product["brokerageFee"],
  brokerageFees: ReadonlyArray<BrokerageFee>,
  net: number,
  rates: UsedRates
): Levied => ({
  ...feeTerms(terms),
  net: 0,
  fees: brokerageFees.map((brokerageFee) => {
    const { brokerageFirmId, fee } = brokerageFee
    const inputs = [
      { id: "brokerageFirmId", value: brokerageFirmId },
      { id: "fee", value: fee }
    ]
    const rate = share(one, brokerageShare(brokerageFee))
    rates.add({ id: terms.id, rate, inputs }, brokerageFirmId)
    return { id: terms.id, brokerageFirmId, amount: brokerageAmount(net, brokerageFee) }
  })
})
