import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Config, Duration, Effect, Layer, Schema } from "effect"
import { HttpServer } from "effect/http"
import type { HttpApp } from "./HttpApp.ts"
import * as NodeServer from "./NodeServer.ts"

/** 0 takes a free one; the log says which. */
const Port = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 }))

/** How long requests that are under way when the server stops may still take. */
const gracefulShutdownTimeout = Duration.seconds(10)

/**
 * Serves an app on `HOST` (127.0.0.1 unless set) and `PORT` (8080 unless set). It listens once the app
 * is built, so that the first connection finds every route; when it stops it takes no new connection
 * and finishes what is under way.
 */
export const layer = <E, R>(app: Effect.Effect<HttpApp, E, R>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const built = yield* app
      const host = yield* Config.String("HOST").pipe(Config.withDefault("127.0.0.1"))
      const port = yield* Config.schema(Port, "PORT").pipe(Config.withDefault(8080))
      return HttpServer.serve(built).pipe(
        HttpServer.withLogAddress,
        Layer.provideMerge(
          NodeHttpServer.layerServer(NodeServer.make, { host, port, gracefulShutdownTimeout })
        )
      )
    })
  )
