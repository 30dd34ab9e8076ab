import { DomainError } from "@quittance/domain/DomainError"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  catalogue,
  catalogueEntry,
  ErrorCatalogue,
  errorSchemas
} from "../src/api/ErrorCatalogue.ts"
import { edgeErrors } from "../src/api/EdgeErrors.ts"
import { requestErrors } from "../src/requests/RequestErrors.ts"
import { entryOf } from "../src/requests/WireError.ts"

/**
 * Errors that no command answers once it has begun: they come from reads, sign-in or other services. A lack of
 * authority, as of any permission, may have ended by the next try.
 */
const notStored = [
  "AccountRequired",
  "AuthorityExceeded",
  "BrokerageFirmNotFound",
  "RegistrationNotFound",
  "EventNotFound",
  "ProductNotFound",
  "QuoteProviderUnavailable",
  "SessionLinked",
  "WeakPassword",
  "WrongPassword"
]

describe("the error catalogue", () => {
  it("has every failure of a command, which can be stored", () => {
    const stored = DomainError.members.map(({ identifier }) => identifier)
    const own = [...errorSchemas.keys()].filter((tag) => !(tag in edgeErrors))
    assert.sameMembers(
      own.filter((tag) => !stored.includes(tag)),
      notStored,
      "add the failure to domain/src/DomainError.ts, or say above why it is not stored"
    )
    assert.includeMembers([...errorSchemas.keys()], stored)
  })

  it("names each code once, in one form, with a status that is an error", () => {
    const codes = catalogue.errors.map(({ code }) => code)
    assert.strictEqual(new Set(codes).size, codes.length)
    for (const { code, status } of catalogue.errors) {
      assert.match(code, /^(?:[A-Z]+(?:_[A-Z]+)*|[a-z]+(?:_[a-z]+)*)$/u)
      assert.isTrue(status >= 400 && status < 600, code)
    }
  })

  it("holds every code that the decisions name for these routes", () => {
    const statuses = Object.fromEntries(catalogue.errors.map(({ code, status }) => [code, status]))
    assert.deepInclude(statuses, {
      MISSING_TENANT: 400,
      INVALID_TENANT: 400,
      UNAUTHORIZED: 401,
      TENANT_NOT_FOUND: 404,
      FORBIDDEN: 403,
      USER_NOT_FOUND: 404,
      POLICY_NOT_FOUND: 404,
      INVALID_REQUEST: 400,
      INVALID_TRANSITION: 409,
      CONFLICT: 409,
      BRANCH_REQUIRED: 409,
      BRANCH_CLOSED: 409,
      BRANCH_NOT_FOUND: 404,
      INVALID_BRANCH: 422,
      INVALID_EFFECTIVE_DATE: 422,
      COMPLIANCE_GATE: 409,
      ROUTE_NOT_FOUND: 404,
      METHOD_NOT_ALLOWED: 405,
      PAYLOAD_TOO_LARGE: 413,
      UNSUPPORTED_MEDIA_TYPE: 415,
      IDEMPOTENCY_KEY_REUSED: 409,
      IDEMPOTENCY_KEY_IN_USE: 409,
      TIMEOUT: 503,
      INTERNAL_ERROR: 500,
      UNKNOWN_PRODUCT: 422,
      INVALID_CUSTOM_FIELD: 422,
      QUOTE_OUTDATED: 409,
      INVALID_ROLE: 422,
      INVALID_REFERENCE: 422,
      INVALID_AMOUNT: 422,
      DUPLICATE_EXTERNAL_ID: 409,
      RATE_LIMITED: 429,
      invalid_scope: 400,
      invalid_client: 401
    })
  })

  it("says in a sentence when a code is answered and what to do next", () => {
    for (const { code, example, when } of catalogue.errors) {
      assert.match(when, /^[A-Z`].*\.$/su, code)
      assert.match(String(example["message"]), /^\S.*\.$/su, code)
      assert.isObject(example["details"], code)
    }
  })

  it.each([...errorSchemas])("shows a body that decodes back into %s", (tag, schema) => {
    const error = entryOf(schema)!.example
    if (tag === "RateLimited") {
      const wire = Schema.encodeUnknownSync(requestErrors.RateLimited)(error)
      assert.deepStrictEqual(wire.headers, {
        "retry-after": 1800,
        "ratelimit-limit": 100,
        "ratelimit-remaining": 0,
        "ratelimit-reset": 1800
      })
      assert.deepStrictEqual(Schema.decodeUnknownSync(requestErrors.RateLimited)(wire), error)
      return
    }
    if (tag === "SignInTooOld") {
      const wire = Schema.encodeUnknownSync(requestErrors.SignInTooOld)(error)
      // RFC 9470, section 3.
      assert.deepStrictEqual(wire.headers, {
        "www-authenticate":
          'Bearer error="insufficient_user_authentication", error_description="Sign in again.", max_age="900"'
      })
      assert.deepStrictEqual(Schema.decodeUnknownSync(requestErrors.SignInTooOld)(wire), error)
      return
    }
    const wire = Schema.encodeUnknownSync(schema)(error)
    assert.hasAllKeys(wire, ["code", "message", "details"])
    const back = Schema.decodeUnknownSync(schema)(wire)
    assert.strictEqual(back.constructor, error.constructor)
    assert.deepStrictEqual(back, error)
  })

  it("names the annotation that is missing where no table has an error", () => {
    assert.throws(() => catalogueEntry("ClaimNotFound"), /ClaimNotFound.*reference\(…\)/u)
  })

  it("is what its schema says", () => {
    assert.deepStrictEqual(Schema.decodeUnknownSync(ErrorCatalogue)(catalogue), catalogue)
  })
})
