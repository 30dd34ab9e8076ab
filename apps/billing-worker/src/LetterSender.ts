/** The loop that sends letters, beside any number of others. */
import * as Settings from "@quittance/domain/values/Settings"
import { OutgoingMail } from "@quittance/operations/access/OutgoingMail"
import { Mailer } from "@quittance/operations/mail/Mailer"
import { Config, Duration, Effect, Layer } from "effect"

/** Rounds until interrupted, which waits for the letters that are under way. */
const run = Effect.gen(function* () {
  const letters = yield* OutgoingMail
  const pause = yield* Settings.duration("LETTER_POLL_INTERVAL").pipe(
    Config.withDefault(Duration.seconds(1))
  )
  return letters.round.pipe(
    Effect.catchCause((cause) =>
      Effect.as(Effect.logError("The sender could not look for letters", cause), false)
    ),
    Effect.flatMap((more) => (more ? Effect.void : Effect.sleep(pause))),
    Effect.forever
  )
})

/** Runs the loop for as long as the layer is there. `LETTER_POLL_INTERVAL` (1 second) is its pause. */
export const layer = Layer.effectDiscard(
  Effect.flatMap(run, (loop) => Effect.forkScoped(loop))
).pipe(Layer.provide(OutgoingMail.layer), Layer.provide(Mailer.layerFolder))
