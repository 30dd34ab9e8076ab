/** A quote's components: their fees, their taxes, and the premium items that billing charges by. */
import {
  add,
  type ChargeType,
  type ComponentType,
  type Fee,
  make,
  type QuoteComponent,
  type Tax
} from "@quittance/domain/values/Amount"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import { chargeOn, type CompiledTax, type ComponentTax, type PolicyTax } from "./Charges.ts"
import type { ChargeTerms, ComponentTerms } from "./ComponentTerms.ts"
import { isLevied, placeOf, type Jurisdictions } from "./Jurisdictions.ts"
import { chargeOver, type TermLength } from "./TermLength.ts"
import type { UsedRates } from "./UsedRates.ts"
import type { BrokerageFirmId } from "@quittance/domain/values/Ids"

/** A component before its taxes. */
export interface Levied extends ComponentTerms {
  /** It lowers the tax base and is no cover of its own: a tax of a fixed amount is not on it. */
  readonly isDiscount?: boolean
  readonly net: number
  /** Fees of this component, each charged as the component is. */
  readonly fees: ReadonlyArray<{
    readonly id: string
    readonly brokerageFirmId?: BrokerageFirmId
    readonly amount: number
  }>
}

export interface Component {
  readonly component: QuoteComponent
  readonly premiumItems: ReadonlyArray<PremiumItem>
}

/** A tax on a component as its terms have it, and what it comes to. */
export interface TaxLine {
  readonly tax: ComponentTax
  readonly amount: number
}

/** Where and when a component is taxed, and over what term. */
interface TaxContext {
  readonly day: LocalDate
  readonly length: TermLength
  readonly rates: UsedRates
  readonly places: Jurisdictions
}

/** Adds the taxes of the component's class; their base is its net premium with its fees. */
export const tax = (
  levied: Levied,
  taxes: ReadonlyArray<CompiledTax>,
  { day, length, places, rates }: TaxContext
): Component => {
  const base = levied.fees.reduce((sum, { amount }) => add(sum, amount), levied.net)
  const lines: Array<TaxLine> = []
  for (const { at, tax, to } of taxes) {
    if (!isLevied(places, tax.id)) continue
    const charge = at(day)
    if (levied.isDiscount === true && "amount" in charge) continue
    rates.addCharge(tax.id, charge, placeOf(places, tax.id))
    const due = chargeOver(length, chargeTypeOf(tax, levied), charge)
    lines.push({ tax, amount: chargeOn(base, due, to) })
  }
  return taxed(levied, lines)
}

/** A component with its taxes. */
export const taxed = (levied: Levied, taxes: ReadonlyArray<TaxLine>): Component => {
  const { chargeType, everyTerm, id, net, refundable, type } = levied
  const fees = levied.fees.map((fee): Fee => ({ ...fee, chargeType }))
  const premiumItems: Array<PremiumItem> = []
  if (carriesNet(type))
    premiumItems.push({ ...netLeaf(id, chargeType, net), everyTerm, refundable })
  for (const fee of fees) premiumItems.push({ ...feeLeaf(id, fee), everyTerm, refundable })
  const lines = taxes.map(({ amount, tax }): Tax => {
    const own = chargeTypeOf(tax, levied)
    const line = { id: tax.id, chargeType: own, amount }
    premiumItems.push({
      ...taxLeaf(id, line),
      everyTerm: everyTerm && own === "ONE_TIME",
      refundable: refundable && (tax.refundable ?? true)
    })
    return line
  })
  return { component: { id, type, premium: make(net, fees, lines), chargeType }, premiumItems }
}

/** A tax is charged as the component that it is on, unless it says otherwise. */
export const chargeTypeOf = (tax: ComponentTax, { chargeType }: ChargeTerms): ChargeType =>
  tax.chargeType ?? chargeType

/** A tax on the policy as a component of its own. */
export const policyTax = (terms: PolicyTax, amount: number): Component => {
  const { chargeType, everyTerm = false, id, refundable = true } = terms
  const line = { id, chargeType, amount }
  return {
    component: { id, type: "TAX", premium: make(0, [], [line]), chargeType },
    premiumItems: [{ ...taxLeaf(id, line), everyTerm, refundable }]
  }
}

/** A component that the caller has priced, taken as it is; only its members have our order. */
export const given = ({ chargeType, id, premium, type }: QuoteComponent): Component => {
  const component: QuoteComponent = {
    id,
    type,
    premium: make(
      premium.amountPreFeesAndTaxes,
      premium.fees.map(({ amount, brokerageFirmId, chargeType, id }) => ({
        id,
        ...(brokerageFirmId === undefined ? {} : { brokerageFirmId }),
        amount,
        chargeType
      })),
      premium.taxes.map(({ amount, chargeType, id }) => ({ id, chargeType, amount }))
    ),
    chargeType
  }
  const flags = { everyTerm: false, refundable: true }
  return {
    component,
    premiumItems: [
      ...(carriesNet(component.type) || premium.amountPreFeesAndTaxes !== 0
        ? [{ ...netLeaf(id, chargeType, premium.amountPreFeesAndTaxes), ...flags }]
        : []),
      ...premium.fees.map((fee) => ({ ...feeLeaf(id, fee), ...flags })),
      ...premium.taxes.map((line) => ({ ...taxLeaf(id, line), ...flags }))
    ]
  }
}

/** Components that only carry a fee or a tax have no net premium. */
export const carriesNet = (type: ComponentType) => type !== "FEE" && type !== "TAX"

const netLeaf = (componentId: string, chargeType: ChargeType, amount: number) => ({
  id: componentId,
  componentId,
  kind: "NET" as const,
  chargeType,
  amount
})

const feeLeaf = (componentId: string, { amount, brokerageFirmId, chargeType, id }: Fee) => ({
  id: `${componentId}/fee/${id}${brokerageFirmId === undefined ? "" : `/${brokerageFirmId}`}`,
  componentId,
  kind: "FEE" as const,
  refId: id,
  ...(brokerageFirmId === undefined ? {} : { brokerageFirmId }),
  chargeType,
  amount
})

const taxLeaf = (componentId: string, { amount, chargeType, id }: Tax) => ({
  id: `${componentId}/tax/${id}`,
  componentId,
  kind: "TAX" as const,
  refId: id,
  chargeType,
  amount
})
