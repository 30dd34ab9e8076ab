/** The values that rating works with, taken from the fields of the policy, its customers and assets. */
import type { CustomFieldValue } from "@quittance/domain/values/CustomField"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { Product } from "@quittance/domain/products/Product"
import {
  fieldFaults,
  type FieldIssue,
  type FieldValues,
  valueOf
} from "@quittance/domain/products/ProductFields"
import type { FieldInput, RatingInput } from "@quittance/domain/products/ProductRating"
import type { PriceInput, RatedAsset, RatedCustomer } from "./PriceInput.ts"
import { SliceCount, type Sliced } from "./Slices.ts"

/** Completed years from a day to a later one; 29 February is completed on 1 March. */
const completedYears = (from: string, to: LocalDate): number =>
  yearOf(to) - yearOf(from) - (to.slice(5) < from.slice(5) ? 1 : 0)

/** Completed months from a day to a later one; the 31st is completed on the 1st where there is none. */
const completedMonths = (from: string, to: LocalDate): number =>
  (yearOf(to) - yearOf(from)) * 12 +
  Number(to.slice(5, 7)) -
  Number(from.slice(5, 7)) -
  (to.slice(8) < from.slice(8) ? 1 : 0)

const yearOf = (day: string): number => Number(day.slice(0, 4))

export const customerPath = ({ id }: RatedCustomer, index: number) => `/customers/${id ?? index}`
export const assetPath = ({ id }: RatedAsset, index: number) => `/assets/${id ?? index}`

/** Gathers what is wrong, so that all of it is told at once and nothing twice. */
export class Issues {
  readonly list: Array<FieldIssue> = []
  readonly #paths = new Set<string>()

  add(issue: FieldIssue) {
    if (this.#paths.has(issue.path)) return
    this.#paths.add(issue.path)
    this.list.push(issue)
  }

  has(path: string): boolean {
    return this.#paths.has(path)
  }
}

/** Every fault of the fields themselves, and assets too few or too many. */
export function* checkRecords(product: Product, input: PriceInput, issues: Issues): Sliced<void> {
  const { assets, fields } = product
  const stage = "QUOTE"
  for (const issue of fieldFaults(fields.policy, { values: input.customFields, stage })) {
    issues.add(issue)
  }
  for (const [index, customer] of input.customers.entries()) {
    const { customFields, role } = customer
    const at = customerPath(customer, index)
    if (!product.customerRoles.includes(role)) {
      issues.add({
        path: `${at}/role`,
        message: `Choose one of: ${product.customerRoles.join(", ")}.`
      })
      continue
    }
    for (const issue of fieldFaults(fields.customer, { values: customFields, stage, role, at })) {
      issues.add(issue)
    }
  }
  const slice = new SliceCount()
  for (const [index, asset] of input.assets.entries()) {
    const check = { values: asset.customFields, stage, at: assetPath(asset, index) } as const
    for (const issue of fieldFaults(fields.asset, check)) issues.add(issue)
    if (slice.isFull()) yield
  }
  const count = input.assets.length
  if (count < assets.min) {
    issues.add({
      path: "/assets",
      message: `Add a ${assets.type}; the product needs ${assets.min}.`
    })
  } else if (count > assets.max) {
    issues.add({ path: "/assets", message: `Keep at most ${assets.max}, as the product has it.` })
  }
}

/** The values of an input that is of the policy or of customers; of several the dearest counts. */
export const policyValues = (
  input: FieldInput,
  given: PriceInput,
  issues: Issues
): ReadonlyArray<CustomFieldValue> => {
  if (input.of === "POLICY") return derive(input, given.customFields, "", given.startDate, issues)
  const { roles = [] } = input
  const role = roles.find((role) => given.customers.some((customer) => customer.role === role))
  if (role === undefined) {
    if (input.default !== undefined) return [input.default]
    issues.add({
      path: "/customers",
      message: `Add a customer with the role ${roles.join(" or ")}.`
    })
    return []
  }
  return given.customers.flatMap((customer, index) =>
    customer.role === role
      ? derive(input, customer.customFields, customerPath(customer, index), given.startDate, issues)
      : []
  )
}

export const assetValues = (
  input: FieldInput,
  { assets, startDate }: PriceInput,
  index: number,
  issues: Issues
): ReadonlyArray<CustomFieldValue> => {
  const asset = assets[index]
  return asset === undefined
    ? []
    : derive(input, asset.customFields, assetPath(asset, index), startDate, issues)
}

/** The derived value of one record, or none where that is faulty. */
const derive = (
  input: FieldInput,
  values: FieldValues,
  at: string,
  startDate: LocalDate,
  issues: Issues
): ReadonlyArray<CustomFieldValue> => {
  const path = `${at}/customFields/${input.key}`
  if (issues.has(path)) return []
  const raw = valueOf(values, input.key)
  if (raw === undefined) {
    if (input.default !== undefined) return [input.default]
    issues.add({ path, message: "Give a value; the price depends on it." })
    return []
  }
  const value = derived(input.as, raw, startDate)
  const isFuture = input.as.startsWith("AGE") && Number(value) < 0
  const fault = isFuture ? future : boundFault(input, value)
  if (fault === undefined) return [value]
  issues.add({ path, message: fault })
  return []
}

const derived = (as: FieldInput["as"], raw: CustomFieldValue, startDate: LocalDate) => {
  switch (as) {
    case "VALUE":
      return raw
    case "AGE":
      return completedYears(String(raw), startDate)
    case "AGE_IN_MONTHS":
      return completedMonths(String(raw), startDate)
    case "YEAR":
      return yearOf(String(raw))
  }
}

const future = "Choose a day that is not after the start of cover."

/** Why a value is outside what the input prices. */
export const boundFault = ({ label, max, min }: RatingInput, value: CustomFieldValue) => {
  if (min !== undefined && Number(value) < min) return `Not insurable: ${label} below ${min}.`
  if (max !== undefined && Number(value) > max) return `Not insurable: ${label} above ${max}.`
  return undefined
}
