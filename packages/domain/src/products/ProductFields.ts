/** The custom fields that a product defines, and whether given values fit them. */
import { Schema } from "effect"
import { CustomFieldValue } from "../values/CustomField.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { patternFault } from "./ProductPattern.ts"

/** A key never names a member that every object has, such as `constructor`. */
export const FieldKey = Schema.String.check(
  Schema.isPattern(/^[a-zA-Z][a-zA-Z0-9_]{0,63}$/u, {
    message: "Expected a letter, then at most 63 letters, digits and `_`"
  }),
  Schema.makeFilter((key) => !(key in Object.prototype), {
    message: "Expected a key that is not reserved"
  })
)

export const FieldType = Schema.Literals([
  "STRING",
  "INTEGER",
  "NUMBER",
  "MONEY",
  "BOOLEAN",
  "DATE",
  "ENUM"
])
export type FieldType = typeof FieldType.Type

/** The step of the sale by which a field must have a value. */
export const RequiredFor = Schema.Literals(["NEVER", "QUOTE", "CONFIRM", "SIGN"])
export type RequiredFor = typeof RequiredFor.Type

/** The longest text that a `STRING` field without `max` takes. */
export const maxTextLength = 1000

/** A numeric bound, for `STRING` of the length; for `DATE` a day. */
const Bound = Schema.Union([Schema.Finite, LocalDate])

/** Shown, and then required, only where another field of the same record has one of these values. */
export const ShowWhen = Schema.Struct({
  key: FieldKey,
  in: Schema.Array(CustomFieldValue).check(Schema.isMinLength(1))
})

/** `MONEY` is an integer in the product's minor unit; `DATE` a plain date; `ENUM` the id of a value. */
export const Field = Schema.Struct({
  key: FieldKey,
  label: Schema.NonEmptyString,
  type: FieldType,
  values: Schema.optionalKey(
    Schema.Array(Schema.Struct({ id: Schema.NonEmptyString, label: Schema.NonEmptyString }))
  ),
  /** Inclusive. */
  min: Schema.optionalKey(Bound),
  /** Inclusive. */
  max: Schema.optionalKey(Bound),
  /** A regular expression that the whole of a `STRING` value has to match. */
  pattern: Schema.optionalKey(Schema.String),
  requiredFor: RequiredFor,
  /** Whether the price depends on it. */
  priced: Schema.Boolean,
  /** Of a customer's field: the roles that have it; absent: all. */
  roles: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMinLength(1))),
  showWhen: Schema.optionalKey(ShowWhen),
  /** A valid value; the examples of all fields together make a policy that can be sold. */
  example: CustomFieldValue
}).annotate({ identifier: "Field" })
export type Field = typeof Field.Type

/** A field whatever step asks for it. */
export type Question = Omit<Field, "requiredFor">

export type FieldValues = Readonly<Record<string, CustomFieldValue>>

/** One fault of given values; `path` is where it lies in the policy, such as `/customFields/power`. */
export const FieldIssue = Schema.Struct({ path: Schema.String, message: Schema.String })
export type FieldIssue = typeof FieldIssue.Type

export class InvalidCustomField extends Schema.TaggedError<InvalidCustomField>()(
  "InvalidCustomField",
  { issues: Schema.Array(FieldIssue) }
) {
  override get message() {
    return "Correct the custom fields listed in details; the product's configuration defines them."
  }
}

/** How far a sale has come: `DRAFT` requires no field yet, each later stage those of the ones before. */
export type FieldStage = "DRAFT" | Exclude<RequiredFor, "NEVER">

const rankOfStage: Record<FieldStage, number> = { DRAFT: 0, QUOTE: 1, CONFIRM: 2, SIGN: 3 }
const rankOfField: Record<RequiredFor, number> = { NEVER: 4, QUOTE: 1, CONFIRM: 2, SIGN: 3 }

/** The fields that a customer of this role has. */
export const fieldsOfRole = (fields: ReadonlyArray<Field>, role: string): ReadonlyArray<Field> =>
  fields.filter(({ roles }) => roles === undefined || roles.includes(role))

export interface FieldCheck {
  readonly values: FieldValues
  readonly stage: FieldStage
  /** Of a customer; leaves only the fields of this role. */
  readonly role?: string | undefined
  /** The record the fields are of, as a path without a slash at its end: `/customers/<id>`. */
  readonly at?: string | undefined
}

