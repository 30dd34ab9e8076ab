/** Parameters of a query or of a form body, read strictly: each at most once, and nothing that is no text. */
import { Effect, Result } from "effect"
import { HttpServerRequest } from "effect/http"
import * as BodyText from "./BodyText.ts"
import { repeatedHeaders } from "./RequestHead.ts"

export type Parameters = ReadonlyMap<string, string>

/** Characters; a request of a grant has a few hundred. */
const maxLength = 16_384

const mediaType = /^application\/x-www-form-urlencoded\s*(?:;\s*charset="?utf-8"?\s*)?$/iu

/**
 * The parameters of a form body; `undefined` where there is none of this form. Parameters in the address are
 * refused: they would end up in logs.
 */
export const body = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const contentType = request.headers["content-type"] ?? ""
  if (request.url.includes("?") || !mediaType.test(contentType)) return undefined
  if (repeatedHeaders(request).length > 0) return undefined
  return Result.getOrUndefined(parse(yield* BodyText.once(request)))
})

/** The parameters of a query or form; fails with the name of one that is there twice or is no text. */
export const parse = (text: string): Result.Result<Parameters, string> => {
  if (text.length > maxLength) return Result.fail("length")
  const parameters = new Map<string, string>()
  for (const pair of text.split("&").filter((pair) => pair !== "")) {
    const [name, value] = [before(pair), after(pair)].map(decode)
    if (name === undefined || value === undefined) return Result.fail("encoding")
    if (parameters.has(name)) return Result.fail(name)
    parameters.set(name, value)
  }
  return Result.succeed(parameters)
}

/**
 * A form-encoded text, `undefined` when it is none: decoding strictly refuses broken escapes and
 * broken UTF-8, and the character NUL, which no database takes, is in no honest one.
 */
export const decode = (text: string): string | undefined => {
  try {
    const decoded = decodeURIComponent(text.replaceAll("+", " "))
    return decoded.includes("\0") ? undefined : decoded
  } catch {
    return undefined
  }
}

const before = (pair: string) => (pair.includes("=") ? pair.slice(0, pair.indexOf("=")) : pair)
const after = (pair: string) => (pair.includes("=") ? pair.slice(pair.indexOf("=") + 1) : "")
