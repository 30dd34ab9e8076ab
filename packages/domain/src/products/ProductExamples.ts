/** The examples of a product's fields, put together into what can be quoted, confirmed and signed. */
import type { Product } from "./Product.ts"
import { type Field, fieldsOfRole, type FieldValues } from "./ProductFields.ts"

export interface ProductExample {
  readonly customFields: FieldValues
  /** The policyholder alone, which is enough for every product. */
  readonly customers: ReadonlyArray<{ readonly role: string; readonly customFields: FieldValues }>
  /** As many as the product needs at least. */
  readonly assets: ReadonlyArray<{ readonly customFields: FieldValues }>
}

export const exampleOf = ({
  assets,
  fields
}: Pick<Product, "assets" | "fields">): ProductExample => ({
  customFields: examples(fields.policy),
  customers: [
    { role: "POLICYHOLDER", customFields: examples(fieldsOfRole(fields.customer, "POLICYHOLDER")) }
  ],
  assets: Array.from({ length: assets.min }, () => ({ customFields: examples(fields.asset) }))
})

const examples = (fields: ReadonlyArray<Field>): FieldValues =>
  Object.fromEntries(fields.map(({ example, key }) => [key, example]))
