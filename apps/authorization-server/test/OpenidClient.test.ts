/** The client `openid-client` against our servers, as its documentation says to use it. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as client from "openid-client"
import * as OnSocket from "./OnSocket.ts"
import * as Server from "./Server.ts"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

const options = { excludeTestServices: true }

const discover = (
  connection: OnSocket.Connection,
  tenant: TenantId,
  id: string,
  authentication: client.ClientAuth,
  algorithm: "oauth2" | "oidc" = "oauth2"
) =>
  client.discovery(new URL(OnSocket.issuer(tenant)), id, undefined, authentication, {
    algorithm,
    // Marked deprecated so that it is not left in: these servers are on the loopback interface.
    execute: [client.allowInsecureRequests],
    [client.customFetch]: connection.fetch
  })

const world = Effect.gen(function* () {
  const tenant = yield* Server.newTenant
  const connection = yield* OnSocket.connect
  const id = `${tenant}-integration`
  const integration = yield* Effect.promise(() =>
    discover(connection, tenant, id, client.ClientSecretBasic(`${id}-secret`))
  )
  const cli = yield* Effect.promise(() =>
    discover(connection, tenant, Server.signIn.clientId, client.None())
  )
  return { tenant, connection, integration, cli }
})

/** The code that a client's error carries, or the text that tells what it saw. */
const failure = (attempt: () => Promise<unknown>) =>
  Effect.promise(() =>
    attempt().then(
      () => "none",
      (error: unknown) =>
        error instanceof client.ResponseBodyError
          ? error.error
          : error instanceof client.WWWAuthenticateChallengeError
            ? `challenge ${error.cause[0]?.scheme}`
            : `${error instanceof Error && "code" in error ? error.code : error}`
    )
  )

/** Signs in as the documentation shows, and gives all that was needed for it. */
const signIn = async (
  { cli, connection, tenant }: Effect.Success<typeof world>,
  state = client.randomState()
) => {
  const verifier = client.randomPKCECodeVerifier()
  const address = client.buildAuthorizationUrl(cli, {
    redirect_uri: Server.signIn.redirectUri,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state
  })
  const callback = await OnSocket.signIn(connection, address, {
    email: `north@${tenant}.test`,
    password: "sandbox-password"
  })
  return { callback, verifier, state }
}

const redeem = (
  config: client.Configuration,
  { callback, state, verifier }: Awaited<ReturnType<typeof signIn>>
) =>
  client.authorizationCodeGrant(config, callback, {
    pkceCodeVerifier: verifier,
    expectedState: state
  })

layer(OnSocket.TestLayer, options)("openid-client is refused", (it) => {
  it.effect("with a wrong secret, and with a secret in the body, its own way by default", () =>
    Effect.gen(function* () {
      const { connection, tenant } = yield* world
      const id = `${tenant}-integration`
      for (const authentication of [
        client.ClientSecretBasic("wrong"),
        client.ClientSecretPost(`${id}-secret`)
      ]) {
        const config = yield* Effect.promise(() => discover(connection, tenant, id, authentication))
        assert.strictEqual(
          yield* failure(() => client.clientCredentialsGrant(config)),
          "challenge basic"
        )
      }
    })
  )

  it.effect("a scope that it was not granted", () =>
    Effect.gen(function* () {
      const { integration } = yield* world
      const scope = "platform/policies platform/metrics"
      assert.strictEqual(
        yield* failure(() => client.clientCredentialsGrant(integration, { scope })),
        "invalid_scope"
      )
    })
  )

  it.effect("a code that comes back, one with another verifier, and a used refresh token", () =>
    Effect.gen(function* () {
      const all = yield* world
      const first = yield* Effect.promise(() => signIn(all))
      const tokens = yield* Effect.promise(() => redeem(all.cli, first))
      const refresh = () => client.refreshTokenGrant(all.cli, tokens.refresh_token!)
      yield* Effect.promise(refresh)
      assert.strictEqual(yield* failure(refresh), "invalid_grant")
      assert.strictEqual(yield* failure(() => redeem(all.cli, first)), "invalid_grant")
      const other = yield* Effect.promise(() => signIn(all))
      const verifier = client.randomPKCECodeVerifier()
      assert.strictEqual(
        yield* failure(() => redeem(all.cli, { ...other, verifier })),
        "invalid_grant"
      )
    })
  )

  it.effect("introspection without a secret", () =>
    Effect.gen(function* () {
      const { cli } = yield* world
      assert.strictEqual(
        yield* failure(() => client.tokenIntrospection(cli, "token")),
        "challenge basic"
      )
    })
  )
})

