/** What requests about brokerage firms say. */
import { Schema } from "effect"
import { CustomField, CustomFieldPatch, customFieldsOf } from "../values/CustomField.ts"
import { BrokerageFirmId } from "../values/Ids.ts"
import { QueryString, Text } from "../values/Text.ts"
import { FirmType } from "./Firm.ts"

/** Without a parent the firm stands under no other. */
export const CreateFirm = Schema.Struct({
  name: Text,
  firmType: FirmType,
  parentBrokerageFirmId: Schema.optionalKey(BrokerageFirmId),
  customFields: Schema.optionalKey(customFieldsOf(CustomField))
}).annotate({ identifier: "CreateFirm" })
export type CreateFirm = typeof CreateFirm.Type

/** A merge patch (RFC 7396), but for custom fields, which are merged by key. */
export const PatchFirm = Schema.Struct({
  name: Schema.optionalKey(Text),
  firmType: Schema.optionalKey(FirmType),
  parentBrokerageFirmId: Schema.optionalKey(Schema.NullOr(BrokerageFirmId)),
  customFields: Schema.optionalKey(customFieldsOf(CustomFieldPatch))
}).annotate({ identifier: "PatchFirm" })
export type PatchFirm = typeof PatchFirm.Type

/** Which firms a list is of. */
export const ListFirms = Schema.Struct({
  parentBrokerageFirmId: Schema.optionalKey(BrokerageFirmId),
  firmType: Schema.optionalKey(FirmType),
  queryString: Schema.optionalKey(QueryString)
})
export type ListFirms = typeof ListFirms.Type
