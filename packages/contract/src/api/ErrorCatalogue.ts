/** The published catalogue of errors, made from the contract's table. */
import { OAuthErrorCode, TokenRefused } from "@quittance/domain/tokens/Token"
import { Array, Order, Schema } from "effect"
import { ApiError } from "./ApiError.ts"
import { bodyOfError, entryOf } from "../requests/WireError.ts"

/** One code: its status, when it is answered, and how that looks. */
export const CatalogueEntry = Schema.Struct({
  code: Schema.String,
  status: Schema.Int,
  when: Schema.String,
  example: Schema.Record(Schema.String, Schema.Json)
}).annotate({ identifier: "CatalogueEntry" })
export type CatalogueEntry = typeof CatalogueEntry.Type

/** What `GET /errors` answers. */
export const ErrorCatalogue = Schema.Struct({ errors: Schema.Array(CatalogueEntry) }).annotate({
  identifier: "ErrorCatalogue"
})
export type ErrorCatalogue = typeof ErrorCatalogue.Type

export type ErrorTag = keyof typeof ApiError
// Object.keys forgets the literal types of a constant record.
const tags = Object.keys(ApiError) as ReadonlyArray<ErrorTag>

/** The catalogue's entry of an error by its tag. */
export const catalogueEntry = (tag: ErrorTag): CatalogueEntry => {
  // Every schema of the table has been made with its entry.
  const entry = entryOf(ApiError[tag])!
  const { code, status, when } = entry
  const example = bodyOfError(entry.example, entry)
  // The wire form of an error is JSON.
  return { code, status, when, example: example as CatalogueEntry["example"] }
}

/** The examples of errors as the published document refers to them, by their codes. */
export const examplesOf = (codes: ReadonlyArray<string>) =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]))

const oauthEntry = (code: OAuthErrorCode): CatalogueEntry => {
  const { message } = new TokenRefused({ error: code })
  return {
    code,
    status: code === "invalid_client" ? 401 : 400,
    when: "Only of the token endpoint (RFC 6749, section 5.2).",
    example: { error: code, error_description: message, code, message, details: {} }
  }
}

const byStatusAndCode = Order.Struct({ status: Order.Number, code: Order.String })

/** Every code that any route answers, by status and code; those of the token endpoint come last. */
export const catalogue: ErrorCatalogue = {
  errors: [
    ...Array.sort(tags.map(catalogueEntry), byStatusAndCode),
    ...OAuthErrorCode.literals.map(oauthEntry)
  ]
}
