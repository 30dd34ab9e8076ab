/** The part of a policy's state that its price depends on. */
import { canonicalJson } from "./CanonicalJson.ts"
import type { CustomFieldValue } from "./CustomField.ts"
import { inOrder, type PolicyState, runningAssets } from "./PolicyState.ts"
import type { Product } from "./Product.ts"
import type { Field } from "./ProductFields.ts"

/**
 * A canonical text of all that is priced: two states with the same text have the same price under
 * the same product version. Invoicing isn't in it: it divides a price and doesn't make one.
 */
export const pricedState = (product: Product, state: PolicyState): string =>
  canonicalJson([
    product.productId,
    product.version,
    state.startedAt,
    state.periodDuration,
    state.selection ?? null,
    state.brokerageFees ?? [],
    state.additionalQuoteComponents ?? null,
    pricedFields(product.fields.policy, state.customFields),
    inOrder(state.customers)
      .map(([, { customFields, role }]) => [
        role,
        pricedFields(product.fields.customer, customFields, role)
      ])
      .filter(([, fields]) => fields!.length > 0),
    runningAssets(state).map(([id, { customFields, startedAt }]) => [
      id,
      startedAt ?? null,
      pricedFields(product.fields.asset, customFields)
    ]),
    // A renewal is a price of its own, also of the same data: tables and ages are a term further.
    ...(state.terms === undefined ? [] : [state.terms])
  ])

/** The priced fields' values in the order of the product; a role sees only its own fields. */
const pricedFields = (
  fields: ReadonlyArray<Field>,
  values: Readonly<Record<string, CustomFieldValue>>,
  role?: string
): ReadonlyArray<readonly [string, CustomFieldValue | null]> =>
  fields
    .filter(
      (field) =>
        field.priced &&
        (role === undefined || field.roles === undefined || field.roles.includes(role))
    )
    .map(({ key }) => [key, values[key] ?? null])
