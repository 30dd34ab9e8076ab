/** What the service does by itself, in one process: the jobs of its programs, each as it is. */
import * as billing from "@quittance/billing-worker/jobs"
import * as dispatcher from "@quittance/dispatcher/jobs"
import type { EventConsumer } from "@quittance/operations/events/EventConsumers"
import { Effect, Layer } from "effect"

/** Runs all jobs until interrupted, which waits for the batches that are under way. */
export const run = (told: ReadonlyArray<EventConsumer>) =>
  Effect.all([billing.run, dispatcher.run(told)], { concurrency: "unbounded", discard: true })

/** What the jobs need, on a database and its repositories. */
export const layer = Layer.merge(billing.layer, dispatcher.layer)
