/** Failures of a request as such, whatever it asks for. */
import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"
import { Money } from "../values/Amount.ts"

export class InvalidTransition extends Schema.TaggedError<InvalidTransition>()(
  "InvalidTransition",
  {
    /** The status of the record, in the words of its own life cycle. */
    status: Schema.String,
    command: Schema.String,
    allowed: Schema.Array(Schema.String),
    /** Where a step that is on record already is in the way: the instant at which that takes effect. */
    effectiveAt: Schema.optionalKey(Instant)
  }
) {
  override get message() {
    if (this.effectiveAt !== undefined) {
      return `The step ${this.command} that takes effect at ${this.effectiveAt} would not be possible in ${this.status}; revert it, and record it again after this one.`
    }
    const next =
      this.allowed.length === 0 ? "nothing can follow" : `possible are: ${this.allowed.join(", ")}`
    return `The command ${this.command} is not possible in ${this.status}; ${next}.`
  }
}

export class InvalidAmount extends Schema.TaggedError<InvalidAmount>()("InvalidAmount", {
  field: Schema.String,
  minimum: Money,
  maximum: Money
}) {
  override get message() {
    return `Choose \`${this.field}\` between the bounds shown in details, in minor units.`
  }
}

export class InvalidEffectiveDate extends Schema.TaggedError<InvalidEffectiveDate>()(
  "InvalidEffectiveDate",
  {
    field: Schema.Literals([
      "whenAt",
      "knownAt",
      "startedAt",
      "paidAt",
      "failedAt",
      "returnedAt",
      "sentAt",
      "receivedAt",
      "at",
      "from",
      "to",
      "now",
      "expiresAt",
      "checkedAt"
    ]),
    earliest: Schema.optionalKey(Instant),
    latest: Schema.optionalKey(Instant)
  }
) {
  override get message() {
    return `Choose a \`${this.field}\` within the limits shown in details.`
  }
}

/** A firm, parent, invoice or payer that is named but isn't there. */
export class InvalidReference extends Schema.TaggedError<InvalidReference>()("InvalidReference", {
  field: Schema.String,
  value: Schema.String,
  /** What has to be named, where a record may be there that does not fit. */
  expected: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    return this.expected === undefined
      ? `\`${this.field}\` names a record that this tenant does not have; check the identifier.`
      : `Let \`${this.field}\` name ${this.expected}.`
  }
}

/** Which part of a request does not fit. */
export const RequestPart = Schema.Literals(["path", "query", "header", "body"])
export type RequestPart = typeof RequestPart.Type

/** One fault. `path` is the name of a parameter, or a JSON pointer (RFC 6901) into the body. */
export const RequestIssue = Schema.Struct({
  in: RequestPart,
  path: Schema.String,
  message: Schema.String
}).annotate({ identifier: "RequestIssue" })
export type RequestIssue = typeof RequestIssue.Type

/** Path, query, headers or body do not fit what the route takes; every fault is listed. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  issues: Schema.Array(RequestIssue)
}) {
  override get message() {
    return "Correct what is listed in details.issues; the route's documentation says what fits."
  }
}

export class RouteNotFound extends Schema.TaggedError<RouteNotFound>()("RouteNotFound", {}) {
  override get message() {
    return "There is no such route; /openapi.json lists the ones there are."
  }
}

/** A record of whatever kind, named beside the path. */
export class RecordNotFound extends Schema.TaggedError<RecordNotFound>()("RecordNotFound", {
  recordId: Schema.String
}) {
  override get message() {
    return `The tenant has no record ${this.recordId}; check the identifier and the tenant.`
  }
}

export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  /** The methods of the route, also in the header `allow`. */
  allowed: Schema.Array(Schema.String)
}) {
  override get message() {
    return `This route takes ${this.allowed.join(", ")}.`
  }
}

export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()("PayloadTooLarge", {
  /** Bytes. */
  maximum: Schema.Int
}) {
  override get message() {
    return `Send a body of at most ${this.maximum} bytes.`
  }
}

export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()(
  "UnsupportedMediaType",
  { accepted: Schema.Array(Schema.String) }
) {
  override get message() {
    return `Send the body as ${this.accepted.join(" or ")}, in UTF-8 and not compressed.`
  }
}

/** The key of an earlier request that was not the same one. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()(
  "IdempotencyKeyReused",
  {}
) {
  override get message() {
    return "This idempotency key belongs to another request; choose a new key."
  }
}

/** The first request with the key is still running. */
export class IdempotencyKeyInUse extends Schema.TaggedError<IdempotencyKeyInUse>()(
  "IdempotencyKeyInUse",
  {}
) {
  override get message() {
    return "The first request with this idempotency key is still running; repeat this one later."
  }
}

/** Another request changed the record after it was read. */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", {
  /** The strong etag of the record as it is now; absent where other writers kept standing in the way. */
  etag: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    return "Another request changed the record in the meantime; read it again and decide again."
  }
}

export class Timeout extends Schema.TaggedError<Timeout>()("Timeout", {}) {
  override get message() {
    return "The request took too long and was cancelled; repeat it, a write with its idempotency key."
  }
}

/** What the service depends on, such as its database, is away. */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", {
  /** The names of the migrations that the database lacks, where that is what the service waits for. */
  missingMigrations: Schema.optionalKey(Schema.Array(Schema.String))
}) {
  override get message() {
    return this.missingMigrations === undefined
      ? "The service can't work at the moment; repeat it in a few seconds, a write with its idempotency key."
      : "The database lacks migrations that this release needs; run `quittance admin migrate`."
  }
}

/** What has more work, or more that waits for it, than it may have at a time. */
export const BusyWith = Schema.Literals([
  "RECORD",
  "CALLER",
  "TENANT",
  "DATABASE",
  "PASSWORDS",
  "LARGE_REQUESTS"
])
export type BusyWith = typeof BusyWith.Type

/** Too many requests wait already, or a wait in the database timed out; nothing was done. */
export class Busy extends Schema.TaggedError<Busy>()("Busy", {
  waitingFor: BusyWith,
  /** Seconds after which to come back: the header `retry-after`. */
  retryAfter: Schema.Int
}) {
  override get message() {
    return `Too many requests wait at the same time; send this one again in ${this.retryAfter} seconds, and fewer at once.`
  }
}

/** A fault of ours. What went wrong is in the log, under the request's id, and nowhere else. */
export class InternalError extends Schema.TaggedError<InternalError>()("InternalError", {}) {
  override get message() {
    return "Something failed on our side; report it with the header x-request-id of this answer."
  }
}
