/** All that a worker does by itself, beside any number of other workers. A new job is a line here. */
import * as Settings from "@quittance/domain/values/Settings"
import { OutgoingMail } from "@quittance/operations/access/OutgoingMail"
import { AuditSealer } from "@quittance/operations/audit/AuditSealer"
import { type EventConsumer, EventConsumers } from "@quittance/operations/events/EventConsumers"
import { EventSequencer } from "@quittance/operations/events/EventSequencer"
import { Mailer } from "@quittance/operations/mail/Mailer"
import { Config, Duration, Effect, Layer } from "effect"
import { BillingWorker } from "./BillingWorker.ts"
import * as Loop from "./Loop.ts"

/** Who is told of events: each is run by a loop of its own. Nobody is yet. */
export const consumers: ReadonlyArray<EventConsumer> = []

const pause = (variable: string, unlessSet: Duration.Input) =>
  Settings.duration(variable).pipe(Config.withDefault(Duration.fromInputUnsafe(unlessSet)))

/**
 * Runs all jobs until interrupted, which waits for the batches that are under way. The pauses are
 * `BILLING_POLL_INTERVAL` (5 seconds), `AUDIT_POLL_INTERVAL`, `LETTER_POLL_INTERVAL` and
 * `EVENT_POLL_INTERVAL` (1 second each).
 */
export const run = Effect.fn("jobs.run")(function* (told: ReadonlyArray<EventConsumer>) {
  const { round: invoice } = yield* BillingWorker
  const { round: seal } = yield* AuditSealer
  const { round: send } = yield* OutgoingMail
  const { round: sequence } = yield* EventSequencer
  const { round: tell } = yield* EventConsumers
  const listening = yield* pause("EVENT_POLL_INTERVAL", "1 second")
  const listeners = yield* Effect.forEach(told, (consumer) =>
    Loop.make({ name: `consumer ${consumer.name}`, pause: listening, round: tell(consumer) })
  )
  const wakeListeners = Effect.forEach(listeners, ({ wake }) => wake, { discard: true })
  // Events that have their positions are told at once.
  const place = Effect.tap(sequence, ({ events }) => (events > 0 ? wakeListeners : Effect.void))
  const loops = [
    yield* Loop.make({
      name: "billing",
      pause: yield* pause("BILLING_POLL_INTERVAL", "5 seconds"),
      round: invoice
    }),
    yield* Loop.make({
      name: "audit",
      pause: yield* pause("AUDIT_POLL_INTERVAL", "1 second"),
      round: seal
    }),
    yield* Loop.make({
      name: "letters",
      pause: yield* pause("LETTER_POLL_INTERVAL", "1 second"),
      round: send
    }),
    yield* Loop.make({
      name: "events",
      pause: listening,
      round: Effect.map(place, ({ more }) => more)
    }),
    ...listeners
  ]
  return yield* Effect.forEach(loops, (loop) => loop.run, {
    concurrency: "unbounded",
    discard: true
  })
})

/** What the jobs need, on a database and its repositories. */
export const layer = Layer.mergeAll(
  AuditSealer.layer,
  BillingWorker.layer,
  EventConsumers.layer,
  EventSequencer.layer,
  OutgoingMail.layer.pipe(Layer.provide(Mailer.layerFolder))
)
