/**
 * Identifiers of the form `<prefix>_<suffix>`, or `<prefix>_test_<suffix>` outside production.
 */
import { Schema } from "effect"

export const alphabet = "346789ABCDEFGHJKLMNPQRTUVWXYabcdefghijkmnpqrtwxyz"
export const suffixLength = 21

/** Every prefix in use. */
export const prefixes = [
  "customer",
  "policy",
  "brokerage_firm",
  "payment_method",
  "branch",
  "asset",
  "quote",
  "document",
  "document_link",
  "document_request",
  "signature",
  "invoice",
  "credit_note",
  "payment",
  "refund",
  "charge",
  "mandate",
  "payout",
  "debit",
  "payment_file",
  "approval",
  "claim",
  "derogation",
  "comment",
  "internal_note",
  "invitation",
  "anonymous_session",
  "user",
  "client",
  "report",
  "event",
  "audit_entry",
  "webhook",
  "replay",
  "formal_notice",
  "billing_assignment_config",
  "change",
  "entry",
  "hold",
  "statement",
  "bank_account",
  "delivery",
  "privacy_request",
  "withdrawal",
  "erasure",
  "retention_hold",
  "bank_statement",
  "bank_entry",
  "bank_transfer",
  "signer"
] as const
export type Prefix = (typeof prefixes)[number]

const pattern = (prefix: Prefix) =>
  new RegExp(`^${prefix}(_test)?_[${alphabet}]{${suffixLength}}$`, "u")

/** An identifier to show how they look. */
export const example = (prefix: Prefix): string =>
  `${prefix}_test_${alphabet.slice(0, suffixLength)}`

/**
 * The schema of one kind of identifier; the brand keeps kinds apart. Its annotation `prefixedId` lets
 * the check of a request find the identifiers of another environment.
 */
export const schema = <const P extends Prefix>(prefix: P) =>
  Schema.String.check(
    Schema.isPattern(pattern(prefix), {
      message: `Expected a ${prefix} id, such as ${example(prefix)}`
    })
  )
    .pipe(Schema.brand<`${P}_id`>(`${prefix}_id` as never)) // the brand's text is not inferred from a template
    .annotate({ prefixedId: prefix })

/** Whether an identifier was made outside production. */
export const isTest = (id: string): boolean =>
  new RegExp(`_test_[${alphabet}]{${suffixLength}}$`, "u").test(id)

const anyId = new RegExp(`^(${prefixes.join("|")})(?:_test)?_[${alphabet}]{${suffixLength}}$`, "u")

/** What kind of record an identifier is of; `undefined` for any other text. */
export const prefixOf = (id: string): Prefix | undefined =>
  // The pattern is made of the prefixes.
  anyId.exec(id)?.[1] as Prefix | undefined

/** The identifier of any kind of record. */
export const RecordId = Schema.String.check(
  Schema.isPattern(anyId, { message: `Expected a record's id, such as ${example("policy")}` })
).annotate({ prefixedId: "any" })

/** The branded identifier of a prefix. */
export type Id<P extends Prefix> = ReturnType<typeof schema<P>>["Type"]

/** Makes a new identifier of a prefix. */
export type MakeId = <P extends Prefix>(prefix: P) => Id<P>