/** Every fault of the values of one record, never only the first; empty when they fit. */
export const fieldFaults = (
  fields: ReadonlyArray<Field>,
  { at = "", role, stage, values }: FieldCheck
): ReadonlyArray<FieldIssue> => {
  const known = role === undefined ? fields : fieldsOfRole(fields, role)
  const issues: Array<FieldIssue> = []
  const report = (key: string, message: string) =>
    issues.push({ path: `${at}/customFields/${key}`, message })
  const keys = new Set(known.map(({ key }) => key))
  const unknown = Object.keys(values).filter((key) => !keys.has(key))
  // In an order of their own, so that the same values are answered alike however they come.
  for (const key of unknown.toSorted()) report(key, unknownField(fields, key, role))
  for (const field of known) {
    const value = valueOf(values, field.key)
    if (value === undefined) {
      if (rankOfField[field.requiredFor] <= rankOfStage[stage] && isShown(field, values)) {
        report(field.key, `Give a value; the product needs it to ${stage.toLowerCase()}.`)
      }
      continue
    }
    const fault = valueFault(field, value)
    if (fault !== undefined) report(field.key, fault)
  }
  return issues
}

const unknownField = (fields: ReadonlyArray<Field>, key: string, role: string | undefined) =>
  role !== undefined && fields.some((field) => field.key === key)
    ? `Leave it out; the product does not ask a ${role} for it.`
    : "Leave it out; the product has no such field."

/** A value by its key, never one that the object inherits. */
export const valueOf = (values: FieldValues, key: string): CustomFieldValue | undefined =>
  Object.hasOwn(values, key) ? values[key] : undefined

/** Whether a form shows the field beside these values. */
export const isShown = ({ showWhen }: Field, values: FieldValues): boolean => {
  if (showWhen === undefined) return true
  const other = valueOf(values, showWhen.key)
  return other !== undefined && showWhen.in.includes(other)
}

const isLocalDate = Schema.is(LocalDate)

/** What is wrong with one value, as a sentence that says what to send; `undefined` when it fits. */
export const valueFault = (field: Question, value: CustomFieldValue): string | undefined => {
  switch (field.type) {
    case "BOOLEAN":
      return typeof value === "boolean" ? undefined : "Send true or false."
    case "ENUM":
      return field.values?.some(({ id }) => id === value) === true
        ? undefined
        : `Send one of: ${(field.values ?? []).map(({ id }) => id).join(", ")}.`
    case "INTEGER":
      return Number.isSafeInteger(value) ? boundFault(field, value) : "Send an integer."
    case "MONEY":
      return Number.isSafeInteger(value)
        ? boundFault(field, value)
        : "Send an integer in the minor unit of the product's currency."
    case "NUMBER":
      return Number.isFinite(value) ? boundFault(field, value) : "Send a number."
    case "DATE":
      return isLocalDate(value)
        ? boundFault(field, value)
        : "Send a day that exists, as YYYY-MM-DD."
    case "STRING":
      return typeof value === "string" ? textFault(field, value) : "Send a string."
  }
}

const boundFault = ({ max, min }: Question, value: CustomFieldValue): string | undefined => {
  // Days compare as their texts do; bounds have their field's type, checked with the product.
  if (min !== undefined && value < min) return `Send at least ${min}.`
  if (max !== undefined && value > max) return `Send at most ${max}.`
  return undefined
}

const textFault = (field: Question, value: string): string | undefined => {
  const { max = maxTextLength, min = 0, pattern } = field
  const length = [...value].length
  if (length < Number(min)) return `Send at least ${min} characters.`
  if (length > Number(max)) return `Send at most ${max} characters.`
  return pattern === undefined || wholeMatch(pattern).test(value)
    ? undefined
    : `Send a text of the form ${pattern}.`
}

const wholeMatch = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`, "u")

/** What is wrong with a field's pattern; `undefined` when it is safe to run on a customer's text. */
export const fieldPatternFault = ({ max, pattern }: Question): string | undefined =>
  pattern === undefined
    ? undefined
    : patternFault(pattern, typeof max === "number" ? max : maxTextLength)
