/** What several instances of the service promise together, on one database. */
import { assert, layer } from "@effect/vitest"
import * as Secret from "@quittance/auth/Secret"
import { ClientId } from "@quittance/domain/requests/Caller"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import type { RateLimit } from "@quittance/domain/requests/RateLimit"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import { RevocationsRepo } from "@quittance/persistence/tokens/RevocationsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Redacted, Result, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { AccessTokens } from "../../src/tokens/AccessTokens.ts"
import { AnonymousSessions } from "../../src/sessions/AnonymousSessions.ts"
import {
  AuthorizationServerClients,
  type Credentials
} from "../../src/authorization-server/ClientAuthentication.ts"
import { QuotaLeases } from "../../src/requests/QuotaLeases.ts"
import { TokenIssuer } from "../../src/tokens/TokenIssuer.ts"
import * as Authorization from "../Authorization.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const rounds = 200

/** So many builds of a service that share nothing but the stores. */
const instances = <Id, Service, E, R>(
  tag: Context.Key<Id, Service>,
  of: Layer.Layer<Id, E, R>,
  count: number
) =>
  Effect.forEach(Array.from({ length: count }), () =>
    Effect.map(Layer.build(Layer.fresh(of)), (context) => Context.get(context, tag))
  )

const granted = <A, E>(results: ReadonlyArray<Result.Result<A, E>>) =>
  results.filter(Result.isSuccess).length

/** PostgreSQL, and beside it the Redis that `REDIS_URL` names. */
const stores = [
  { name: "PostgreSQL", store: RateLimitStore.layerPostgres },
  ...(process.env["REDIS_URL"] === undefined
    ? []
    : [{ name: "Redis", store: Layer.orDie(RateLimitStore.layer) }])
]

for (const { name, store } of stores) {
  const TestLayer = Layer.mergeAll(ProductsRepo.layer, store).pipe(
    Layer.provideMerge(Authorization.TestLayer)
  )

  layer(TestLayer, { excludeTestServices: true })(`several instances, limits in ${name}`, (it) => {
    it.effect(`spend no more than the limit together, in ${rounds} rounds`, () =>
      Authorization.inSandbox(
        Effect.gen(function* () {
          const quotas = yield* instances(QuotaLeases, QuotaLeases.layer, 4)
          for (let round = 0; round < rounds; round++) {
            const limit: RateLimit = { limit: 5 + (round % 26), windowSeconds: 3600 }
            const spends = Array.from({ length: 48 }, (_, i) =>
              Effect.result(quotas[(i * i + round) % 4]!.spend(`round ${round}`, limit))
            )
            const spent = granted(yield* Effect.all(spends, { concurrency: "unbounded" }))
            assert.isAtMost(spent, limit.limit)
            assert.isAtLeast(spent * 2, limit.limit)
          }
        })
      ).pipe(Effect.scoped)
    )

    it.effect("AN-03 AN-07 start exactly 100 of 300 sessions that are asked for at once", () =>
      Authorization.inSandbox(
        Effect.gen(function* () {
          const sessions = yield* instances(AnonymousSessions, AnonymousSessions.layer, 3)
          const starts = Array.from({ length: 300 }, (_, i) =>
            Effect.result(sessions[i % 3]!.start({}, `2001:db8:1:2::${i}`))
          )
          const answers = yield* Effect.all(starts, { concurrency: "unbounded" })
          assert.strictEqual(granted(answers), 100)
          for (const instance of sessions) {
            const error = yield* Effect.flip(instance.start({}, "2001:db8:1:2::"))
            assert.strictEqual(error._tag, "RateLimited")
          }
        })
      ).pipe(Effect.scoped)
    )
  })
}

const TestLayer = Layer.mergeAll(RevocationsRepo.layer, TokenIssuer.layer).pipe(
  Layer.provideMerge(Authorization.TestLayer)
)

/** Runs statements as the tenant, as another program would. */
const write = (statements: (sql: SqlClient.SqlClient) => ReadonlyArray<Statement>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenantSql = yield* TenantSql
    yield* tenantSql.transaction(Effect.forEach(statements(sql), tenantSql.write))
  })
type Statement = Parameters<TenantSql["Service"]["write"]>[0]

/** Counts the questions to the database that are asked meanwhile under a name. */
const counting = (name: string) => {
  let count = 0
  const tracer = Tracer.make({
    span: (options) => {
      if (options.name === name) count++
      return new Tracer.NativeSpan(options)
    }
  })
  return {
    during: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.suspend(() => {
        count = 0
        return Effect.map(Effect.withTracer(Effect.result(effect), tracer), (result) => ({
          answer: Result.isSuccess(result) ? "granted" : "refused",
          count
        }))
      })
  }
}

