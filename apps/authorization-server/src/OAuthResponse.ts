/** Answers of the token endpoint: what RFC 6749 wants and, in the same object, what our API says. */
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { TokenRefused } from "@quittance/domain/tokens/Token"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { Host } from "./Host.ts"

const noStore = { "cache-control": "no-store", pragma: "no-cache" }

export const ok = (body: object) =>
  HttpServerResponse.jsonUnsafe(body, { status: 200, headers: noStore })

/** A refusal: 401 asks for other credentials, 400 for another request. */
export const refused = (refusal: TokenRefused) =>
  Effect.map(Host, ({ tenant }) =>
    refusal.error === "invalid_client"
      ? error(401, refusal, { "www-authenticate": `Basic realm="${tenant.id}", charset="UTF-8"` })
      : error(400, refusal, {})
  )

/** Only POST: what is asked for with GET ends up in logs and caches. */
export const methodNotAllowed = error(405, new TokenRefused({ error: "invalid_request" }), {
  allow: "POST"
})

/** A limit was used up. RFC 6749 has no code for it; this one is what other servers say. */
export const limited = (limit: RateLimited) => {
  const { message, remaining, reset, retryAfter } = limit
  const details = { retryAfter, limit: limit.limit, remaining, reset }
  return HttpServerResponse.jsonUnsafe(
    {
      error: "too_many_requests",
      error_description: message,
      code: "RATE_LIMITED",
      message,
      details
    },
    { status: 429, headers: { ...noStore, ...limitHeaders(limit) } }
  )
}

export const limitHeaders = ({ limit, remaining, reset, retryAfter }: RateLimited) => ({
  "retry-after": `${retryAfter}`,
  "ratelimit-limit": `${limit}`,
  "ratelimit-remaining": `${remaining}`,
  "ratelimit-reset": `${reset}`
})

function error(
  status: number,
  { error, message }: TokenRefused,
  headers: Readonly<Record<string, string>>
) {
  const body = { error, error_description: message, code: error, message, details: {} }
  return HttpServerResponse.jsonUnsafe(body, { status, headers: { ...noStore, ...headers } })
}
