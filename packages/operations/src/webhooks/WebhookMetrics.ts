/** What comes of sending events to receivers, as metrics; nothing in them says whose they are. */
import { counter } from "@quittance/domain/telemetry/Series"
import { Outcome } from "@quittance/domain/webhooks/WebhookDelivery"
import { Effect, Metric } from "effect"

const tries = new Map(
  Outcome.literals.map((outcome) => [outcome, counter("webhookTries", { outcome })])
)

const dead = counter("webhookDead", {})

/** Counts a try to send an event, and an event that is left after it. */
export const countTry = (outcome: Outcome, isLeft: boolean): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(tries.get(outcome)!, 1),
    isLeft ? Metric.update(dead, 1) : Effect.void
  )
