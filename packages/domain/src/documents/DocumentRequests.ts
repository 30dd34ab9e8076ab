/** What requests about documents say. */
import { Schema } from "effect"
import { DocumentKind } from "../products/documents/DocumentDefinition.ts"
import { PolicyId } from "../values/Ids.ts"
import { InstantFromString } from "../values/Instant.ts"
import { DocumentStatus } from "./Document.ts"

/** Which documents of a policy are asked for. */
export const documentFilter = {
  kinds: Schema.optionalKey(Schema.Array(DocumentKind)),
  statuses: Schema.optionalKey(Schema.Array(DocumentStatus))
}

/** The same of the documents of all policies. */
export const documentsFilter = {
  ...documentFilter,
  policyId: Schema.optionalKey(PolicyId),
  createdAfter: Schema.optionalKey(InstantFromString),
  createdBefore: Schema.optionalKey(InstantFromString)
}
const Filter = Schema.Struct(documentsFilter)
export type DocumentFilter = typeof Filter.Type
