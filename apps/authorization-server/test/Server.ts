/** The authorization servers of sandbox tenants on a database, called as any HTTP client would. */
import { ClientId } from "@quittance/domain/requests/Caller"
import { firstPartyClientId } from "@quittance/domain/access/Client"
import * as HttpApp from "@quittance/http/HttpApp"
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { AuthorizationServerKeys } from "@quittance/operations/tokens/SigningKeys"
import { Issuers } from "@quittance/operations/tokens/Issuers"
import { Sandbox } from "@quittance/operations/provisioning/Sandbox"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { ClientsRepo } from "@quittance/persistence/access/ClientsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import * as PgTest from "@quittance/testing/PgTest"
import { newTenantId, sandboxTenant } from "@quittance/testing/SandboxTenant"
import { Context, Effect, Layer, Option, References } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { createHash, randomBytes } from "node:crypto"
import { Routes } from "../src/Routes.ts"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import * as Targets from "@quittance/persistence/targets"

/** Answers one request. */
export class Server extends Context.Service<
  Server,
  { readonly fetch: (request: Request) => Effect.Effect<Response> }
>()("test/Server") {}

/** The address a test wants to come from, in place of the socket's. */
const fromAddress = HttpRouter.middleware(
  (route) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const remoteAddress = Option.fromNullishOr(request.headers["test-address"])
      const changed = request.modify({ remoteAddress })
      return yield* Effect.provideService(route, HttpServerRequest.HttpServerRequest, changed)
    }),
  { global: true }
)

const serve = Layer.effect(
  Server,
  Effect.gen(function* () {
    const app = yield* HttpApp.make(Layer.mergeAll(Routes, fromAddress))
    return Server.of({
      fetch: (request) =>
        app.pipe(
          Effect.map((response) => HttpServerResponse.toWeb(response)),
          Effect.provideService(
            HttpServerRequest.HttpServerRequest,
            HttpServerRequest.fromWeb(request)
          ),
          // The access log is no finding of a test; what fails is.
          Effect.provideService(References.MinimumLogLevel, "Error"),
          Effect.scoped
        )
    })
  })
)

/** The servers at an `AUTH_URL`. */
export const layerAt = (authUrl: string) =>
  Layer.mergeAll(serve, AccessTokens.layer, ClientsRepo.layer, Sandbox.layer).pipe(
    Layer.provideMerge([AuthorizationServerKeys.layer, Targets.layer]),
    Layer.provideMerge(Issuers.layerOf(authUrl, "http://localhost:8080")),
    Layer.provideMerge([KeyEncryption.layerOf(new Uint8Array(32).fill(7)), OutgoingCalls.layer]),
    Layer.provideMerge(PgTest.layer)
  )

export const TestLayer = layerAt("http://{tenant}.auth.localhost:8080")

/** Another instance on the same database, which has seen nothing yet. */
export const another = Layer.fresh(serve)

/** A sandbox tenant of the test's own, with its people, clients and key. */
export const newTenant = Effect.gen(function* () {
  const tenant = sandboxTenant(newTenantId(), "Blue & Sons <Insurers>")
  const { id } = tenant
  yield* Sandbox.use((sandbox) => sandbox.seedTenant(tenant, Effect.void))
  yield* AuthorizationServerKeys.use((keys) => keys.ensure).pipe(as(id))
  return id
})

export const as = (tenant: TenantId) => Effect.provideService(CurrentTenant, tenant)

export interface Call {
  readonly method?: string
  readonly path?: string
  readonly host?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FormData
}

/** Sends a request to a tenant's server. */
export const call = Effect.fn(function* (
  tenant: TenantId,
  { body, headers, host, method, path }: Call
) {
  const { fetch } = yield* Server
  const url = `http://${tenant}.auth.localhost:8080${path ?? "/oauth2/token"}`
  return yield* fetch(
    new Request(url, {
      method: method ?? "POST",
      headers: {
        host: host ?? `${tenant}.auth.localhost:8080`,
        "x-request-id": "of-a-test",
        ...headers
      },
      ...(body === undefined ? {} : { body })
    })
  )
})

export const json = (response: Response) =>
  Effect.promise(() => response.json() as Promise<Record<string, unknown>>)

