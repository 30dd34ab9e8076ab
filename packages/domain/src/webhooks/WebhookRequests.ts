/** What requests about webhooks say. */
import { Schema } from "effect"
import { EventId } from "../events/Event.ts"
import { TypePattern } from "../events/EventFilter.ts"
import { Subject } from "../requests/Event.ts"
import { InstantFromString } from "../values/Instant.ts"
import { WebhookSettings } from "./Webhook.ts"
import { Outcome } from "./WebhookDelivery.ts"

const { concurrency, description, headers, ordering, perSecond, schema, signing, types, url } =
  WebhookSettings.fields

const Position = Schema.Int.check(
  Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
)

/** `NOW` what comes from now on, `BEGINNING` all there ever was, or what comes after a position. */
const From = Schema.Union([Schema.Literals(["NOW", "BEGINNING"]), Position])

export const CreateWebhook = Schema.Struct({
  url,
  types,
  description,
  brokerageFirmId: WebhookSettings.fields.brokerageFirmId,
  ordering: Schema.optionalKey(ordering),
  signing: Schema.optionalKey(signing),
  schema: Schema.optionalKey(schema),
  concurrency: Schema.optionalKey(concurrency),
  perSecond: Schema.optionalKey(perSecond),
  headers,
  from: Schema.optionalKey(From)
}).annotate({ identifier: "CreateWebhook" })
export type CreateWebhook = typeof CreateWebhook.Type

/** What is left out stays; what is null is taken away. */
export const UpdateWebhook = Schema.Struct({
  url: Schema.optionalKey(url),
  types: Schema.optionalKey(types),
  description: Schema.optionalKey(Schema.NullOr(description.schema)),
  ordering: Schema.optionalKey(ordering),
  concurrency: Schema.optionalKey(concurrency),
  perSecond: Schema.optionalKey(perSecond),
  headers: Schema.optionalKey(Schema.NullOr(headers.schema))
}).annotate({ identifier: "UpdateWebhook" })
export type UpdateWebhook = typeof UpdateWebhook.Type

export const AddWebhookSecret = Schema.Struct({
  /** Seconds for which the secret before goes on to sign. */
  overlap: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 604_800 })))
}).annotate({ identifier: "AddWebhookSecret" })
export type AddWebhookSecret = typeof AddWebhookSecret.Type

export const EnableWebhook = Schema.Struct({
  from: Schema.Union([Schema.Literals(["WHERE_IT_STOPPED", "NOW"]), Position])
}).annotate({ identifier: "EnableWebhook" })
export type EnableWebhook = typeof EnableWebhook.Type

/** A position of the feed, or an instant at which events were recorded. */
const Place = Schema.Union([Position, InstantFromString])

/** Which events are sent once more; what is left out bounds nothing. */
export const StartReplay = Schema.Struct({
  /** What comes after a position; what was recorded at an instant or later. */
  from: Place,
  /** Up to a position with it; what was recorded before an instant. */
  to: Schema.optionalKey(Place),
  types: Schema.optionalKey(types),
  subject: Schema.optionalKey(Subject)
}).annotate({ identifier: "StartReplay" })
export type StartReplay = typeof StartReplay.Type

export const TestWebhook = Schema.Struct({
  /** A type by its name: `policy.started`. */
  type: TypePattern
}).annotate({ identifier: "TestWebhook" })
export type TestWebhook = typeof TestWebhook.Type

/** Which tries a list is of. */
export const ListAttempts = Schema.Struct({
  outcome: Schema.optionalKey(Outcome),
  eventId: Schema.optionalKey(EventId),
  subject: Schema.optionalKey(Subject),
  /** When it was tried, in real time, inclusive. */
  from: Schema.optionalKey(InstantFromString),
  /** Exclusive. */
  to: Schema.optionalKey(InstantFromString)
})
export type ListAttempts = typeof ListAttempts.Type
