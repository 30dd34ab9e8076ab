/** The versions of templates that a tenant has, and why one is not there or not taken. */
import { Schema } from "effect"
import {
  DocumentTrigger,
  TemplateId,
  TemplateVersion
} from "../products/documents/DocumentDefinition.ts"
import { BranchType } from "../products/ProductTerms.ts"
import { ProductFault, ProductId } from "../products/Product.ts"
import { Instant } from "../values/Instant.ts"

/** The document of a template as it is sent: its faults are told as INVALID_TEMPLATE, all of them. */
export const TemplateDocument = Schema.Record(Schema.String, Schema.Json).annotate({
  identifier: "TemplateDocument"
})
export type TemplateDocument = typeof TemplateDocument.Type

/** A version of a template; versions never change. */
export const PublishedTemplate = Schema.Struct({
  templateId: TemplateId,
  version: TemplateVersion,
  /** `RELEASE`: it comes with the service, and every tenant has it. */
  origin: Schema.Literals(["RELEASE", "TENANT"]),
  /** Of those that the tenant has published. */
  publishedAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "PublishedTemplate" })
export type PublishedTemplate = typeof PublishedTemplate.Type

/** Of what a preview is made: the examples of a product, as for a trigger. */
export const PreviewTemplate = Schema.Struct({
  productId: ProductId,
  on: DocumentTrigger,
  branchType: Schema.optionalKey(BranchType),
  /** The newest unless it is said. */
  version: Schema.optionalKey(TemplateVersion)
}).annotate({ identifier: "PreviewTemplate" })
export type PreviewTemplate = typeof PreviewTemplate.Type

export class TemplateNotFound extends Schema.TaggedError<TemplateNotFound>()("TemplateNotFound", {
  templateId: Schema.String
}) {
  override get message() {
    return `There is no template ${this.templateId}, or not in that version; list its versions.`
  }
}

/** Documents were made of the version that is there: it must be possible to make them again. */
export class TemplateInUse extends Schema.TaggedError<TemplateInUse>()("TemplateInUse", {
  templateId: Schema.String,
  version: Schema.String
}) {
  override get message() {
    return `${this.templateId} has another text in its version ${this.version} already; give it a new version.`
  }
}

export class InvalidTemplate extends Schema.TaggedError<InvalidTemplate>()("InvalidTemplate", {
  issues: Schema.Array(ProductFault)
}) {
  override get message() {
    return "Mend the faults listed in details, each at its JSON pointer, and publish again."
  }
}
