/** An app made of routes: the routes in a router of their own, with the edge around them. */
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, type Scope } from "effect"
import { HttpRouter, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import * as Edge from "./Edge.ts"
import * as RouteMethods from "./RouteMethods.ts"

/** Serves a request; every failure has become an answer. */
export type HttpApp = Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  HttpServerRequest.HttpServerRequest | Scope.Scope
>

/** Builds the routes once, for as long as the scope is open. */
export const make = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  Effect.gen(function* () {
    const edge = yield* Edge.make
    const methods = RouteMethods.make()
    const router = yield* HttpRouter.toHttpEffect(
      routes.pipe(
        Layer.provide(RouteMethods.recording(methods)),
        Layer.provide(NodeHttpServer.layerHttpServices)
      )
    ).pipe(Effect.provideService(HttpRouter.RouterConfig, RouteMethods.routerConfig))
    return edge(router, methods)
  })
