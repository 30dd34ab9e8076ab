import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as Settings from "@quittance/domain/values/Settings"
import { Config, Duration, Effect, Layer, Option } from "effect"
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
    }),
    "Listening on"
  )

/** Where the metrics of a program are looked for, by custom. */
const managementPort = 9464

/**
 * Serves what is for those alone who run the program, and asks for no token, on `MANAGEMENT_HOST`
 * (127.0.0.1 unless set) and `MANAGEMENT_PORT`. Unless that is set it is 9464, or any port that is free
 * where another program has that one; the log says which.
 */
export const layerManagement = <R>(app: Effect.Effect<HttpApp, Config.ConfigError, R>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const port = yield* Config.option(Settings.count("MANAGEMENT_PORT", ports))
      const at = (port: number) =>
        layerAt(
          app,
          Config.all({
            host: Config.String("MANAGEMENT_HOST").pipe(Config.withDefault("127.0.0.1")),
            port: Config.succeed(port),
            hostVariable: Config.succeed("MANAGEMENT_HOST"),
            portVariable: Config.succeed("MANAGEMENT_PORT")
          }),
          "Management on"
        )
      return Option.isSome(port)
        ? at(port.value)
        : Layer.catchTag(at(managementPort), "CannotListen", (failure) =>
            failure.isTaken ? at(0) : Layer.effectContext(Effect.fail(failure))
          )
    })
  )

const layerAt = <E, R>(
  app: Effect.Effect<HttpApp, E, R>,
  where: Config.Config<Place>,
  says: string
) =>
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
        Layer.provideMerge(
          Layer.effectDiscard(
            HttpServer.addressFormattedWith((address) => Effect.logInfo(`${says} ${address}`))
          )
        ),
        Layer.provideMerge(HttpServer.serve(draining.serve(built))),
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
