// A server with one route that answers once its parent writes to its standard input.
import { Deferred, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import * as HttpApp from "../src/HttpApp.ts"
import * as Main from "../src/Main.ts"
import * as Server from "../src/Server.ts"

const routes = HttpRouter.addAll(
  Effect.gen(function* () {
    const go = yield* Deferred.make<void>()
    process.stdin.once("data", () => Deferred.doneUnsafe(go, Effect.void))
    return [
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

Main.run(Server.layer(HttpApp.make(routes)).pipe(Layer.orDie))
