/** Endpoints of a tenant, and events for them. */
import type { CreateWebhook } from "@quittance/domain/webhooks/WebhookRequests"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { WebhookAttemptsRepo } from "@quittance/persistence/webhooks/WebhookAttemptsRepo"
import { Effect, Layer, Redacted, References } from "effect"
import { EventSequencer } from "../../src/events/EventSequencer.ts"
import { WebhookFanOut } from "../../src/webhooks/WebhookFanOut.ts"
import { Webhooks } from "../../src/webhooks/Webhooks.ts"
import { WebhookSender } from "../../src/webhooks/WebhookSender.ts"
import * as Feeds from "../Feeds.ts"
import { pass } from "../MovedClock.ts"
import * as World from "../World.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export const layer = Layer.mergeAll(
  EventSequencer.layer,
  EventsRepo.layer,
  WebhookAttemptsRepo.layer,
  WebhookFanOut.layer,
  Webhooks.layer,
  WebhookSender.layer
).pipe(
  Layer.provideMerge(World.layer),
  // That receivers fail is what these tests are about.
  Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "Error"))
)

export const minute = 60_000
export const day = 24 * 60 * minute

/** An endpoint as its tenant's manager makes it, with the secret that only they have seen. */
export const add = Effect.fnUntraced(function* (world: World.World, input: CreateWebhook) {
  const { secret, ...webhook } = yield* World.as(
    world,
    world.manager
  )(Webhooks.use((webhooks) => webhooks.create(input)))
  return { ...webhook, secret: secret === undefined ? "" : Redacted.value(secret) }
})

/** Records events of these subjects, each in a transaction of its own, and places them. */
export const happen = (world: World.World, ...subjects: ReadonlyArray<string>) =>
  Effect.forEach(subjects, (subject) => Feeds.transaction(Feeds.record(subject)), {
    discard: true
  }).pipe(Effect.andThen(Feeds.sequence), Effect.provideService(CurrentTenant, world.tenant))

/** Sends all that is due now, to the end. */
export const deliver = Effect.gen(function* () {
  const fanOut = yield* WebhookFanOut
  const sender = yield* WebhookSender
  for (;;) {
    const { more } = yield* fanOut.round
    const sent = yield* sender.round
    yield* sender.settled
    if (!more && !sent) return
    yield* pass(250)
  }
})
