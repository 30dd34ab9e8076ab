/** The components of a price that another program gives, held against those that the product has. */
import {
  add,
  AmountOverflow,
  type Fee,
  make,
  type QuoteComponent
} from "@quittance/domain/values/Amount"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import type { GivenPrice, PricedComponent } from "@quittance/domain/products/PriceExchange"
import type { Product } from "@quittance/domain/products/Product"
import type { AnswerFaults } from "./AnswerFaults.ts"
import type { Assembled, NetTrace } from "./Assembly.ts"
import { isPolicyTax, type PolicyTax, taxesOf } from "./Charges.ts"
import { carriesNet, chargeTypeOf, given, policyTax, taxed, type TaxLine } from "./Components.ts"
import {
  brokerageAmount,
  type ComponentTerms,
  feeTerms,
  perilTerms,
  specialTerms
} from "./ComponentTerms.ts"
import { isLevied, type Jurisdictions } from "./Jurisdictions.ts"
import type { AskedTier } from "./PriceQuestion.ts"

/** A component that a price must or may have. */
interface Place {
  readonly id: string
  readonly required: boolean
  /** Undefined where it can't be one of the product. */
  readonly read: (component: PricedComponent, at: string) => Assembled | undefined
}

/** The components in the product's order; what is wrong with them is added to the faults. */
export const readComponents = (
  product: Product,
  asked: AskedTier,
  price: GivenPrice,
  faults: AnswerFaults,
  at: string
): ReadonlyArray<Assembled> => {
  const places = placesOf(product, asked, price, faults)
  for (const [index, { id }] of price.components.entries()) {
    const first = price.components.findIndex((component) => component.id === id)
    if (first < index || places.every((place) => place.id !== id)) {
      faults.add(`${at}/components/${index}/id`, `${id} is not expected, or is there twice`)
    }
  }
  return places.flatMap(({ id, read, required }) => {
    const index = price.components.findIndex((component) => component.id === id)
    const component = price.components[index]
    if (component === undefined) {
      if (required) faults.add(`${at}/components`, `${id} is missing`)
      return []
    }
    return whole(() => read(component, `${at}/components/${index}`), faults, at)
  })
}

const whole = (
  read: () => Assembled | undefined,
  faults: AnswerFaults,
  at: string
): ReadonlyArray<Assembled> => {
  try {
    const component = read()
    return component === undefined ? [] : [component]
  } catch (error) {
    if (!(error instanceof AmountOverflow)) throw error
    faults.add(at, "a sum is too large")
    return []
  }
}

/** Every charge of the product: what is covered, specials that may apply, fees and taxes. */
const placesOf = (
  product: Product,
  { covered, input, places, specials }: AskedTier,
  { totalPremium }: GivenPrice,
  faults: AnswerFaults
): ReadonlyArray<Place> => {
  const reader = new Reader(product, places, faults)
  const { additionalQuoteComponents: additional, brokerageFees = [] } = input
  const net = totalPremium.amountPreFeesAndTaxes
  const brokerage = brokerageFees.map((brokerageFee) => ({
    brokerageFirmId: brokerageFee.brokerageFirmId,
    amount: brokerageAmount(product, net, brokerageFee)
  }))
  const isCovered = (id: string) => covered.some(({ peril }) => peril.id === id)
  return [
    ...covered.map(({ peril }): Place => ({
      id: peril.id,
      required: true,
      read: (component, at) => reader.premium(perilTerms(peril), 1, component, at)
    })),
    ...specials
      .filter(({ special }) => special.of.some(isCovered))
      .map(({ special }): Place => ({
        id: special.id,
        required: false,
        read: (component, at) =>
          reader.premium(specialTerms(special), special.kind === "DISCOUNT" ? -1 : 1, component, at)
      })),
    ...(additional === undefined ? [] : [reader.added(additional)]),
    ...(brokerage.length === 0 ? [] : [reader.fee(product.brokerageFee, brokerage)]),
    ...product.fees.filter(({ id }) => isLevied(places, id)).map((fee) => reader.fee(fee, [{}])),
    ...product.taxes
      .filter(isPolicyTax)
      .filter(({ id }) => isLevied(places, id))
      .map((tax) => reader.tax(tax))
  ]
}

/** What is known of a line of a fee beforehand: of the brokerage firms' fees all of it. */
interface ExpectedLine {
  readonly brokerageFirmId?: Fee["brokerageFirmId"]
  readonly amount?: number
}

class Reader {
  readonly #product: Product
  readonly #places: Jurisdictions
  readonly #faults: AnswerFaults

  constructor(product: Product, places: Jurisdictions, faults: AnswerFaults) {
    this.#product = product
    this.#places = places
    this.#faults = faults
  }

