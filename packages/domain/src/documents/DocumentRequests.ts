/** What requests about documents say. */
import { Schema } from "effect"
import { Name } from "../products/ProductRating.ts"
import { DocumentKind } from "../products/documents/DocumentDefinition.ts"
import { AssetId, BranchId, CustomerId, PolicyId } from "../values/Ids.ts"
import { Text } from "../values/Text.ts"
import { InstantFromString } from "../values/Instant.ts"
import { DeliveryChannel } from "./Delivery.ts"
import { DocumentStatus } from "./Document.ts"
import { DocumentRequestId } from "./requests/DocumentRequest.ts"

/** The fields of an upload beside its file. */
export const UploadForm = Schema.Struct({
  kind: Schema.Literals(["UPLOAD", "MANDATE", "OTHER"]),
  /** What lists call it; the name of the file where it is left out. */
  title: Schema.optionalKey(Text),
  /** What the file is asked for. */
  requestId: Schema.optionalKey(DocumentRequestId)
})
export type UploadForm = typeof UploadForm.Type

/** The same as it is sent: a form of several parts, one of which are the bytes. */
export const UploadFile = Schema.Struct({
  ...UploadForm.fields,
  file: Schema.String.annotate({ format: "binary" })
}).annotate({ identifier: "UploadFile" })

/** A document that the product gives on demand, by its definition; for whom or what, where it is one for each. */
export const RequestDocument = Schema.Struct({
  definitionId: Name,
  customerId: Schema.optionalKey(CustomerId),
  assetId: Schema.optionalKey(AssetId)
}).annotate({ identifier: "RequestDocument" })
export type RequestDocument = typeof RequestDocument.Type

/** Why a document is withdrawn. */
export const VoidDocument = Schema.Struct({ reason: Text }).annotate({ identifier: "VoidDocument" })
export type VoidDocument = typeof VoidDocument.Type

/** That a customer was handed a document otherwise than by their own read. */
export const RecordDelivery = Schema.Struct({
  customerId: CustomerId,
  /** `LINK`: they were sent a link that was made for them, which proves nothing until it is opened. */
  channel: DeliveryChannel,
  /** Now unless it is said; not before there were bytes to hand over. */
  at: Schema.optionalKey(InstantFromString)
}).annotate({ identifier: "RecordDelivery" })
export type RecordDelivery = typeof RecordDelivery.Type

/** Which documents of a policy are asked for. */
export const documentFilter = {
  kinds: Schema.optionalKey(Schema.Array(DocumentKind)),
  statuses: Schema.optionalKey(Schema.Array(DocumentStatus))
}

/** As of when the documents of a policy are asked for, and of which branch. */
export const documentView = {
  whenAt: Schema.optionalKey(InstantFromString),
  branchId: Schema.optionalKey(BranchId),
  knownAt: Schema.optionalKey(InstantFromString)
}
const View = Schema.Struct(documentView)
export type DocumentView = typeof View.Type

/** The same of the documents of all policies. */
export const documentsFilter = {
  ...documentFilter,
  policyId: Schema.optionalKey(PolicyId),
  createdAfter: Schema.optionalKey(InstantFromString),
  createdBefore: Schema.optionalKey(InstantFromString)
}
const Filter = Schema.Struct(documentsFilter)
export type DocumentFilter = typeof Filter.Type
