/** Errors that requests of all areas share. The last argument of each is an example of its `details`. */
import * as Caller from "@quittance/domain/requests/Caller"
import * as RateLimit from "@quittance/domain/requests/RateLimit"
import * as RecentSignIn from "@quittance/domain/requests/RecentSignIn"
import * as Request from "@quittance/domain/requests/RequestErrors"
import * as Tenancy from "@quittance/domain/requests/Tenancy"
import { Schema } from "effect"
import { exampleId as id } from "./Examples.ts"
import { wireError, wireErrorWithHeaders } from "./WireError.ts"

export const requestErrors = {
  MissingTenant: wireError(
    Tenancy.MissingTenant,
    400,
    "MISSING_TENANT",
    "The header `tenant` is absent. Checked before the token."
  ),
  InvalidTenant: wireError(
    Tenancy.InvalidTenant,
    400,
    "INVALID_TENANT",
    "The header `tenant` is no well-formed tenant identifier, or is sent twice."
  ),
  InvalidRequest: wireError(
    Request.InvalidRequest,
    400,
    "INVALID_REQUEST",
    "Path, query, a header or the body does not fit; `details.issues` lists every fault.",
    {
      issues: [
        { in: "path", path: "policyId", message: `Expected a policy id, such as ${id("policy")}` },
        { in: "body", path: "/customFields/0/key", message: "Required" }
      ]
    }
  ),
  Unauthorized: wireError(
    Caller.Unauthorized,
    401,
    "UNAUTHORIZED",
    "The token is missing, malformed, expired or withdrawn, or another tenant's server issued it."
  ),
  SignInTooOld: wireErrorWithHeaders(
    RecentSignIn.SignInTooOld,
    401,
    "SIGN_IN_TOO_OLD",
    "Rights, secrets and clients are changed only by who signed in a moment ago, `details.maxAge` seconds at most (RFC 9470).",
    { maxAge: 900 },
    { "www-authenticate": RecentSignIn.challenge },
    Schema.String
  ),
  Forbidden: wireError(
    Caller.Forbidden,
    403,
    "FORBIDDEN",
    "The token lacks the scope of the area, or the identity has no permission on the record.",
    { requiredScope: "platform/billing" }
  ),
  UserNotFound: wireError(
    Caller.UserNotFound,
    404,
    "USER_NOT_FOUND",
    "A client-credentials token on a route that acts on a policy's records: a client is no user. Or the tenant has no such user."
  ),
  RecordNotFound: wireError(
    Request.RecordNotFound,
    404,
    "RECORD_NOT_FOUND",
    "A record named in the request body or query is not in the tenant.",
    { recordId: id("policy") }
  ),
  RouteNotFound: wireError(Request.RouteNotFound, 404, "ROUTE_NOT_FOUND", "No such route."),
  MethodNotAllowed: wireError(
    Request.MethodNotAllowed,
    405,
    "METHOD_NOT_ALLOWED",
    "The route does not take this method; the header `allow` lists those it takes.",
    { allowed: ["GET", "HEAD", "PATCH"] }
  ),
  InvalidTransition: wireError(
    Request.InvalidTransition,
    409,
    "INVALID_TRANSITION",
    "The policy, invoice or payment is in a state without this step; `details.allowed` lists the possible steps. If an earlier recorded step prevents it, `details.effectiveAt` is the instant at which that step takes effect: revert it first.",
    { status: "POLICY_CREATED", command: "sign", allowed: ["quote"] }
  ),
  Conflict: wireError(
    Request.Conflict,
    409,
    "CONFLICT",
    "`if-match` names a state of the record that is no longer the present one, or others kept changing what the command was about.",
    { etag: '"8"' }
  ),
  IdempotencyKeyReused: wireError(
    Request.IdempotencyKeyReused,
    409,
    "IDEMPOTENCY_KEY_REUSED",
    "The idempotency key came with another request before."
  ),
  IdempotencyKeyInUse: wireError(
    Request.IdempotencyKeyInUse,
    409,
    "IDEMPOTENCY_KEY_IN_USE",
    "The first request with the idempotency key is still running."
  ),
  PayloadTooLarge: wireError(
    Request.PayloadTooLarge,
    413,
    "PAYLOAD_TOO_LARGE",
    "The body is larger than 1 MiB.",
    { maximum: 1_048_576 }
  ),
  UnsupportedMediaType: wireError(
    Request.UnsupportedMediaType,
    415,
    "UNSUPPORTED_MEDIA_TYPE",
    "The body is of a type, character set or encoding that the route does not take.",
    { accepted: ["application/json"] }
  ),
  InvalidEffectiveDate: wireError(
    Request.InvalidEffectiveDate,
    422,
    "INVALID_EFFECTIVE_DATE",
    "A time is outside the limits of the product or of the clock; `details` says which.",
    { field: "whenAt", latest: "2026-03-31T00:00:00.000Z" }
  ),
  InvalidReference: wireError(
    Request.InvalidReference,
    422,
    "INVALID_REFERENCE",
    "A firm, parent, invoice, payer, role or record is named that isn't there.",
    { field: "brokerageFirm", value: id("brokerage_firm") }
  ),
  InvalidAmount: wireError(
    Request.InvalidAmount,
    422,
    "INVALID_AMOUNT",
    "An amount is out of bounds.",
    { field: "amount", minimum: 1, maximum: 9_007_199_254_740_991 }
  ),
  RateLimited: wireErrorWithHeaders(
    RateLimit.RateLimited,
    429,
    "RATE_LIMITED",
    "A limit is used up; `retry-after` says when to come back, in seconds.",
    { retryAfter: 1800, limit: 100, remaining: 0, reset: 1800 },
    {
      "retry-after": ({ retryAfter }) => retryAfter,
      "ratelimit-limit": ({ limit }) => limit,
      "ratelimit-remaining": ({ remaining }) => remaining,
      "ratelimit-reset": ({ reset }) => reset
    }
  ),
  InternalError: wireError(
    Request.InternalError,
    500,
    "INTERNAL_ERROR",
    "A fault of the service. It says nothing about its inside."
  ),
  NotReady: wireError(
    Request.NotReady,
    503,
    "NOT_READY",
    "A dependency of the service is not available, such as its database; `retry-after` says when to try again."
  ),
  Busy: wireError(
    Request.Busy,
    503,
    "BUSY",
    "Too many requests wait for what `details.waitingFor` names, or a wait in the database timed out. Nothing was done; `retry-after` says when to try again.",
    { waitingFor: "RECORD", retryAfter: 1 }
  ),
  Timeout: wireError(
    Request.Timeout,
    503,
    "TIMEOUT",
    "The request took too long and was cancelled; nothing of it was stored."
  )
} as const
