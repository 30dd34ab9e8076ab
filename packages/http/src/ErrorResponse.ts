/** The answer of an error that no endpoint encodes: of the edge, and of routes outside the contract. */
import { ApiError } from "@quittance/contract/api/ApiError"
import { bodyOfError, entryOf } from "@quittance/contract/requests/WireError"
import { HttpServerResponse } from "effect/http"

/** An error of the catalogue. */
export interface CatalogueError extends Error {
  readonly _tag: keyof typeof ApiError
}

/** Code, message and details as the contract's table says. */
export const errorResponse = (
  error: CatalogueError,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse => {
  // Every schema of the table has been made with its entry.
  const entry = entryOf(ApiError[error._tag])!
  return HttpServerResponse.jsonUnsafe(bodyOfError(error, entry), {
    status: entry.status,
    headers
  })
}
