/** How the components of a product are charged, taxed and given back, whatever they cost. */
import type { ChargeType, ComponentType } from "@quittance/domain/values/Amount"
import type { Product } from "@quittance/domain/products/Product"
import type { BrokerageFee, PolicyFee, Special } from "@quittance/domain/products/ProductCharges"
import type { Peril } from "@quittance/domain/products/ProductRating"
import { type Fraction, share } from "./Exact.ts"

export interface ChargeTerms {
  readonly id: string
  readonly chargeType: ChargeType
  readonly everyTerm: boolean
  readonly refundable: boolean
}

export interface ComponentTerms extends ChargeTerms {
  readonly type: ComponentType
  /** Absent: outside the tax base. */
  readonly taxClass: string | undefined
}

export const perilTerms = (peril: Peril): ComponentTerms => premiumTerms(peril, "PERIL")

export const specialTerms = (special: Special): ComponentTerms =>
  premiumTerms(special, special.kind === "MINIMUM" ? "PREMIUM" : "SPECIAL")

const premiumTerms = (
  { chargeType = "RECURRING", everyTerm = false, id, refundable = true, taxClass }: Peril | Special,
  type: ComponentType
): ComponentTerms => ({ id, type, chargeType, everyTerm, refundable, taxClass })

/** Of a fee of the policy, and of the brokerage firms' fees. */
export const feeTerms = ({
  chargeType,
  everyTerm = false,
  id,
  refundable = true,
  taxClass
}: PolicyFee | Product["brokerageFee"]): ComponentTerms => ({
  id,
  type: "FEE",
  chargeType,
  everyTerm,
  refundable,
  taxClass
})

/** A firm's part of the quote's net premium: its percentage, rounded by itself. */
export const brokerageAmount = ({ rounding }: Product, net: number, fee: BrokerageFee): number =>
  share(net, brokerageShare(fee), rounding?.fees?.to)

/** A percentage has at most four decimals, so it is an integer of millionths. */
export const brokerageShare = ({ fee }: BrokerageFee): Fraction => ({
  numerator: Math.round(fee * 10_000),
  denominator: 1_000_000
})
