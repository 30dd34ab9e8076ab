/** The loop that seals audit trails, beside any number of others. */
import * as Settings from "@quittance/domain/values/Settings"
import { AuditSealer } from "@quittance/operations/audit/AuditSealer"
import { Config, Duration, Effect, Layer } from "effect"

/** Rounds until interrupted, which waits for the batch that is under way. */
const run = Effect.gen(function* () {
  const sealer = yield* AuditSealer
  const pause = yield* Settings.duration("AUDIT_POLL_INTERVAL").pipe(
    Config.withDefault(Duration.seconds(1))
  )
  return sealer.round.pipe(
    Effect.catchCause((cause) =>
      Effect.as(Effect.logError("The sealer could not look for rows", cause), false)
    ),
    Effect.flatMap((more) => (more ? Effect.void : Effect.sleep(pause))),
    Effect.forever
  )
})

/** Runs the loop for as long as the layer is there. `AUDIT_POLL_INTERVAL` (1 second) is its pause. */
export const layer = Layer.effectDiscard(
  Effect.flatMap(run, (loop) => Effect.forkScoped(loop))
).pipe(Layer.provide(AuditSealer.layer))
