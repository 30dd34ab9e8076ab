import { Schema } from "effect"

export const CustomFieldValue = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])
export type CustomFieldValue = typeof CustomFieldValue.Type

/** A value of a field that the product defines. */
export const CustomField = Schema.Struct({
  key: Schema.String,
  value: CustomFieldValue
}).annotate({ identifier: "CustomField" })
export type CustomField = typeof CustomField.Type

/** As in a merge patch, but by key: `null` removes the field. */
export const CustomFieldPatch = Schema.Struct({
  key: Schema.String,
  value: Schema.NullOr(CustomFieldValue)
}).annotate({ identifier: "CustomFieldPatch" })
export type CustomFieldPatch = typeof CustomFieldPatch.Type

/** Custom fields of a request: no key twice, so that no value is lost silently. */
export const customFieldsOf = <Field extends typeof CustomField | typeof CustomFieldPatch>(
  field: Field
) =>
  Schema.Array(field).check(
    Schema.isMaxLength(500).abort(),
    Schema.makeFilter((fields) => {
      const seen = new Set<string>()
      return fields.flatMap(({ key }, index) => {
        if (seen.size < seen.add(key).size) return []
        return [{ path: [index, "key"], issue: `Expected each key once, not ${key} again` }]
      })
    })
  )