layer(OnSocket.TestLayer, options)("openid-client refuses", (it) => {
  it.effect("an answer of another tenant's server, and one with another state", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* world, yield* world]
      const foreign = yield* Effect.promise(() => signIn(other))
      assert.strictEqual(yield* failure(() => redeem(one.cli, foreign)), "OAUTH_INVALID_RESPONSE")
      const own = yield* Effect.promise(() => signIn(one))
      assert.strictEqual(
        yield* failure(() => redeem(one.cli, { ...own, state: "another" })),
        "OAUTH_INVALID_RESPONSE"
      )
      // The code is still good: neither attempt has reached the server.
      assert.isString((yield* Effect.promise(() => redeem(one.cli, own))).access_token)
    })
  )
})

layer(OnSocket.TestLayer, options)("openid-client", (it) => {
  it.effect("TN-17 discovers the server in both ways", () =>
    Effect.gen(function* () {
      const { connection, integration, tenant } = yield* world
      const secret = client.ClientSecretBasic(`${tenant}-integration-secret`)
      const oidc = yield* Effect.promise(() =>
        discover(connection, tenant, `${tenant}-integration`, secret, "oidc")
      )
      assert.deepStrictEqual(oidc.serverMetadata(), integration.serverMetadata())
      assert.isTrue(integration.serverMetadata().supportsPKCE())
      assert.strictEqual(integration.serverMetadata().issuer, OnSocket.issuer(tenant))
    })
  )

  it.effect("TE-01 gets a client's token, with all scopes or one", () =>
    Effect.gen(function* () {
      const { integration } = yield* world
      const [all, one] = yield* Effect.promise(() =>
        Promise.all([
          client.clientCredentialsGrant(integration),
          client.clientCredentialsGrant(integration, { scope: "platform/policies" })
        ])
      )
      assert.include(all.scope, "platform/billing")
      assert.deepStrictEqual(
        [one.scope, one.token_type, one.expires_in, one.refresh_token],
        ["platform/policies", "bearer", 3600, undefined]
      )
    })
  )

  it.effect("UF-05 signs a user in, refreshes, introspects and revokes", () =>
    Effect.gen(function* () {
      const found = yield* world
      yield* Server.confidentialApp(found.tenant)
      const all = { ...found, cli: found.integration }
      const introspect = (token: string) =>
        Effect.promise(() => client.tokenIntrospection(all.integration, token))
      const first = yield* Effect.promise(async () => redeem(all.cli, await signIn(all)))
      const second = yield* Effect.promise(() =>
        client.refreshTokenGrant(all.cli, first.refresh_token!)
      )
      const access = yield* introspect(second.access_token)
      assert.deepStrictEqual(
        [access.active, access.token_type, access["kind"], access.client_id, access.scope],
        [true, "Bearer", "user", `${all.tenant}-integration`, undefined]
      )
      const refresh = yield* introspect(second.refresh_token!)
      assert.deepStrictEqual(
        [refresh.active, refresh.token_type, refresh.sub],
        [true, undefined, access.sub]
      )
      assert.deepStrictEqual(yield* introspect(first.refresh_token!), { active: false })

      yield* Effect.promise(() => client.tokenRevocation(all.cli, second.refresh_token!))
      for (const token of [first.access_token, second.access_token, second.refresh_token!]) {
        assert.deepStrictEqual(yield* introspect(token), { active: false })
      }
    })
  )
})
