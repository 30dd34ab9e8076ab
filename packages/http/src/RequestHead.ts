/** The head of a request as it was sent, before anything was joined, dropped or rewritten. */
import { bare } from "@quittance/domain/requests/SourceAddress"
import { Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { randomUUID } from "node:crypto"

interface RawMessage {
  /** Name, value, name, value, … */
  readonly rawHeaders: ReadonlyArray<string>
}

const isRaw = (source: object): source is RawMessage => "rawHeaders" in source

/** Every value that a header was sent with. Without a raw head, joined values are one. */
export const headerValues = (
  request: HttpServerRequest.HttpServerRequest,
  name: string
): ReadonlyArray<string> => {
  const { source } = request
  if (!isRaw(source)) {
    const value = request.headers[name]
    return value === undefined ? [] : [value]
  }
  const { rawHeaders } = source
  const values: Array<string> = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]!.toLowerCase() === name) values.push(rawHeaders[index + 1]!)
  }
  return values
}

/** Headers of which a second one would leave open what is meant. */
const singular = [
  "authorization",
  "content-encoding",
  "content-type",
  "idempotency-key",
  "if-match"
] as const

/** The singular headers, `tenant` apart, that were sent more than once. */
export const repeatedHeaders = (
  request: HttpServerRequest.HttpServerRequest
): ReadonlyArray<string> =>
  isRaw(request.source) ? singular.filter((name) => headerValues(request, name).length > 1) : []

const requestId = /^[A-Za-z0-9._-]{8,128}$/u

/** The id under which the request is logged: the sender's when it is a valid one, else a new one. */
export const requestIdOf = ({ headers }: HttpServerRequest.HttpServerRequest): string => {
  const given = headers["x-request-id"]
  return given !== undefined && requestId.test(given) ? given : randomUUID()
}

/**
 * The address that called. Behind `proxies` proxies it is what the outermost of them saw: each one
 * appends the address that called it to `x-forwarded-for`, and what stands further left is hearsay.
 * Some append the port too; a caller has another one with each connection, so it is left out.
 */
export const clientAddress = (
  request: HttpServerRequest.HttpServerRequest,
  proxies: number
): Option.Option<string> => {
  if (proxies === 0) return request.remoteAddress
  const seen = headerValues(request, "x-forwarded-for")
    .flatMap((value) => value.split(","))
    .map(bare)
  return Option.orElse(Option.fromNullishOr(seen.at(-proxies)), () => request.remoteAddress)
}
