import { assert, layer } from "@effect/vitest"
import { ClientId } from "@quittance/domain/requests/Caller"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { AnonymousSessionsRepo } from "@quittance/persistence/access/AnonymousSessionsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { RevocationsRepo } from "@quittance/persistence/tokens/RevocationsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Clock, Duration, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AccessTokens } from "../../src/tokens/AccessTokens.ts"
import { AuthorizationServerKeys } from "../../src/tokens/SigningKeys.ts"
import { Issuers } from "../../src/tokens/Issuers.ts"
import { TokenIssuer } from "../../src/tokens/TokenIssuer.ts"
import * as Authorization from "../Authorization.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const TestLayer = Layer.mergeAll(
  AccessTokens.layer,
  AnonymousSessionsRepo.layer,
  RevocationsRepo.layer,
  TokenIssuer.layer
).pipe(Layer.provideMerge(Authorization.TestLayer))

const clientId = ClientId.make("acme-integration")

const issued = TokenIssuer.use((issuer) => issuer.client(clientId, "platform/policies")).pipe(
  Effect.map(Redacted.make)
)
const verify = (token: Redacted.Redacted) => AccessTokens.use((tokens) => tokens.verify(token))
const refused = (token: Redacted.Redacted) =>
  Effect.map(Effect.flip(verify(token)), ({ _tag }) => assert.strictEqual(_tag, "Unauthorized"))

/** What an instance has learnt of revocations is at most a second old. */
const aSecond = TestClock.adjust("1 second")

layer(TestLayer)("AccessTokens.verify", (it) => {
  it.effect("refuses a token of a tenant that does not exist, and of none", () =>
    Effect.gen(function* () {
      const token = yield* Authorization.inSandbox(issued)
      yield* refused(token).pipe(Effect.provideService(CurrentTenant, TenantId.make("nowhere")))
      yield* Authorization.inSandbox(refused(Redacted.make("")))
      yield* Authorization.inSandbox(refused(Redacted.make("x".repeat(5000))))
    })
  )

  it.effect("TN-02 refuses a token of another tenant, also when its own has just seen it", () =>
    Effect.gen(function* () {
      const token = yield* Authorization.inSandbox(Effect.tap(issued, verify))
      yield* Authorization.inSandbox(refused(token))
    })
  )

  it.effect("JW-11 refuses a token once it has expired, also one that was verified before", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const token = yield* issued
        yield* verify(token)
        yield* TestClock.adjust(Duration.seconds(3600 + 9))
        yield* verify(token)
        yield* TestClock.adjust(Duration.seconds(1))
        yield* refused(token)
      })
    )
  )

  it.effect("KY-01 refuses a revoked token within a second of its revocation", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const token = yield* issued
        const other = yield* issued
        yield* verify(token)
        const { jti } = yield* AccessTokens.use((tokens) => tokens.claims(token))
        const later = fromEpochMillis(4_000_000_000_000)
        yield* Authorization.inTransaction(RevocationsRepo.use((repo) => repo.revoke(jti, later)))
        yield* aSecond
        yield* refused(token)
        yield* verify(other)
      })
    )
  )

  it.effect("refuses the token of a session that was revoked", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const sessions = yield* AnonymousSessionsRepo
        const id = (yield* Ids).next("anonymous_session")
        const session = yield* Authorization.inTransaction(
          sessions.insert({ id, productId: undefined, lifetimeSeconds: 3600 })
        )
        // The session's own times are the database's, which no test clock moves.
        const now = yield* Clock.currentTimeMillis
        const times = {
          createdAt: fromEpochMillis(now),
          expiresAt: fromEpochMillis(now + 3_600_000)
        }
        const issuer = yield* TokenIssuer
        const token = Redacted.make(yield* issuer.anonymous({ ...session, ...times }))
        assert.deepStrictEqual(yield* verify(token), { _tag: "Anonymous", sessionId: id })
        yield* Authorization.inTransaction(sessions.revoke(id))
        yield* aSecond
        yield* refused(token)
      })
    )
  )

  it.effect("refuses what a disabled client and a disabled user still hold", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenantSql = yield* TenantSql
        const tenant = yield* CurrentTenant
        const issuer = yield* TokenIssuer
        const [user] = yield* tenantSql.read(sql<{ id: never }>`SELECT id FROM app_user LIMIT 1`)
        const integration = ClientId.make(`${tenant}-integration`)
        const another = (yield* Ids).next("user")
        const tokens = [
          Redacted.make(yield* issuer.client(integration, "platform/policies")),
          Redacted.make(yield* issuer.user(user!.id, clientId, "sid")),
          // Of a user who signed in by the client.
          Redacted.make(yield* issuer.user(another, integration, "another sid"))
        ]
        yield* Effect.forEach(tokens, verify)
        yield* tenantSql.transaction(
          Effect.all([
            tenantSql.write(sql`UPDATE client SET disabled_at = now() WHERE id = ${integration}`),
            tenantSql.write(sql`
              UPDATE app_user SET status = 'DISABLED', disabled_at = now() WHERE id = ${user!.id}
            `)
          ])
        )
        yield* aSecond
        yield* Effect.forEach(tokens, refused)
      })
    )
  )

  it.effect("refuses the tokens of a key that has left the tenant's set", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenantSql = yield* TenantSql
        const token = yield* issued
        yield* verify(token)
        yield* tenantSql.transaction(tenantSql.write(sql`DELETE FROM signing_key`))
        yield* AuthorizationServerKeys.use((keys) => keys.ensure)
        yield* TestClock.adjust("30 seconds")
        yield* refused(token)
        yield* verify(yield* issued)
      })
    )
  )

  it.effect("TN-19 refuses a token of another environment's server with the same keys", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const token = yield* issued
        const production = Issuers.layerOf(
          "https://{tenant}.auth.example.com",
          "http://localhost:8080"
        )
        const elsewhere = Layer.fresh(AccessTokens.layer).pipe(Layer.provide(production))
        yield* refused(token).pipe(Effect.provide(elsewhere))
      })
    )
  )

  it.effect("JW-00 tells who is behind each kind of token", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const caller = yield* verify(yield* issued)
        assert.deepStrictEqual(caller, {
          _tag: "Client",
          clientId,
          scopes: new Set(["platform/policies"] as const)
        })
        const userId = (yield* Ids).next("user")
        const issuer = yield* TokenIssuer
        const token = Redacted.make(yield* issuer.user(userId, clientId, "sid"))
        const user = { _tag: "User", userId, signInId: "sid" } as const
        assert.deepStrictEqual(yield* verify(token), user)
        const methods = ["pwd", "otp", "mfa"]
        const withTwo = yield* issuer.user(userId, clientId, "sid", { at: 1, methods })
        assert.deepStrictEqual(yield* verify(Redacted.make(withTwo)), {
          ...user,
          authTime: 1,
          isTwoFactor: true
        })
      })
    )
  )
})
