import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Settings from "@quittance/domain/values/Settings"
import { Config, Duration, Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import * as Draining from "./Draining.ts"
import type { HttpApp } from "./HttpApp.ts"
import { listenFailure, type Place } from "./ListenFailure.ts"
import * as NodeServer from "./NodeServer.ts"
import * as UnsentAnswers from "./UnsentAnswers.ts"

/** 0 takes a free one; the log says which. */
const ports = { minimum: 0, maximum: 65_535 }

/** How long requests that are under way when the server stops may still take. */
const gracefulShutdownTimeout = Duration.seconds(10)

/** `ANSWER_TIMEOUT` (30 seconds unless set) and `UNSENT_ANSWERS`, MiB (64 unless set). */
const answerLimits = Effect.gen(function* () {
  const timeout = yield* Settings.duration("ANSWER_TIMEOUT").pipe(
    Config.withDefault(Duration.seconds(30))
  )
  const mebibytes = yield* Settings.count("UNSENT_ANSWERS", mebibytesHeld).pipe(
    Config.withDefault(64)
  )
  return {
    ...UnsentAnswers.defaults,
    answerTimeout: Duration.toMillis(timeout),
    mostUnsent: mebibytes * 1024 * 1024
  }
})

const mebibytesHeld = { minimum: 1, maximum: 65_536 }

/**
 * Serves an app on `HOST` (127.0.0.1 unless set) and `PORT` (8080 unless set). It listens once the app
 * is built, so that the first connection finds every route. When it stops it drains for `DRAIN_TIME`
 * (half a second unless set), then takes no new connection and finishes what is under way.
 */
export const layer = <E, R>(app: Effect.Effect<HttpApp, E, R>) =>
  layerAt(
    app,
    Config.all({
      host: Config.String("HOST").pipe(Config.withDefault("127.0.0.1")),
      port: Settings.count("PORT", ports).pipe(Config.withDefault(8080)),
      hostVariable: Config.succeed("HOST"),
      portVariable: Config.succeed("PORT")
    })
  )

/**
 * Serves what is for those alone who run the program on `METRICS_HOST` (127.0.0.1 unless set) and
 * `METRICS_PORT` (9464 unless set): it asks for no token.
 */
export const layerMetrics = <E, R>(app: Effect.Effect<HttpApp, E, R>) =>
  layerAt(
    app,
    Config.all({
      host: Config.String("METRICS_HOST").pipe(Config.withDefault("127.0.0.1")),
      port: Settings.count("METRICS_PORT", ports).pipe(Config.withDefault(9464)),
      hostVariable: Config.succeed("METRICS_HOST"),
      portVariable: Config.succeed("METRICS_PORT")
    })
  )

const layerAt = <E, R>(app: Effect.Effect<HttpApp, E, R>, where: Config.Config<Place>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const built = yield* app
      const place = yield* where
      const { host, port } = place
      const limits = yield* answerLimits
      const drainingFor = yield* Draining.time
      const server = NodeServer.make(limits)
      const draining = Draining.of(server)
      // What is acquired last is released first: it drains, finishes, then closes what hangs.
      return whenReleased(() => draining.drain(drainingFor)).pipe(
        Layer.provideMerge(HttpServer.serve(draining.serve(built)).pipe(HttpServer.withLogAddress)),
        Layer.provideMerge(whenReleased(async () => server.closeAllConnections())),
        Layer.provideMerge(
          NodeHttpServer.layerServer(() => server, { host, port, gracefulShutdownTimeout })
        ),
        Layer.catchTag("ServeError", ({ cause }) =>
          Layer.effectContext(Effect.fail(listenFailure(cause, place)))
        )
      )
    })
  )

/** Does something when the layer is released. */
const whenReleased = (release: () => Promise<void>) =>
  Layer.effectDiscard(Effect.addFinalizer(() => Effect.promise(release)))
