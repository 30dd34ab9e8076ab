/** The part of a policy's state that its price depends on. */
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { CustomFieldValue } from "../values/CustomField.ts"
import { type AssetOnPolicy, inOrder, type PolicyState, runningAssets } from "./PolicyState.ts"
import type { Product } from "../products/Product.ts"
import type { Field } from "../products/ProductFields.ts"

/**
 * A canonical text of all that is priced: two states with the same text have the same price under
 * the same product version. Invoicing isn't in it: it divides a price and doesn't make one.
 */
export const pricedState = (product: Product, state: PolicyState): string =>
  canonicalJson([
    ...pricedOfPolicy(product, state),
    pricedOfCustomers(product, state.customers),
    runningAssets(state).map((asset) => pricedOfAsset(product, asset)),
    // A renewal is a price of its own, also of the same data: tables and ages are a term further.
    ...(state.terms === undefined ? [] : [state.terms])
  ])

/** What is priced of the policy itself, but for its term. */
export const pricedOfPolicy = (
  product: Product,
  state: Omit<PolicyState, "assets" | "customers">
): ReadonlyArray<unknown> => [
  product.productId,
  product.version,
  state.startedAt,
  state.periodDuration,
  state.selection ?? null,
  state.brokerageFees ?? [],
  state.additionalQuoteComponents ?? null,
  pricedFields(product.fields.policy, state.customFields)
]

/** What is priced of the customers, without their identity, in the order in which they were added. */
export const pricedOfCustomers = (
  product: Product,
  customers: PolicyState["customers"]
): ReadonlyArray<unknown> =>
  inOrder(customers)
    .map(([, { customFields, role }]) => [
      role,
      pricedFields(product.fields.customer, customFields, role)
    ])
    .filter(([, fields]) => fields!.length > 0)

/** What is priced of an asset whose cover has not ended. */
export const pricedOfAsset = (
  product: Product,
  [id, { customFields, startedAt }]: readonly [string, AssetOnPolicy]
): ReadonlyArray<unknown> => [
  id,
  startedAt ?? null,
  pricedFields(product.fields.asset, customFields)
]

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
