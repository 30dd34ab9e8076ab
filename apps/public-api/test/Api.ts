/** The bearer routes on a database of their own, called as any HTTP client would. */
import {
  type ClientId,
  type Scope,
  scopeNames,
  type UserId
} from "@quittance/domain/requests/Caller"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import { fromEpochMillis, type Instant } from "@quittance/domain/values/Instant"
import { firstPartyClientId } from "@quittance/domain/access/Client"
import * as HttpApp from "@quittance/http/HttpApp"
import { AuthorizationServerKeys } from "@quittance/operations/tokens/SigningKeys"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { Sandbox } from "@quittance/operations/provisioning/Sandbox"
import { TokenIssuer } from "@quittance/operations/tokens/TokenIssuer"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { UsersRepo } from "@quittance/persistence/access/UsersRepo"
import { AnonymousSessionsRepo } from "@quittance/persistence/access/AnonymousSessionsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { shippedProduct } from "@quittance/testing/ShippedProducts"
import { Clock, Context, Effect, Layer, References } from "effect"
import { HttpEffect } from "effect/http"
import { randomUUID } from "node:crypto"
import { Routes } from "../src/Routes.ts"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import * as Wiring from "@quittance/operations/Wiring"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"

export class Api extends Context.Service<
  Api,
  { readonly fetch: (request: Request) => Effect.Effect<Response> }
>()("test/Api") {
  static readonly layer = Layer.effect(
    Api,
    Effect.gen(function* () {
      const app = yield* HttpApp.make(Routes)
      const handler = HttpEffect.toWebHandler(
        // The access log is no finding of a test; what fails is.
        Effect.provideService(app, References.MinimumLogLevel, "Error")
      )
      return Api.of({ fetch: (request) => Effect.promise(() => handler(request)) })
    })
  )
}

/** What the routes are served with, all but the database. */
export const ServicesOnDatabase = Layer.mergeAll(
  AnonymousSessionsRepo.layer,
  Sandbox.layer,
  TenantClockRepo.layer,
  TokenIssuer.layer,
  UsersRepo.layer
).pipe(
  Layer.provideMerge(Wiring.layer),
  Layer.provideMerge([AuthorizationServerKeys.layer, ProductsRepo.layer]),
  Layer.provideMerge(
    Issuers.layerOf("http://{tenant}.auth.localhost:8080", "http://localhost:8080")
  ),
  Layer.provideMerge([KeyEncryption.layerOf(new Uint8Array(32).fill(7)), OutgoingCalls.layer])
)

/** What the routes are served with. */
export const Services = Layer.provideMerge(ServicesOnDatabase, PgTest.layer)

export const TestLayer = Layer.provideMerge(Api.layer, Services)

export const motor = shippedProduct("motor-fr")

export const at = (text: string): Instant => fromEpochMillis(Date.parse(text))

/** A tenant, its clock standing at 10 March 2026, and a token of every kind. */
export const seeded = Effect.fnUntraced(function* (tenant: Tenant) {
  const { id } = tenant
  const sandbox = yield* Sandbox
  const products = yield* ProductsRepo
  const clock = yield* TenantClockRepo
  const now = at("2026-03-10T09:00:00Z")
  yield* sandbox.seedTenant(tenant, Effect.andThen(clock.set(now), products.publish(motor, now)))
  return yield* Effect.provideService(tokens(id), CurrentTenant, id)
})

/** A tenant of the test's own. */
export const newTenant = Effect.suspend(() => seeded(sandboxTenant()))

const tokens = Effect.fnUntraced(function* (tenant: TenantId) {
  yield* AuthorizationServerKeys.use((keys) => keys.ensure)
  const issuer = yield* TokenIssuer
  const users = yield* UsersRepo
  const client = (scopes: ReadonlyArray<Scope>) =>
    issuer.client(`${tenant}-integration` as ClientId, scopes.join(" "))
  const user = Effect.fnUntraced(function* (name: string) {
    const login = yield* users.findLogin(`${name}@${tenant}.test`)
    const at = Math.floor((yield* Clock.currentTimeMillis) / 1000)
    const authentication = { at, methods: ["pwd"] }
    return yield* issuer.user(login!.id as UserId, firstPartyClientId, randomUUID(), authentication)
  })
  return {
    tenant,
    client: yield* client(scopeNames),
    withoutScopes: (absent: Scope) =>
      Effect.provideService(
        client(scopeNames.filter((scope) => scope !== absent)),
        CurrentTenant,
        tenant
      ),
    session: yield* session,
    stranger: yield* session,
    manager: yield* user("manager"),
    north: yield* user("north"),
    south: yield* user("south"),
    auditor: yield* user("auditor")
  }
})

/** The token of a new anonymous session. */
const session = Effect.gen(function* () {
  const ids = yield* Ids
  const issuer = yield* TokenIssuer
  const sessions = yield* AnonymousSessionsRepo
  const sql = yield* TenantSql
  const id = ids.next("anonymous_session")
  const started = yield* sql.transaction(
    sessions.insert({ id, productId: undefined, lifetimeSeconds: 3600 })
  )
  return yield* issuer.anonymous(started)
})

export type World = Effect.Success<typeof newTenant>

export interface Call {
  readonly method?: string
  readonly token?: string
  readonly tenant?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Calls a route and reads the answer. */
export const call = Effect.fnUntraced(function* (path: string, request: Call) {
  const { fetch } = yield* Api
  const { body, headers, method, tenant, token } = request
  const response = yield* fetch(
    new Request(`http://localhost:8080${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: {
        ...(tenant === undefined ? {} : { tenant }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body) })
    })
  )
  const bytes = Buffer.from(yield* Effect.promise(() => response.arrayBuffer()))
  const text = bytes.toString()
  const isFile = response.headers.has("content-disposition")
  return {
    status: response.status,
    header: (name: string) => response.headers.get(name) ?? undefined,
    text,
    bytes,
    // Every answer of these routes is JSON but for files, and a test says what it expects of it.
    body: (text === "" || isFile ? undefined : JSON.parse(text)) as any
  }
})
