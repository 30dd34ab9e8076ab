/**
 * Where the stories of the reference are played: every route of the published document on a database
 * of its own, whose identifiers are the same in every run. What the routes answer is kept.
 */
import { Routes as EdgeRoutes } from "@quittance/anonymous-session-edge/Routes"
import { Routes as AuthorizationServerRoutes } from "@quittance/authorization-server/Routes"
import { TenantId } from "@quittance/domain/requests/Tenancy"
import * as Health from "@quittance/http/Health"
import * as HttpApp from "@quittance/http/HttpApp"
import { AuditSealer } from "@quittance/operations/audit/AuditSealer"
import { EventSequencer } from "@quittance/operations/events/EventSequencer"
import { ready } from "@quittance/operations/requests/Readiness"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { OneTimeLinkKey } from "@quittance/operations/access/OneTimeLinkKey"
import { DunningRepo } from "@quittance/persistence/dunning/DunningRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { RefreshTokensRepo } from "@quittance/persistence/tokens/RefreshTokensRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { Context, Effect, Layer, References } from "effect"
import { HttpEffect } from "effect/http"
import { Routes } from "../../src/Routes.ts"
import { Api, call, seeded, ServicesOnDatabase, type World } from "../Api.ts"
import * as ReceivedAnswers from "./ReceivedAnswers.ts"
import * as LeftEvents from "./LeftEvents.ts"

/** The first answer to each operation of the document that succeeded, by the operation's name. */
export class Received extends Context.Service<Received, Map<string, unknown>>()(
  "@quittance/public-api/test/reference/Received"
) {}

/** The types of the events that each operation left behind when it first succeeded. */
export class Left extends Context.Service<Left, Map<string, ReadonlyArray<string>>>()(
  "@quittance/public-api/test/reference/Left"
) {}

const health = Health.routes(ready)

/** The two hosts of a sandbox, as its one process tells them apart. */
const served = Effect.gen(function* () {
  const received = yield* Received
  const left = yield* Left
  const written = yield* LeftEvents.reader
  const handlerOf = (app: HttpApp.HttpApp) =>
    HttpEffect.toWebHandler(Effect.provideService(app, References.MinimumLogLevel, "Error"))
  const api = handlerOf(yield* HttpApp.make(Layer.mergeAll(Routes, EdgeRoutes, health)))
  const authorization = handlerOf(yield* HttpApp.make(AuthorizationServerRoutes))
  return Api.of({
    fetch: Effect.fnUntraced(function* (request) {
      const handler = new URL(request.url).hostname.endsWith(".auth.localhost")
        ? authorization
        : api
      yield* written
      const response = yield* Effect.promise(() => handler(request))
      const operation = ReceivedAnswers.operationOf(request)
      const types = yield* written
      if (response.ok && operation !== undefined && !left.has(operation)) left.set(operation, types)
      yield* Effect.promise(() => ReceivedAnswers.keep(received, request, response.clone()))
      return response
    })
  })
})

/** The n-th identifier of a kind is always the same text. */
const countedIds = Layer.effect(
  Ids,
  Effect.map(Ids, (ids) => {
    const counts = new Map<string, number>()
    return Ids.of({
      derived: ids.derived,
      next: (prefix) => {
        const count = (counts.get(prefix) ?? 0) + 1
        counts.set(prefix, count)
        return ids.derived(prefix, `${prefix} ${count}`)
      }
    })
  })
)

export const StageLayer = Layer.effect(Api, served).pipe(
  Layer.provideMerge(Layer.sync(Received, () => new Map())),
  Layer.provideMerge(Layer.sync(Left, () => new Map())),
  Layer.provideMerge(
    Layer.mergeAll(
      AccessTokens.layer,
      AuditSealer.layer,
      DunningRepo.layer,
      EventSequencer.layer,
      OneTimeLinkKey.layer,
      RefreshTokensRepo.layer
    )
  ),
  Layer.provideMerge(ServicesOnDatabase),
  Layer.provideMerge(countedIds),
  Layer.provideMerge(PgTest.layer)
)

/** What a story may use. */
export type Stage = Layer.Success<typeof StageLayer>

/** The sandbox's tenant of the quick start. */
export const acme = Effect.suspend(() =>
  seeded(sandboxTenant(TenantId.make("acme"), "Acme Assurances"))
)

export type Body = Readonly<Record<string, any>>

/** Calls routes in a user's name; an answer that is a failure ends the story. */
export const by = ({ tenant }: Pick<World, "tenant">, token?: string) => {
  const ask = (method: string) =>
    Effect.fnUntraced(function* (path: string, body?: unknown, type?: string) {
      const request = {
        method,
        tenant,
        ...(token === undefined ? {} : { token }),
        ...(body === undefined ? {} : { body }),
        headers: {
          "x-request-id": ReceivedAnswers.requestIdOf(method, path),
          ...(type === undefined ? {} : { "content-type": type })
        }
      }
      const { body: answer, status, text } = yield* call(path, request)
      if (status >= 400) return yield* Effect.die(new Error(`${method} ${path}: ${status} ${text}`))
      // The story knows what it takes out of an answer.
      return (answer ?? {}) as Body
    })
  const [get, post] = [ask("GET"), ask("POST")]
  return {
    get: (path: string) => get(path),
    post: (path: string, body: unknown = {}, type?: string) => post(path, body, type),
    put: ask("PUT"),
    patch: ask("PATCH"),
    remove: ask("DELETE")
  }
}

/** A caller of routes. */
export type Person = ReturnType<typeof by>

/** Moves business time on; what falls due until then is done before the story goes on. */
export const moveTo = (world: World, now: string) =>
  by(world, world.client).put("/admin/test-clock", { now })
