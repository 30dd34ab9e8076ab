/** What an endorsement changes: each value that differs, as people read it before and after. */
import type { Asset } from "@quittance/domain/assets/Asset"
import type { Customer } from "@quittance/domain/customers/Customer"
import type {
  ModelCover,
  ModelEndorsement,
  ModelField
} from "@quittance/domain/documents/DocumentModel"
import type { Policy } from "@quittance/domain/policies/Policy"
import type { Product } from "@quittance/domain/products/Product"
import type { Instant } from "@quittance/domain/values/Instant"
import { localDate } from "@quittance/domain/values/TimeZone"
import { type Customs, fieldText, formatted } from "../Formats.ts"
import { assetOf, fieldsOf, partyOf } from "./PartyModel.ts"
import { coversOf } from "./PriceModel.ts"

/** A policy without the endorsement, or with it. */
export interface EndorsedSide {
  readonly policy: Policy
  readonly customers: ReadonlyArray<Customer>
  readonly assets: ReadonlyArray<Asset>
}

export interface EndorsementInput {
  readonly number?: string
  /** From when on it is in force. */
  readonly effectiveAt: Instant
  readonly before: EndorsedSide
  readonly after: EndorsedSide
  /** What it costs for the rest of the agreed terms, in minor units. */
  readonly restOfTerm: number
}

/** What stands where there is nothing. */
const none = "–"

interface Value {
  readonly label: string
  readonly text: string
}

/** @param locale of the template, which says how values are written */
export const endorsementOf = (
  product: Product,
  { after, before, effectiveAt, number, restOfTerm }: EndorsementInput,
  locale: string
): ModelEndorsement => {
  const { currency, timeZone } = product
  const customs: Customs = { locale, currency, timeZone, labels: {} }
  const [was, is] = [valuesOf(product, before, customs), valuesOf(product, after, customs)]
  return {
    ...(number === undefined ? {} : { number }),
    effectiveOn: localDate(effectiveAt, timeZone),
    changes: [...new Set([...was.keys(), ...is.keys()])].flatMap((key) => {
      const [old, now] = [was.get(key), is.get(key)]
      if (old?.text === now?.text) return []
      return [{ label: (now ?? old)!.label, before: old?.text ?? none, after: now?.text ?? none }]
    }),
    previousTotal: before.policy.quote?.totalPremium.amountWithFeesAndTaxes ?? 0,
    restOfTerm
  }
}

/** All that a policy says, by what says it. */
const valuesOf = (
  product: Product,
  { assets, customers, policy }: EndorsedSide,
  customs: Customs
): ReadonlyMap<string, Value> => {
  const values = new Map<string, Value>()
  const word = (code: string) => formatted(code, "label", customs) ?? code
  const put = (key: string, label: string, text: string | undefined) => {
    if (text !== undefined && text !== "") values.set(key, { label, text })
  }
  const putFields = (key: string, of: string, fields: ReadonlyArray<ModelField>) => {
    for (const field of fields) {
      put(`${key}/${field.key}`, `${of}${field.label}`, fieldText(field, customs))
    }
  }
  const things = assets
    .filter(({ status }) => status !== "ASSET_STOPPED")
    .map((asset) => assetOf(product, asset))
  put("tier", word("TIER"), policy.selectedTier?.name)
  put("frequency", word("FREQUENCY"), word(policy.invoicingConfig.frequency))
  putFields("policy", "", fieldsOf(product.fields.policy, policy.customFields))
  for (const customer of customers) {
    const { fields, name, role } = partyOf(product, customer, [])
    put(customer.id, word(role), name)
    putFields(customer.id, `${name}, `, fields)
  }
  for (const { fields, id, name } of things) {
    put(id, word("ASSET"), name)
    putFields(id, things.length > 1 ? `${name}, ` : "", fields)
  }
  const covers = policy.selectedTier === undefined ? [] : coversOf(product, policy.selectedTier)
  for (const cover of covers) putCover(cover, put, customs, word)
  return values
}

const putCover = (
  { deductible, id, limit, name, options }: ModelCover,
  put: (key: string, label: string, text: string | undefined) => void,
  customs: Customs,
  word: (code: string) => string
) => {
  put(`cover/${id}`, word("COVER"), name)
  put(`cover/${id}/limit`, `${name}, ${word("LIMIT")}`, formatted(limit, "money", customs))
  put(
    `cover/${id}/deductible`,
    `${name}, ${word("DEDUCTIBLE")}`,
    formatted(deductible, "money", customs)
  )
  for (const { label, value } of options) put(`cover/${id}/${label}`, `${name}, ${label}`, value)
}
