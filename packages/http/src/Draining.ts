/**
 * A server that is about to stop. It still answers requests, but says with each answer that the connection
 * closes, and to probes that it is not ready. So balancers go elsewhere, and no request is open by the time
 * it stops listening.
 */
import { NotReady } from "@quittance/domain/requests/RequestErrors"
import { Stopping } from "@quittance/domain/requests/Stopping"
import { Config, Deferred, Duration, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Server, ServerResponse } from "node:http"
import { setTimeout } from "node:timers/promises"
import { errorResponse } from "./ErrorResponse.ts"
import type { HttpApp } from "./HttpApp.ts"

/** `DRAIN_TIME` in milliseconds, half a second unless set: longer than balancers wait between probes. */
export const time = Config.Duration("DRAIN_TIME").pipe(
  Config.withDefault(Duration.millis(500)),
  Config.map(Duration.toMillis)
)

export interface Draining {
  /** The app, whose readiness ends when the draining begins, and whose requests are told of it. */
  readonly serve: (app: HttpApp) => HttpApp
  /** Drains for so many milliseconds. */
  readonly drain: (milliseconds: number) => Promise<void>
}

/** Follows the answers of a server, so that it can be drained. */
export const of = (server: Server): Draining => {
  const unanswered = new Set<ServerResponse>()
  const begun = Deferred.makeUnsafe<void>()
  let isDraining = false
  for (const event of ["request", "checkContinue"] as const) {
    server.prependListener(event, (_request, response) => {
      if (isDraining) return last(response)
      // A request that is held until it is served comes by more than once.
      if (unanswered.has(response)) return
      unanswered.add(response)
      response.once("close", () => unanswered.delete(response))
    })
  }
  return {
    serve: (app) =>
      Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) =>
        isDraining && url.split("?", 1)[0] === "/health/ready"
          ? Effect.succeed(errorResponse(new NotReady({})))
          : Effect.provideService(app, Stopping, Deferred.await(begun))
      ),
    drain: async (milliseconds) => {
      isDraining = true
      unanswered.forEach(last)
      Deferred.doneUnsafe(begun, Effect.void)
      await setTimeout(milliseconds)
    }
  }
}

/** The answer says `connection: close`, and its connection is closed behind it. */
const last = (response: ServerResponse) => {
  if (!response.headersSent) response.shouldKeepAlive = false
}
