/** The answer of an error that no endpoint encodes: of the edge, and of routes outside the contract. */
import { edgeErrors } from "@quittance/contract/api/EdgeErrors"
import { bodyOfError, entryOf } from "@quittance/contract/requests/WireError"
import { HttpServerResponse } from "effect/http"

/** An error that the edge answers by itself. */
export interface EdgeError extends Error {
  readonly _tag: keyof typeof edgeErrors
}

/** Code, message and details as the contract's table says. */
export const errorResponse = (
  error: EdgeError,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse => {
  // Every schema of the table has been made with its entry.
  const entry = entryOf(edgeErrors[error._tag])!
  return HttpServerResponse.jsonUnsafe(bodyOfError(error, entry), {
    status: entry.status,
    headers
  })
}
