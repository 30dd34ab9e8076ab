// A server with routes that answer at once, once its parent writes to its input, and once it is told to stop.
import { Stopping } from "@quittance/domain/requests/Stopping"
import { Deferred, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as Health from "../src/Health.ts"
import * as HttpApp from "../src/HttpApp.ts"
import * as Main from "../src/Main.ts"
import * as Server from "../src/Server.ts"

const routes = HttpRouter.addAll(
  Effect.gen(function* () {
    const go = yield* Deferred.make<void>()
    process.stdin.once("data", () => Deferred.doneUnsafe(go, Effect.void))
    return [
      HttpRouter.route("GET", "/free", HttpServerResponse.text("free")),
      HttpRouter.route(
        "GET",
        "/waiting",
        Effect.gen(function* () {
          yield* Effect.log("waiting")
          yield* yield* Stopping
          return HttpServerResponse.text("stopping")
        })
      ),
      HttpRouter.route(
        "GET",
        "/held",
        Effect.log("held").pipe(
          Effect.andThen(Deferred.await(go)),
          Effect.as(HttpServerResponse.text("done"))
        )
      )
    ]
  })
)

const all = Layer.merge(routes, Health.routes(Effect.void))

Main.run("stopping")(Server.layer(HttpApp.make(all)).pipe(Layer.orDie))