layer(TestLayer)("clients that another instance has changed", (it) => {
  const basic = (id: string, secret: string): Credentials => ({
    _tag: "Basic",
    id,
    secret: Redacted.make(secret)
  })
  const address = "192.0.2.7"
  const refused = (answer: Effect.Effect<unknown, { readonly _tag: string }, CurrentTenant>) =>
    Effect.map(Effect.flip(answer), ({ _tag }) => assert.strictEqual(_tag, "TokenRefused"))

  const two = Effect.gen(function* () {
    const tenant = yield* CurrentTenant
    const clients = yield* instances(
      AuthorizationServerClients,
      AuthorizationServerClients.layer,
      2
    )
    const id = `${tenant}-integration`
    return { clients, id, secret: `${tenant}-integration-secret` }
  })

  it.effect("are refused within a second when they were disabled, on each instance", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const { clients, id, secret } = yield* two
        const sign = clients.map((instance) => instance.authenticate(basic(id, secret), address))
        yield* Effect.all(sign)
        yield* write((sql) => [sql`UPDATE client SET disabled_at = now() WHERE id = ${id}`])
        yield* TestClock.adjust("1 second")
        yield* Effect.forEach(sign, refused)
      })
    ).pipe(Effect.scoped)
  )

  it.effect("are refused within a second with a secret that was deleted, on each instance", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const { clients, id, secret } = yield* two
        const sign = clients.map((instance) => instance.authenticate(basic(id, secret), address))
        yield* Effect.all(sign)
        yield* write((sql) => [sql`DELETE FROM client_secret WHERE client_id = ${id}`])
        yield* TestClock.adjust("1 second")
        yield* Effect.forEach(sign, refused)
      })
    ).pipe(Effect.scoped)
  )

  it.effect("get in at once with a new secret, and as soon as they are enabled again", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const { clients, id, secret } = yield* two
        const sign = clients.map((instance) => instance.authenticate(basic(id, secret), address))
        const fresh = clients.map((instance) => instance.authenticate(basic(id, "fresh"), address))
        yield* Effect.all(sign)
        yield* Effect.forEach(fresh, refused)
        const tenant = yield* CurrentTenant
        yield* write((sql) => [
          sql`
            INSERT INTO client_secret (tenant_id, client_id, slot, secret_hash)
            VALUES (${tenant}, ${id}, 2, ${Secret.hash("fresh")})
          `
        ])
        yield* Effect.all(fresh)
        yield* write((sql) => [sql`UPDATE client SET disabled_at = now() WHERE id = ${id}`])
        yield* TestClock.adjust("1 second")
        yield* Effect.forEach(sign, refused)
        yield* write((sql) => [sql`UPDATE client SET disabled_at = NULL WHERE id = ${id}`])
        yield* Effect.all(sign)
      })
    ).pipe(Effect.scoped)
  )

  it.effect("cost a query each second, and every refusal exactly one, for every caller", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const { clients, id, secret } = yield* two
        const { during } = counting("ClientsRepo.find")
        const ask = (credentials: Credentials) =>
          during(clients[0]!.authenticate(credentials, address))
        const granted = (count: number) => ({ answer: "granted", count })
        const refused = { answer: "refused", count: 1 }
        assert.deepStrictEqual(yield* ask(basic(id, "wrong")), refused)
        assert.deepStrictEqual(yield* ask(basic(id, "wrong")), refused)
        assert.deepStrictEqual(yield* ask(basic(id, secret)), granted(0))
        yield* TestClock.adjust("1 second")
        assert.deepStrictEqual(yield* ask(basic(id, secret)), granted(1))
        assert.deepStrictEqual(yield* ask(basic(id, secret)), granted(0))
        assert.deepStrictEqual(yield* ask(basic(id, "wrong")), refused)
        for (let i = 0; i < 2; i++) {
          assert.deepStrictEqual(yield* ask(basic("unknown", secret)), refused)
          assert.deepStrictEqual(yield* ask({ _tag: "Public", id }), refused)
          assert.deepStrictEqual(yield* ask({ _tag: "Public", id: "unknown" }), refused)
        }
      })
    ).pipe(Effect.scoped)
  )
})

layer(TestLayer)("a token that was verified on two instances", (it) => {
  it.effect("KY-01 is refused on each of them within a second of its revocation", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const tokens = yield* instances(AccessTokens, AccessTokens.layer, 2)
        const issuer = yield* TokenIssuer
        const client = ClientId.make(`${yield* CurrentTenant}-integration`)
        const issue = Effect.map(issuer.client(client, "platform/policies"), Redacted.make)
        const revoked = yield* issue
        const other = yield* issue
        const { jti } = yield* tokens[0]!.claims(revoked)
        for (const { verify } of tokens) yield* Effect.all([verify(revoked), verify(other)])
        const later = fromEpochMillis(4_000_000_000_000)
        yield* Authorization.inTransaction(RevocationsRepo.use((repo) => repo.revoke(jti, later)))
        yield* TestClock.adjust("1 second")
        for (const { verify } of tokens) {
          assert.strictEqual((yield* Effect.flip(verify(revoked)))._tag, "Unauthorized")
          yield* verify(other)
        }
      })
    ).pipe(Effect.scoped)
  )
})
