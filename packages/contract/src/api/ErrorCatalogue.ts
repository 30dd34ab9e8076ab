/** The published catalogue of errors, made from the tables of all areas. */
import { OAuthErrorCode, TokenRefused } from "@quittance/domain/tokens/Token"
import { Array, Order, Schema } from "effect"
import { referenceTables } from "./ReferenceTables.ts"
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

/** The wire form of every error, by its tag. */
export const errorSchemas: ReadonlyMap<string, Schema.Codec<Error, unknown>> = new Map(
  referenceTables.flatMap(({ errors = {} }) => Object.entries(errors))
)

/** The catalogue's entry of an error by its tag. */
export const catalogueEntry = (tag: string): CatalogueEntry => {
  const schema = errorSchemas.get(tag)
  const entry = schema === undefined ? undefined : entryOf(schema)
  if (entry === undefined) {
    throw new Error(
      `No table has the error ${tag}; annotate a group of its area with reference(…).`
    )
  }
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
    ...Array.sort([...errorSchemas.keys()].map(catalogueEntry), byStatusAndCode),
    ...OAuthErrorCode.literals.map(oauthEntry)
  ]
}