export const basic = (id: string, secret: string): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`
})

/** The credentials of the tenant's seeded integration client. */
export const integration = (tenant: TenantId) =>
  basic(`${tenant}-integration`, `${tenant}-integration-secret`)

export const formType = { "content-type": "application/x-www-form-urlencoded" }

/** Sends a form to the token endpoint: text as it is, or parameters to encode. */
export const token = (
  tenant: TenantId,
  form: string | Record<string, string>,
  headers: Record<string, string> = integration(tenant)
) =>
  call(tenant, {
    headers: { ...formType, ...headers },
    body: typeof form === "string" ? form : new URLSearchParams(form).toString()
  })

/** Another public client, like the command line's. */
export const otherApp = Effect.fn(function* (tenant: TenantId) {
  const clients = yield* ClientsRepo
  const id = ClientId.make("other-app")
  const add = Effect.gen(function* () {
    const found = yield* clients.find(firstPartyClientId)
    yield* clients.insert({ ...found!.client, id, internal: false })
  })
  yield* inTransaction(add).pipe(as(tenant))
  return id
})

/** Lets the tenant's integration client, which keeps a secret, sign people in too. */
export const confidentialApp = Effect.fn(function* (tenant: TenantId) {
  const id = ClientId.make(`${tenant}-integration`)
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  const write = tenantSql.write(sql`
    UPDATE client SET redirect_uris = '{http://127.0.0.1/callback}',
      grant_types = '{client_credentials,authorization_code,refresh_token}'
    WHERE id = ${id}
  `)
  yield* inTransaction(write).pipe(as(tenant))
  return id
})

export const inTransaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  TenantSql.use((sql) => sql.transaction(effect))

/** Everything that a front end and a person at its login page send to sign in. */
export const signIn = {
  verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  challenge: createHash("sha256")
    .update("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    .digest("base64url"),
  redirectUri: "http://127.0.0.1:4123/callback",
  clientId: firstPartyClientId,
  csrf: randomBytes(32).toString("base64url")
}

export const request: Record<string, string> = {
  response_type: "code",
  client_id: signIn.clientId,
  redirect_uri: signIn.redirectUri,
  code_challenge: signIn.challenge,
  code_challenge_method: "S256",
  state: "state & more"
}

/** The authorization request, as a front end sends the browser to it. */
export const authorize = (tenant: TenantId, query: string | Record<string, string> = request) =>
  call(tenant, {
    method: "GET",
    path: `/oauth2/authorize?${typeof query === "string" ? query : new URLSearchParams(query)}`
  })

/** The login page's form, as the browser sends it. */
export const submit = (
  tenant: TenantId,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {}
) =>
  call(tenant, {
    path: "/oauth2/authorize",
    headers: { ...formType, cookie: `quittance-login=${signIn.csrf}`, ...headers },
    body: new URLSearchParams({
      ...request,
      csrf: signIn.csrf,
      email: `north@${tenant}.test`,
      password: "sandbox-password",
      ...fields
    }).toString()
  })

/** The code of a user who has signed in. */
export const code = Effect.fn(function* (tenant: TenantId, fields: Record<string, string> = {}) {
  const response = yield* submit(tenant, fields)
  return new URL(response.headers.get("location") ?? "").searchParams.get("code") ?? ""
})

/** Redeems a code as the command line does, without a secret. */
export const redeem = (
  tenant: TenantId,
  code: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {}
) =>
  token(
    tenant,
    {
      grant_type: "authorization_code",
      client_id: signIn.clientId,
      code,
      redirect_uri: signIn.redirectUri,
      code_verifier: signIn.verifier,
      ...fields
    },
    headers
  )

export const refresh = (
  tenant: TenantId,
  refreshToken: unknown,
  fields: Record<string, string> = {},
  headers: Record<string, string> = {}
) =>
  token(
    tenant,
    {
      grant_type: "refresh_token",
      client_id: signIn.clientId,
      refresh_token: `${refreshToken}`,
      ...fields
    },
    headers
  )

/** Whether this password opens the account. */
export const signsIn = (tenant: TenantId, email: string, password: string) =>
  Effect.map(submit(tenant, { email, password }), ({ status }) => status === 303)
