/**
 * The premium items of a quote as its row keeps them, apart from what the quote answered: billing reads them
 * for each invoice, and nothing else of the quote.
 */
import { Money } from "@quittance/domain/values/Amount"
import type { PremiumItem } from "@quittance/domain/products/Quote"
import { Schema } from "effect"
import { ChargeTypePlace, chargeTypeAt, placeOf } from "../values/AmountCodec.ts"
import { BrokerageFirmId } from "@quittance/domain/values/Ids"

/** The place of a kind stands for it in rows, so that none may ever move. */
const kinds = ["NET", "FEE", "TAX"] as const

/** What few premium items have. */
const More = Schema.Struct({
  brokerageFirmId: Schema.optionalKey(BrokerageFirmId),
  everyTerm: Schema.optionalKey(Schema.Literal(true)),
  nonRefundable: Schema.optionalKey(Schema.Literal(true))
})

/** Identifier, component, kind, charge type, amount, fee or tax, and more. */
const KeptLeaf = Schema.Tuple([
  Schema.String,
  Schema.String,
  Schema.Literals([0, 1, 2]),
  ChargeTypePlace,
  Money,
  Schema.NullOr(Schema.String),
  Schema.NullOr(More)
])
export const PremiumItemsCodec = Schema.Array(KeptLeaf)
export type PremiumItemsCodec = typeof PremiumItemsCodec.Type

export const encodePremiumItems = (premiumItems: ReadonlyArray<PremiumItem>): PremiumItemsCodec =>
  premiumItems.map((premiumItem) => [
    premiumItem.id,
    premiumItem.componentId,
    places[premiumItem.kind],
    placeOf(premiumItem.chargeType),
    premiumItem.amount,
    premiumItem.refId ?? null,
    moreOf(premiumItem)
  ])

const places = { NET: 0, FEE: 1, TAX: 2 } as const

const moreOf = ({ brokerageFirmId, everyTerm, refundable }: PremiumItem): typeof More.Type | null =>
  brokerageFirmId === undefined && !everyTerm && refundable
    ? null
    : {
        ...(brokerageFirmId === undefined ? {} : { brokerageFirmId }),
        ...(everyTerm ? { everyTerm } : {}),
        ...(refundable ? {} : { nonRefundable: true as const })
      }

export const decodePremiumItems = (kept: PremiumItemsCodec): ReadonlyArray<PremiumItem> =>
  kept.map(leafKept)

const leafKept = ([
  id,
  componentId,
  kind,
  chargeType,
  amount,
  refId,
  more
]: PremiumItemsCodec[number]) => {
  const premiumItem: PremiumItem = {
    id,
    componentId,
    kind: kinds[kind],
    chargeType: chargeTypeAt(chargeType),
    amount,
    everyTerm: more?.everyTerm === true,
    refundable: more?.nonRefundable !== true
  }
  if (refId === null) return premiumItem
  const charge: PremiumItem = { ...premiumItem, refId }
  return more?.brokerageFirmId === undefined
    ? charge
    : { ...charge, brokerageFirmId: more.brokerageFirmId }
}
