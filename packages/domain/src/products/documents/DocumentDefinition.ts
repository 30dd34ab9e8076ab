/** Which papers a product has: what each is, when it is made and of which template, who may see it. */
import { Schema } from "effect"
import { CustomFieldValue } from "../../values/CustomField.ts"
import { Name } from "../ProductRating.ts"
import { BranchType } from "../ProductTerms.ts"

/** What a document is; `docs/documents.md` tells what the law puts into each. */
export const DocumentKind = Schema.Literals([
  "IPID",
  "INTERMEDIARY_INFORMATION",
  "NEEDS_STATEMENT",
  "QUOTE",
  "GENERAL_CONDITIONS",
  "CONTRACT",
  "ENDORSEMENT",
  "SCHEDULE",
  "RENEWAL_NOTICE",
  "INVOICE",
  "CREDIT_NOTE",
  "FORMAL_NOTICE",
  "CERTIFICATE",
  "INFORMATION_STATEMENT",
  "TERMINATION_CONFIRMATION",
  "MANDATE",
  "EVIDENCE",
  "UPLOAD",
  "OTHER"
])
export type DocumentKind = typeof DocumentKind.Type

/** What happens to a policy, an invoice or a notice for a document to be made. */
export const DocumentTrigger = Schema.Literals([
  "QUOTED",
  "CONFIRMED",
  "SIGNED",
  "MERGED",
  "STARTED",
  "RENEWAL_NOTICE",
  "INVOICED",
  "CREDITED",
  "NOTICE_WRITTEN",
  "SUSPENDED",
  "REACTIVATED",
  "STOPPED",
  "REINSTATED",
  "ON_DEMAND"
])
export type DocumentTrigger = typeof DocumentTrigger.Type

/** Who may see a document: the people on the policy too, or only those who work on it. */
export const DocumentVisibility = Schema.Literals(["CUSTOMER", "INTERNAL"])
export type DocumentVisibility = typeof DocumentVisibility.Type

/** A slug chosen by people: `contract-fr`. */
export const TemplateId = Schema.String.check(
  Schema.isPattern(/^[a-z][a-z0-9-]{1,62}[a-z0-9]$/u, {
    message: "Expected 3 to 64 characters: a lower-case letter, then letters, digits and hyphens"
  })
)

export const TemplateVersion = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/u, {
    message: "Expected at most 32 letters, digits, `.`, `_` and `-`, such as 2026.1"
  })
)

/** SHA-256 of a file, in hexadecimal. */
export const FileHash = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{64}$/u, { message: "Expected 64 hexadecimal digits" })
)

/** A value of the document model by its path: `policy.fields.usage.value`. */
export const ModelPath = Schema.String.check(
  Schema.isPattern(/^[a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9_-]+)*$/u, {
    message: "Expected names with points between them, such as policy.startsOn"
  }),
  Schema.isMaxLength(200)
)

/** A published version of a template, or a file that was uploaded, by its hash. */
export const DocumentSource = Schema.Union([
  Schema.Struct({ template: TemplateId, version: TemplateVersion }),
  Schema.Struct({ file: FileHash })
])
export type DocumentSource = typeof DocumentSource.Type

/** True where the value at a path is one of these. */
const ValueIn = Schema.Struct({
  path: ModelPath,
  in: Schema.Array(CustomFieldValue).check(Schema.isMinLength(1), Schema.isMaxLength(100))
})

export const DocumentDefinition = Schema.Struct({
  id: Name,
  kind: DocumentKind,
  /** What lists call it. */
  title: Schema.NonEmptyString.check(Schema.isMaxLength(200)),
  source: DocumentSource,
  on: Schema.Array(DocumentTrigger).check(Schema.isMinLength(1)),
  /** The branches that it is made for; absent: all. */
  branches: Schema.optionalKey(Schema.Array(BranchType).check(Schema.isMinLength(1))),
  when: Schema.optionalKey(ValueIn),
  /** One for the policy, or one for each customer, asset or payer; absent: one for the policy. */
  per: Schema.optionalKey(Schema.Literals(["POLICY", "CUSTOMER", "ASSET", "PAYER"])),
  /** Of `per: CUSTOMER`: the roles of those who get one; absent: all. */
  roles: Schema.optionalKey(Schema.Array(Name).check(Schema.isMinLength(1))),
  visibility: DocumentVisibility,
  /**
   * `EMAIL`: when it becomes due, the customer it is for, else each policyholder, gets a letter with a link to
   * it. Absent: nothing is sent.
   */
  deliver: Schema.optionalKey(Schema.Literals(["NONE", "EMAIL"])),
  /** A step that waits until it is proven that the customer has this document. */
  gate: Schema.optionalKey(
    Schema.Struct({
      step: Schema.Literals(["CONFIRM", "SIGN"]),
      proof: Schema.Literals(["DELIVERED", "OPENED", "ACKNOWLEDGED"])
    })
  ),
  /** Whether it is what the customer signs. */
  sign: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "DocumentDefinition" })
export type DocumentDefinition = typeof DocumentDefinition.Type

/** What people ask for by hand that no product names; no product may use it. */
export const otherKind = "OTHER"

/**
 * A document that a customer has to bring before a step. Cover starts by itself once a sale is signed, so the
 * signature waits for what is required for the start, too.
 */
export const RequestedDocument = Schema.Struct({
  /** What it is, in a word of the product's own: `DRIVING_LICENCE`. */
  kind: Name,
  /** What the customer reads that they are asked for. */
  label: Schema.NonEmptyString.check(Schema.isMaxLength(200)),
  /** Each customer of this role brings one. */
  from: Name,
  requiredFor: Schema.Literals(["CONFIRM", "SIGN", "START"]),
  when: Schema.optionalKey(ValueIn)
}).annotate({ identifier: "RequestedDocument" })
export type RequestedDocument = typeof RequestedDocument.Type
