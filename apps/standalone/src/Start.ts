/** The service as the process. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Main from "@quittance/http/Main"
import { Console, Effect, Layer, Runtime, Schema } from "effect"
import * as Standalone from "./Standalone.ts"
import * as StartFailure from "./StartFailure.ts"

/** What went wrong is on the screen already. */
class NotStarted extends Schema.TaggedError<NotStarted>()("NotStarted", {}) {
  override readonly [Runtime.errorReported] = false
}

Standalone.layer.pipe(
  Layer.catchCause((cause) =>
    Layer.effectDiscard(
      Effect.gen(function* () {
        const sentence = StartFailure.sentence(cause)
        if (sentence === undefined) return yield* Effect.failCause(cause)
        yield* Console.error(`\n  ${sentence}\n`)
        return yield* new NotStarted()
      })
    )
  ),
  Layer.provide(NodeServices.layer),
  Main.run
)
