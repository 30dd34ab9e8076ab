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

type Postal = NonNullable<ModelParty["postal"]>

const postalKeys = ["street", "postalCode", "city"] as const

/** The parts of an address that the fields of these keys have; `undefined` where they have none. */
const postalOf = (fields: ReadonlyArray<ModelField>): Postal | undefined => {
  const parts = postalKeys.flatMap((key) => {
    const text = textOf(fields, key)
    return text === "" ? [] : [[key, text] as const]
  })
  return parts.length === 0 ? undefined : Object.fromEntries(parts)
}

/** Street, then postal code and town. */
const addressOf = ({ city, postalCode, street }: Postal = {}): string =>
  [street, [postalCode, city].filter((part) => part !== undefined).join(" ")]
    .filter((line) => line !== undefined && line !== "")
    .join("\n")

/** A customer; one without an address of their own has that of the first thing insured that has one. */
export const partyOf = (
  product: Product,
  customer: Customer,
  assets: ReadonlyArray<ModelAsset>
): ModelParty => {
  const fields = fieldsOf(product.fields.customer, customer.customFields)
  const postal = postalOf(fields) ?? assets.map((asset) => postalOf(asset.fields)).find(isThere)
  return {
    id: customer.id,
    role: customer.role,
    type: customer.type,
    name: nameOf(customer, fields),
    address: addressOf(postal),
    ...(postal === undefined ? {} : { postal }),
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
  const name = asset.name ?? (addressOf(postalOf(fields)).replace("\n", ", ") || texts.join(" "))
  return { id: asset.id, type: asset.type, name, fields }
}

const isThere = <A>(value: A | undefined): value is A => value !== undefined
