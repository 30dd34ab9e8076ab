/** People, things insured and their fields, as documents show them. */
import type { Asset } from "@quittance/domain/assets/Asset"
import type { Customer } from "@quittance/domain/customers/Customer"
import type { ModelAsset, ModelField, ModelParty } from "@quittance/domain/documents/DocumentModel"
import type { Product } from "@quittance/domain/products/Product"
import type { Field } from "@quittance/domain/products/ProductFields"
import type { CustomField } from "@quittance/domain/values/CustomField"

/** The fields that have a value, in the product's order. */
export const fieldsOf = (
  known: ReadonlyArray<Field>,
  given: ReadonlyArray<CustomField> = []
): ReadonlyArray<ModelField> => {
  const values = new Map(given.map(({ key, value }) => [key, value]))
  return known.flatMap(({ key, label, type, values: choices }) => {
    const value = values.get(key)
    if (value === undefined) return []
    const text = choices?.find(({ id }) => id === value)?.label
    return [{ key, label, type, value, ...(text === undefined ? {} : { text }) }]
  })
}

/** The text of a field by its key; empty where there is none. */
const textOf = (fields: ReadonlyArray<ModelField>, key: string): string => {
  const value = fields.find((field) => field.key === key)?.value
  return typeof value === "string" ? value : ""
}

/** A company by its name, else a person by first and last name, else what the customer was called. */
const nameOf = ({ name }: Customer, fields: ReadonlyArray<ModelField>): string => {
  const person = [textOf(fields, "firstName"), textOf(fields, "lastName")]
    .filter((part) => part !== "")
    .join(" ")
  return textOf(fields, "companyName") || person || (name ?? "")
}

/** Street, then postal code and town, as far as the fields of these keys have a value. */
const addressOf = (fields: ReadonlyArray<ModelField>): string =>
  [
    textOf(fields, "street"),
    [textOf(fields, "postalCode"), textOf(fields, "city")].filter((part) => part !== "").join(" ")
  ]
    .filter((line) => line !== "")
    .join("\n")

/** A customer; one without an address of their own has that of the first thing insured that has one. */
export const partyOf = (
  product: Product,
  customer: Customer,
  assets: ReadonlyArray<ModelAsset>
): ModelParty => {
  const fields = fieldsOf(product.fields.customer, customer.customFields)
  const own = addressOf(fields)
  return {
    id: customer.id,
    role: customer.role,
    type: customer.type,
    name: nameOf(customer, fields),
    address:
      own || (assets.map((asset) => addressOf(asset.fields)).find((text) => text !== "") ?? ""),
    ...(customer.email === undefined ? {} : { email: customer.email }),
    paymentMode: customer.paymentMode,
    fields
  }
}

/** A thing insured; one without a name is called by its address, else by its first two texts: make, model. */
export const assetOf = (product: Product, asset: Asset): ModelAsset => {
  const fields = fieldsOf(product.fields.asset, asset.customFields)
  const texts = fields
    .filter(({ type }) => type === "STRING")
    .slice(0, 2)
    .map(({ value }) => String(value))
  const name = asset.name ?? (addressOf(fields).replace("\n", ", ") || texts.join(" "))
  return { id: asset.id, type: asset.type, name, fields }
}
