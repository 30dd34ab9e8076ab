// A server with a route that answers at once, and one that does once its parent writes to its input.
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
