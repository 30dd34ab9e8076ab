/** What moves money and cover by itself, beside any number of other workers. */
import * as Loop from "@quittance/operations/worker/Loop"
import { Effect } from "effect"
import { BillingWorker } from "./BillingWorker.ts"

/**
 * Runs what falls due until interrupted, which waits for the batch that is under way. The pause when
 * nothing is due is `BILLING_POLL_INTERVAL` (5 seconds).
 */
export const run = Effect.gen(function* () {
  const { round } = yield* BillingWorker
  const pause = yield* Loop.pause("BILLING_POLL_INTERVAL", "5 seconds")
  return yield* (yield* Loop.make({ name: "billing", pause, round })).run
})

/** What the job needs, on a database and its repositories. */
export const layer = BillingWorker.layer
