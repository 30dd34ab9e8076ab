/**
 * The leaves of a quote as its row keeps them, apart from what the quote answered: billing reads them
 * for each invoice, and nothing else of the quote.
 */
import { BrokerageFirmId, Money } from "@quittance/domain/values/Amount"
import type { QuoteLeaf } from "@quittance/domain/products/Quote"
import { Schema } from "effect"
import { ChargeTypePlace, chargeTypeAt, placeOf } from "../values/AmountCodec.ts"

/** The place of a kind stands for it in rows, so that none may ever move. */
const kinds = ["NET", "FEE", "TAX"] as const

/** What few leaves have. */
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
export const KeptLeaves = Schema.Array(KeptLeaf)
export type KeptLeaves = typeof KeptLeaves.Type

export const keepLeaves = (leaves: ReadonlyArray<QuoteLeaf>): KeptLeaves =>
  leaves.map((leaf) => [
    leaf.id,
    leaf.componentId,
    places[leaf.kind],
    placeOf(leaf.chargeType),
    leaf.amount,
    leaf.refId ?? null,
    moreOf(leaf)
  ])

const places = { NET: 0, FEE: 1, TAX: 2 } as const

const moreOf = ({ brokerageFirmId, everyTerm, refundable }: QuoteLeaf): typeof More.Type | null =>
  brokerageFirmId === undefined && !everyTerm && refundable
    ? null
    : {
        ...(brokerageFirmId === undefined ? {} : { brokerageFirmId }),
        ...(everyTerm ? { everyTerm } : {}),
        ...(refundable ? {} : { nonRefundable: true as const })
      }

export const leavesKept = (kept: KeptLeaves): ReadonlyArray<QuoteLeaf> => kept.map(leafKept)

const leafKept = ([id, componentId, kind, chargeType, amount, refId, more]: KeptLeaves[number]) => {
  const leaf: QuoteLeaf = {
    id,
    componentId,
    kind: kinds[kind],
    chargeType: chargeTypeAt(chargeType),
    amount,
    everyTerm: more?.everyTerm === true,
    refundable: more?.nonRefundable !== true
  }
  if (refId === null) return leaf
  const charge: QuoteLeaf = { ...leaf, refId }
  return more?.brokerageFirmId === undefined
    ? charge
    : { ...charge, brokerageFirmId: more.brokerageFirmId }
}
