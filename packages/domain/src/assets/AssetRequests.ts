/** What requests about assets say. */
import { Schema } from "effect"
import { CustomField, CustomFieldPatch, customFieldsOf } from "../values/CustomField.ts"
import { InstantFromString } from "../values/Instant.ts"
import { Text } from "../values/Text.ts"

/** What is to be insured. */
export const AddAsset = Schema.Struct({
  name: Schema.optionalKey(Text),
  customFields: customFieldsOf(CustomField),
  startedAt: Schema.optionalKey(InstantFromString)
}).annotate({ identifier: "AddAsset" })
export type AddAsset = typeof AddAsset.Type

/** A merge patch (RFC 7396), but for custom fields, which are merged by key. */
export const PatchAsset = Schema.Struct({
  name: Schema.optionalKey(Schema.NullOr(Text)),
  customFields: Schema.optionalKey(customFieldsOf(CustomFieldPatch))
}).annotate({ identifier: "PatchAsset" })
export type PatchAsset = typeof PatchAsset.Type

/** A header line with `name`, `startedAt` and the product's asset fields; one line for each asset. */
export const AssetsCsv = Schema.String.annotate({ identifier: "AssetsCsv" })
export type AssetsCsv = typeof AssetsCsv.Type