  /** A peril or a special. */
  premium(terms: ComponentTerms, sign: 1 | -1, component: PricedComponent, at: string) {
    const { premium } = component
    if (premium.fees.length > 0) this.#faults.add(`${at}/premium/fees`, "not on a premium")
    this.#form(terms, sign, component, at)
    const taxes = this.#taxes(terms, component, at)
    const levied = { ...terms, net: premium.amountPreFeesAndTaxes, fees: [] }
    return { ...taxed(levied, taxes), trace: this.#trace(component, at) }
  }

  fee(fee: Parameters<typeof feeTerms>[0], lines: ReadonlyArray<ExpectedLine>): Place {
    const terms = feeTerms(fee)
    const read = (component: PricedComponent, at: string): Assembled => {
      const { fees } = component.premium
      this.#form(terms, 1, component, at)
      const isWhole =
        fees.length === lines.length &&
        lines.every((line) => fees.filter((given) => isLine(terms, line, given)).length === 1)
      if (!isWhole) this.#faults.add(`${at}/premium/fees`, `not the ${terms.id} that was asked for`)
      const levied = { ...terms, net: 0, fees: fees.map(({ chargeType: _, ...line }) => line) }
      return { ...taxed(levied, this.#taxes(terms, component, at)), trace: { kind: "NONE" } }
    }
    return { id: terms.id, required: true, read }
  }

  tax(tax: PolicyTax): Place {
    const { chargeType, id } = tax
    const read = (component: PricedComponent, at: string): Assembled | undefined => {
      const { fees, taxes } = component.premium
      this.#form({ chargeType, type: "TAX" }, 1, component, at)
      const [line] = taxes
      if (fees.length > 0) this.#faults.add(`${at}/premium/fees`, "not on a tax")
      if (taxes.length === 1 && line?.id === id && line.chargeType === chargeType) {
        return { ...policyTax(tax, line.amount), trace: { kind: "NONE" } }
      }
      this.#faults.add(`${at}/premium/taxes`, `not one line of ${id}`)
      return undefined
    }
    return { id, required: true, read }
  }

  /** What the caller has priced stays as it is. */
  added(additional: QuoteComponent): Place {
    const read = (priced: PricedComponent, at: string): Assembled => {
      const { steps: _, ...component } = priced
      if (canonicalJson(component) !== canonicalJson(additional)) {
        this.#faults.add(at, "not as it was given")
      }
      this.#trace(priced, at)
      return { ...given(additional), trace: { kind: "GIVEN" } }
    }
    return { id: additional.id, required: true, read }
  }

  #form(
    { chargeType, type }: Pick<ComponentTerms, "chargeType" | "type">,
    sign: 1 | -1,
    component: PricedComponent,
    at: string
  ) {
    const { premium } = component
    if (component.type !== type) this.#faults.add(`${at}/type`, `not ${type}`)
    if (component.chargeType !== chargeType)
      this.#faults.add(`${at}/chargeType`, `not ${chargeType}`)
    const { amountPreFeesAndTaxes: net, fees, taxes } = premium
    if (!carriesNet(type) && net !== 0) {
      this.#faults.add(`${at}/premium/amountPreFeesAndTaxes`, `not 0, as of a ${type}`)
    }
    // A tax of a fixed amount is levied on a discount, too.
    const lines = sign > 0 ? [...fees, ...taxes] : fees
    const amounts = [net, ...lines.map(({ amount }) => amount)]
    if (amounts.some((amount) => amount * sign < 0)) {
      this.#faults.add(`${at}/premium`, `an amount that is ${sign > 0 ? "negative" : "positive"}`)
    }
    const derived = make(net, fees, taxes)
    for (const total of totals) {
      if (premium[total] !== derived[total]) {
        this.#faults.add(`${at}/premium/${total}`, `its parts sum to ${derived[total]}`)
      }
    }
  }

  /** The taxes that a component has, in the product's order. */
  #taxes(terms: ComponentTerms, { premium }: PricedComponent, at: string): ReadonlyArray<TaxLine> {
    const known = taxesOf(this.#product, terms.taxClass).filter(({ id }) =>
      isLevied(this.#places, id)
    )
    for (const [index, { chargeType, id }] of premium.taxes.entries()) {
      const tax = known.find((one) => one.id === id)
      const first = premium.taxes.findIndex((one) => one.id === id)
      if (tax === undefined || first < index || chargeType !== chargeTypeOf(tax, terms)) {
        const problem = `${id} is no tax of ${terms.id}, is there twice, or is charged otherwise`
        this.#faults.add(`${at}/premium/taxes/${index}`, problem)
      }
    }
    return known.flatMap((tax) => {
      const line = premium.taxes.find(({ id }) => id === tax.id)
      return line === undefined ? [] : [{ tax, amount: line.amount }]
    })
  }

  #trace({ premium, steps }: PricedComponent, at: string): NetTrace {
    if (steps === undefined) return { kind: "GIVEN" }
    const sum = steps.reduce((total, { change }) => add(total, change), 0)
    if (sum !== premium.amountPreFeesAndTaxes) this.#faults.add(`${at}/steps`, `they sum to ${sum}`)
    return { kind: "TOLD", steps }
  }
}

const totals = [
  "totalFees",
  "amountWithFeesPreTaxes",
  "totalTaxes",
  "amountWithFeesAndTaxes"
] as const

const isLine = (
  { chargeType, id }: ComponentTerms,
  { amount, brokerageFirmId }: ExpectedLine,
  line: Fee
): boolean =>
  line.id === id &&
  line.chargeType === chargeType &&
  line.brokerageFirmId === brokerageFirmId &&
  (amount === undefined || amount === line.amount)
