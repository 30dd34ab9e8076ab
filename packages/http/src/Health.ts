/** `/health/live`: the process answers. `/health/ready`: it can do its work. */
import { NotReady } from "@quittance/domain/requests/RequestErrors"
import { Cause, Duration, Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { errorResponse } from "./ErrorResponse.ts"

/** How long a finding holds, so that probes cost the database next to nothing. */
const findingFor = Duration.seconds(1)
const patience = Duration.seconds(2)

/**
 * The health routes. `readiness` succeeds while what the app depends on is there, and fails or takes
 * too long while it is not. What it says of that with `NotReady` is answered.
 */
export const routes = <E, R>(readiness: Effect.Effect<unknown, E, R>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const context = yield* Effect.context<R>()
      const ready = yield* readiness.pipe(
        Effect.timeout(patience),
        Effect.tapCause((cause) => Effect.logWarning("Not ready", cause)),
        Effect.matchCause({ onFailure: answerTo, onSuccess: () => undefined }),
        Effect.provideContext(context),
        Effect.cachedWithTTL(findingFor)
      )
      yield* router.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" }))
      yield* router.add(
        "GET",
        "/health/ready",
        Effect.map(ready, (unready) =>
          unready === undefined
            ? HttpServerResponse.jsonUnsafe({ status: "ready" })
            : errorResponse(unready)
        )
      )
    })
  )

const answerTo = (cause: Cause.Cause<unknown>): NotReady => {
  const failure = Cause.squash(cause)
  return failure instanceof NotReady ? failure : new NotReady({})
}
