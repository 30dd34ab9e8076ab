/** Puts a quote together: the rated perils, then specials, fees and taxes on top of them. */
import { add, type QuoteComponent, sum } from "@quittance/domain/Amount"
import type { LocalDate } from "@quittance/domain/LocalDate"
import type { BrokerageFee } from "@quittance/domain/Policy"
import type { Product } from "@quittance/domain/Product"
import type { PolicyFee, Special, TaxTerms } from "@quittance/domain/ProductRating"
import { type Charge, chargeOn, compileCharges, rateOf, taxesByClass } from "./Charges.ts"
import { type Component, given, type Levied, policyTax, tax } from "./Components.ts"
import { share } from "./Exact.ts"
import type { RatedPeril } from "./Rating.ts"
import { type Applied, levy, type Levied as LeviedSpecial, type Nets } from "./Specials.ts"
import { UsedRates } from "./UsedRates.ts"

/** How a component's net premium came about, for the explanation. */
export type NetTrace =
  | { readonly kind: "RATED"; readonly rated: RatedPeril }
  | { readonly kind: Special["kind"]; readonly base: number }
  | { readonly kind: "GIVEN" }
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

const dated = <A extends { readonly charges: Parameters<typeof compileCharges>[0] }>(
  terms: A
): Dated<A> => [terms, compileCharges(terms.charges)]

export const compileAssembly = (product: Product): Assembler => {
  const taxes = taxesByClass(product)
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
      const { everyTerm = false, refundable = true } = terms
      const component = policyTax({ ...terms, everyTerm, refundable }, chargeOn(net, charge))
      components.push({ ...component, trace: { kind: "NONE" } })
    }
    return { components, rates }
  }
}

type PolicyTax = Extract<TaxTerms, { readonly level: "POLICY" }>

const isPolicyTax = (terms: TaxTerms): terms is PolicyTax => terms.level === "POLICY"

const addRate = (rates: UsedRates, id: string, charge: Charge) => {
  if ("text" in charge) {
    rates.add({ id, rate: rateOf(charge), inputs: [{ id: "share", value: charge.text }] })
  }
}

const perilLevied = ({ peril }: RatedPeril, net: number): Levied => ({
  id: peril.id,
  type: "PERIL",
  chargeType: "RECURRING",
  everyTerm: false,
  refundable: peril.refundable ?? true,
  net,
  fees: [],
  taxClass: peril.taxClass
})

const specialLevied = ({ amount, special }: LeviedSpecial): Levied => ({
  id: special.id,
  type: special.kind === "MINIMUM" ? "PREMIUM" : "SPECIAL",
  chargeType: "RECURRING",
  everyTerm: false,
  refundable: special.refundable ?? true,
  net: amount,
  fees: [],
  taxClass: special.taxClass
})

const feeLevied = (fee: PolicyFee, amount: number): Levied => ({
  id: fee.id,
  type: "FEE",
  chargeType: fee.chargeType,
  everyTerm: fee.everyTerm ?? false,
  refundable: fee.refundable ?? true,
  net: 0,
  fees: [{ id: fee.id, amount }],
  taxClass: fee.taxClass
})

/** A percentage has at most four decimals, so it is an integer of millionths. */
const millionths = (percentage: number) => ({
  numerator: Math.round(percentage * 10_000),
  denominator: 1_000_000
})

const brokerageLevied = (
  terms: Product["brokerageFee"],
  brokerageFees: ReadonlyArray<BrokerageFee>,
  net: number,
  rates: UsedRates
): Levied => ({
  id: terms.id,
  type: "FEE",
  chargeType: terms.chargeType,
  everyTerm: terms.everyTerm ?? false,
  refundable: terms.refundable ?? true,
  net: 0,
  fees: brokerageFees.map(({ brokerageFirmId, fee }) => {
    const fraction = millionths(fee)
    const inputs = [
      { id: "brokerageFirmId", value: brokerageFirmId },
      { id: "fee", value: fee }
    ]
    rates.add({ id: terms.id, rate: share(10_000, fraction), inputs }, brokerageFirmId)
    return { id: terms.id, brokerageFirmId, amount: share(net, fraction) }
  }),
  taxClass: terms.taxClass
})
