/** `/health/live`: the process answers. `/health/ready`: it can do its work. */
import { NotReady } from "@quittance/domain/requests/RequestErrors"
import { Duration, Effect, Exit } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { errorResponse } from "./ErrorResponse.ts"

/** How long a finding holds, so that probes cost the database next to nothing. */
const findingFor = Duration.seconds(1)
const patience = Duration.seconds(2)

/**
 * The health routes. `readiness` succeeds while what the app depends on is there, and fails or takes
 * too long while it is not.
 */
export const routes = <E, R>(readiness: Effect.Effect<unknown, E, R>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const context = yield* Effect.context<R>()
      const ready = yield* readiness.pipe(
        Effect.timeout(patience),
        Effect.tapCause((cause) => Effect.logWarning("Not ready", cause)),
        Effect.exit,
        Effect.map(Exit.isSuccess),
        Effect.provideContext(context),
        Effect.cachedWithTTL(findingFor)
      )
      yield* router.add("GET", "/health/live", HttpServerResponse.jsonUnsafe({ status: "live" }))
      yield* router.add(
        "GET",
        "/health/ready",
        Effect.map(ready, (isReady) =>
          isReady
            ? HttpServerResponse.jsonUnsafe({ status: "ready" })
            : errorResponse(new NotReady({}))
        )
      )
    })
  )
