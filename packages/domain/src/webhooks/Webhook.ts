/** Endpoints of tenants' own programs, to which events are sent. */
import { Schema } from "effect"
import { TypePattern } from "../events/EventFilter.ts"
import { BrokerageFirmId, WebhookId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { Text } from "../values/Text.ts"

/** The most endpoints that a tenant may have. */
export const maximumWebhooks = 20
/** The most secrets that an endpoint signs with at a time. */
export const maximumSecrets = 2

/** How long an old secret goes on to sign beside a new one, in seconds, unless it is said otherwise. */
export const defaultOverlap = 86_400

/** `PER_SUBJECT` one event of a record after the other; `NONE` side by side, in no order. */
export const Ordering = Schema.Literals(["PER_SUBJECT", "NONE"])
/** `HMAC` by a secret that both sides know; `ED25519` by a private key of ours. */
export const Signing = Schema.Literals(["HMAC", "ED25519"])
export const WebhookStatus = Schema.Literals(["ENABLED", "DISABLED"])
/**
 * `REQUESTED`: a user has disabled it. `GONE`: it answered 410. `FAILING`: every delivery has failed for five
 * days.
 */
export const DisabledReason = Schema.Literals(["REQUESTED", "GONE", "FAILING"])
export type DisabledReason = typeof DisabledReason.Type

export const WebhookSecretId = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{16}$/u, { message: "Expected 16 hexadecimal digits" })
)

export const WebhookSecret = Schema.Struct({
  id: WebhookSecretId,
  createdAt: Instant,
  /** It signs until then; one without an end goes on. */
  endsAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "WebhookSecret" })
export type WebhookSecret = typeof WebhookSecret.Type

export const WebhookUrl = Schema.String.check(Schema.isMaxLength(2000))

/** Headers that HTTP or this service sends itself. */
const ownHeader =
  /^(?:webhook-.*|quittance-.*|content-.*|host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|user-agent|cookie2?|date|via|forwarded|x-forwarded-.*|accept-encoding|traceparent|tracestate|baggage)$/iu

/** Sent with each event, such as a token that the receiver asks for. */
export const WebhookHeaders = Schema.Record(
  Schema.String.check(Schema.isPattern(/^[A-Za-z0-9-]{1,64}$/u)),
  Schema.String.check(Schema.isPattern(/^[\x20-\x7E]{1,500}$/u))
).check(
  Schema.makeFilter((headers) => {
    const names = Object.keys(headers)
    if (names.length > 5) return "Expected at most 5 headers"
    const wrong = names.find((name) => ownHeader.test(name))
    return wrong === undefined ? undefined : `Expected a header that is not set already: ${wrong}`
  })
)

/** What an endpoint is told, and how. */
export const WebhookSettings = Schema.Struct({
  url: WebhookUrl,
  description: Schema.optionalKey(Text),
  types: Schema.NonEmptyArray(TypePattern).check(Schema.isMaxLength(200), Schema.isUnique()),
  /** Only events of this firm's policies, and of the firm. */
  brokerageFirmId: Schema.optionalKey(BrokerageFirmId),
  ordering: Ordering,
  signing: Signing,
  /** The version of the events' schema. */
  schema: Schema.Literal(1),
  /** How many records' events are under way at a time. */
  concurrency: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 32 })),
  perSecond: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })),
  headers: Schema.optionalKey(WebhookHeaders)
})
export type WebhookSettings = typeof WebhookSettings.Type

export const Webhook = Schema.Struct({
  id: WebhookId,
  ...WebhookSettings.fields,
  status: WebhookStatus,
  /** Since when it has only failed. */
  failingSince: Schema.optionalKey(Instant),
  disabledReason: Schema.optionalKey(DisabledReason),
  /** How far in the feed it has been told what is for it. */
  position: Schema.Int,
  createdAt: Instant,
  secrets: Schema.Array(WebhookSecret)
}).annotate({ identifier: "Webhook" })
export type Webhook = typeof Webhook.Type

export class WebhookNotFound extends Schema.TaggedError<WebhookNotFound>()("WebhookNotFound", {
  webhookId: WebhookId
}) {
  override get message() {
    return `Webhook ${this.webhookId} does not exist; GET /admin/webhooks lists those of the tenant.`
  }
}

export class TooManyWebhooks extends Schema.TaggedError<TooManyWebhooks>()("TooManyWebhooks", {
  maximum: Schema.Int
}) {
  override get message() {
    return `The tenant has ${this.maximum} webhooks; delete one that is no longer used first.`
  }
}

export class WebhookSecretNotFound extends Schema.TaggedError<WebhookSecretNotFound>()(
  "WebhookSecretNotFound",
  { webhookSecretId: WebhookSecretId }
) {
  override get message() {
    return `The webhook has no secret ${this.webhookSecretId}; read it to see those that it has.`
  }
}

export class LastWebhookSecret extends Schema.TaggedError<LastWebhookSecret>()(
  "LastWebhookSecret",
  {}
) {
  override get message() {
    return "It is the only secret that has no end; add a new one first."
  }
}

export class InvalidWebhookUrl extends Schema.TaggedError<InvalidWebhookUrl>()(
  "InvalidWebhookUrl",
  { why: Schema.Literals(["SCHEME", "CREDENTIALS", "FRAGMENT", "PORT", "ADDRESS", "NAME"]) }
) {
  override get message() {
    return {
      SCHEME: "Give a URL that begins with https://.",
      CREDENTIALS: "Leave user and password out of the URL; verify the signature instead.",
      FRAGMENT: "Leave the part after # out of the URL.",
      PORT: "Give a URL whose port is 443, or 1024 and above.",
      ADDRESS: "Give a URL whose address is public.",
      NAME: "Give a URL whose host is a name that is resolved in public, such as hooks.example.com."
    }[this.why]
  }
}
