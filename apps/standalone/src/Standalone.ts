/** All of the service in one process, on one port: the apps, each as it is, chosen by host. */
import { Routes as AuthorizationServerRoutes } from "@quittance/authorization-server/Routes"
import { Routes as EdgeRoutes } from "@quittance/anonymous-session-edge/Routes"
import { consumers } from "@quittance/dispatcher/jobs"
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import * as Health from "@quittance/http/Health"
import * as HttpApp from "@quittance/http/HttpApp"
import * as Management from "@quittance/http/telemetry/Management"
import * as MetricsRoutes from "@quittance/http/telemetry/MetricsRoutes"
import * as Server from "@quittance/http/Server"
import { Routes as PublicRoutes } from "@quittance/public-api/Routes"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { AuthorizationServerKeys } from "@quittance/operations/tokens/SigningKeys"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { ready } from "@quittance/operations/requests/Readiness"
import { tenants } from "@quittance/operations/provisioning/Sandbox"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { QueueMetrics } from "@quittance/operations/worker/QueueMetrics"
import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Config, Console, Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import * as jobs from "./jobs.ts"
import * as SandboxLog from "./SandboxLog.ts"
import * as SandboxGuide from "./SandboxGuide.ts"
import * as StandaloneDatabase from "./StandaloneDatabase.ts"
import * as StartPageRoutes from "./StartPageRoutes.ts"
import * as Welcome from "./Welcome.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import * as Wiring from "@quittance/operations/Wiring"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"

const health = Health.routes(ready)
const metrics = MetricsRoutes.routes(AccessTokens)

/** Hosts below `AUTH_URL` are authorization servers, every other host is the interface. */
const app = Effect.gen(function* () {
  const issuers = yield* Issuers
  const authorization = yield* HttpApp.make(
    Layer.mergeAll(AuthorizationServerRoutes, metrics, health)
  )
  const api = yield* HttpApp.make(
    Layer.mergeAll(PublicRoutes, EdgeRoutes, StartPageRoutes.Routes, metrics, health)
  )
  return Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
    issuers.isBelow(headers["host"] ?? "") ? authorization : api
  )
})

/** A seeded tenant has no key yet: keys belong to the process that can open them. */
const sandboxKeys = Layer.effectDiscard(
  Effect.gen(function* () {
    if ((yield* runningEnvironment) === "production") return
    const keys = yield* AuthorizationServerKeys
    yield* Effect.forEach(
      tenants,
      ({ id }) => Effect.provideService(keys.ensure, CurrentTenant, id),
      { discard: true }
    )
  })
).pipe(Layer.provide(AuthorizationServerKeys.layer))

const welcome = Layer.effectDiscard(
  Effect.gen(function* () {
    if ((yield* runningEnvironment) === "production") return
    const guide = SandboxGuide.make(yield* Issuers)
    const url = yield* Config.option(Config.Redacted("DATABASE_URL"))
    const folder = yield* Config.String("DATA_DIR").pipe(Config.withDefault(".data"))
    yield* Console.log(Welcome.text(guide, Option.isSome(url) ? undefined : folder))
  })
)

export const layer = welcome.pipe(
  Layer.provideMerge(
    Layer.mergeAll(Server.layer(app), Management.layer, QueueMetrics.layer, jobs.layer)
  ),
  Layer.provideMerge(sandboxKeys),
  // Built before the apps, so that they share it: a token given back to one is dead at the others.
  Layer.provide(AccessTokens.layer),
  Layer.provide(Wiring.layerWithBank),
  Layer.provide(ProductsRepo.layer),
  Layer.provide([
    Issuers.layer,
    KeyEncryption.layer,
    OutgoingCalls.layer,
    RateLimitStore.layer,
    Ids.layer
  ]),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(StandaloneDatabase.layer),
  Layer.provide(SandboxLog.layer)
)

/** What the service does by itself. */
export const work = Effect.flatMap(consumers, jobs.run)
