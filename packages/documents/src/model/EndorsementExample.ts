/** What an endorsement of a product's example changes: one answer, or how often it is paid where there is none. */
import type { Asset } from "@quittance/domain/assets/Asset"
import type { Policy } from "@quittance/domain/policies/Policy"
import type { Product } from "@quittance/domain/products/Product"
import type { Field } from "@quittance/domain/products/ProductFields"
import { make } from "@quittance/domain/values/Amount"
import type { CustomField, CustomFieldValue } from "@quittance/domain/values/CustomField"
import type { Instant } from "@quittance/domain/values/Instant"
import type { EndorsementInput, EndorsedSide } from "./EndorsementModel.ts"

/** What the answer could have been before; `undefined` of one that does not change. */
const earlier = ({ type, values = [] }: Field, value: CustomFieldValue) => {
  const other = values.find(({ id }) => id !== value)
  if (other !== undefined) return other.id
  // A tenth less, in whole units.
  return type === "MONEY" && typeof value === "number" && value >= 1000
    ? Math.round((value * 0.9) / 100) * 100
    : undefined
}

/** The answers with the first that can have changed as it was before; `undefined` where none can. */
const answeredBefore = (
  fields: ReadonlyArray<Field>,
  answers: ReadonlyArray<CustomField> = []
): ReadonlyArray<CustomField> | undefined => {
  for (const field of fields) {
    const answer = answers.find(({ key }) => key === field.key)
    const value = answer && earlier(field, answer.value)
    if (value === undefined) continue
    return answers.map((one) => (one === answer ? { ...one, value } : one))
  }
  return undefined
}

const policyBefore = ({ quote, ...policy }: Policy): Policy => {
  if (quote === undefined) return policy
  const total = quote.totalPremium.amountWithFeesAndTaxes
  return { ...policy, quote: { ...quote, totalPremium: make(Math.round(total * 0.9), [], []) } }
}

/** Half a term after the start, from which on it costs a tenth more. */
export const exampleEndorsement = (
  { fields }: Product,
  after: EndorsedSide,
  effectiveAt: Instant
): EndorsementInput => {
  const [thing, ...things] = after.assets
  const policy = policyBefore(after.policy)
  const ofThing = answeredBefore(fields.asset, thing?.customFields)
  const ofPolicy = answeredBefore(fields.policy, policy.customFields)
  const assets: ReadonlyArray<Asset> =
    thing === undefined || ofThing === undefined
      ? after.assets
      : [{ ...thing, customFields: ofThing }, ...things]
  const before =
    ofThing !== undefined
      ? { ...after, policy, assets }
      : {
          ...after,
          policy:
            ofPolicy === undefined ? paidOtherwise(policy) : { ...policy, customFields: ofPolicy }
        }
  const [was, is] = [before.policy, after.policy].map(
    ({ quote }) => quote?.totalPremium.amountWithFeesAndTaxes ?? 0
  )
  return { effectiveAt, before, after, restOfTerm: Math.round((is! - was!) / 2) }
}

const paidOtherwise = ({ invoicingConfig, ...policy }: Policy): Policy => ({
  ...policy,
  invoicingConfig: {
    ...invoicingConfig,
    frequency: invoicingConfig.frequency === "YEARLY" ? "MONTHLY" : "YEARLY"
  }
})
