/** The jobs that bring events to the endpoints of tenants. */
import { Effect, Layer } from "effect"
import * as Loop from "@quittance/operations/worker/Loop"
import { WebhookFanOut } from "@quittance/operations/webhooks/WebhookFanOut"
import { WebhookPurge } from "@quittance/operations/webhooks/WebhookPurge"
import { WebhookSender } from "@quittance/operations/webhooks/WebhookSender"

/**
 * The loops, the first of which is woken when events have got their positions. Receivers are waited for by
 * fibers of the sender's, and by no loop.
 */
export const make = Effect.fn("webhooks.make")(function* () {
  const { round: fanOut } = yield* WebhookFanOut
  const sender = yield* WebhookSender
  const { round: purge } = yield* WebhookPurge
  const deliveries = yield* Loop.make({
    name: "webhooks",
    pause: yield* Loop.pause("WEBHOOK_POLL_INTERVAL", "200 millis"),
    round: sender.round
  })
  // An endpoint that was sent as much at a time as it may be can be sent more.
  const waking: Loop.Loop = {
    run: Effect.forever(Effect.andThen(sender.freed, deliveries.wake)),
    wake: Effect.void
  }
  const bringing = yield* Loop.make({
    name: "webhook events",
    pause: yield* Loop.pause("EVENT_POLL_INTERVAL", "1 second"),
    round: Effect.tap(fanOut, ({ endpoints }) =>
      endpoints > 0 ? deliveries.wake : Effect.void
    ).pipe(Effect.map(({ more }) => more))
  })
  const cleaning = yield* Loop.make({
    name: "webhook attempts",
    pause: yield* Loop.pause("WEBHOOK_PURGE_INTERVAL", "1 hour"),
    round: purge
  })
  return { loops: [bringing, deliveries, waking, cleaning], wake: bringing.wake }
})

export const layer = Layer.mergeAll(WebhookFanOut.layer, WebhookPurge.layer, WebhookSender.layer)
