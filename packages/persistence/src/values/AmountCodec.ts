/**
 * Amounts as rows keep them: what they consist of, in few characters. Every invoice of every policy has
 * a dozen lines with two amounts each, and totals are derived.
 */
import * as Amount from "@quittance/domain/values/Amount"
import { type ChargeType, type Fee, Money, type Tax } from "@quittance/domain/values/Amount"
import { Schema } from "effect"
import { BrokerageFirmId } from "@quittance/domain/values/Ids"

/** The place of a charge type stands for it in rows, so that none may ever move. */
const chargeTypes = ["RECURRING", "ONE_TIME", "SPOT"] as const satisfies ReadonlyArray<ChargeType>

export const ChargeTypePlace = Schema.Literals([0, 1, 2])
export type ChargeTypePlace = typeof ChargeTypePlace.Type

export const chargeTypeAt = (place: ChargeTypePlace): ChargeType => chargeTypes[place]

const places = { RECURRING: 0, ONE_TIME: 1, SPOT: 2 } as const

export const placeOf = (chargeType: ChargeType): ChargeTypePlace => places[chargeType]

const KeptTax = Schema.Tuple([Schema.String, ChargeTypePlace, Money])
const KeptFee = Schema.Union([
  KeptTax,
  Schema.Tuple([Schema.String, ChargeTypePlace, Money, BrokerageFirmId])
])

/** Its net premium, its fees and its taxes, each of these with name, charge type and amount. */
export const KeptAmount = Schema.Tuple([Money, Schema.Array(KeptFee), Schema.Array(KeptTax)])
export type KeptAmount = typeof KeptAmount.Type

export const keepAmount = ({ amountPreFeesAndTaxes, fees, taxes }: Amount.Amount): KeptAmount => [
  amountPreFeesAndTaxes,
  fees.map(({ amount, brokerageFirmId, chargeType, id }) =>
    brokerageFirmId === undefined
      ? [id, placeOf(chargeType), amount]
      : [id, placeOf(chargeType), amount, brokerageFirmId]
  ),
  taxes.map(({ amount, chargeType, id }) => [id, placeOf(chargeType), amount])
]

export const amountKept = ([net, fees, taxes]: KeptAmount): Amount.Amount =>
  Amount.make(
    net,
    fees.map(([id, place, amount, brokerageFirmId]): Fee => {
      const fee = { id, chargeType: chargeTypeAt(place), amount }
      return brokerageFirmId === undefined ? fee : { ...fee, brokerageFirmId }
    }),
    taxes.map(([id, place, amount]): Tax => ({ id, chargeType: chargeTypeAt(place), amount }))
  )
