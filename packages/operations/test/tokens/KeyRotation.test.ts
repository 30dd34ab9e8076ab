import { assert, layer } from "@effect/vitest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { ClientId } from "@quittance/domain/requests/Caller"
import type { KeyState } from "@quittance/domain/tokens/SigningKey"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Clock, Context, Duration, Effect, Layer, Redacted, Result, Semaphore } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import { AccessTokens } from "../../src/tokens/AccessTokens.ts"
import { KeyEncryption } from "../../src/tokens/KeyEncryption.ts"
import { AuthorizationServerKeyRotation } from "../../src/tokens/KeyRotation.ts"
import { AuthorizationServerKeys } from "../../src/tokens/SigningKeys.ts"
import { TokenIssuer } from "../../src/tokens/TokenIssuer.ts"
import { VerificationKeys } from "../../src/tokens/VerificationKeys.ts"
import * as Authorization from "../Authorization.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** A second process on the same database, which knows only what it has asked for. */
class Elsewhere extends Context.Service<Elsewhere, AccessTokens["Service"]>()("test/Elsewhere") {
  static readonly layer = Layer.effect(Elsewhere, AccessTokens).pipe(
    Layer.provide(Layer.fresh(AccessTokens.layer))
  )
}

const TestLayer = Layer.mergeAll(
  AccessTokens.layer,
  AuthorizationServerKeyRotation.layer,
  Elsewhere.layer,
  TokenIssuer.layer,
  VerificationKeys.layer
).pipe(Layer.provideMerge(Authorization.TestLayer))

const issued = TokenIssuer.use((issuer) =>
  issuer.client(ClientId.make("acme-integration"), "platform/policies")
).pipe(Effect.map(Redacted.make))

const kidOf = (token: Redacted.Redacted): string => {
  const header = Buffer.from(Redacted.value(token).split(".")[0]!, "base64url").toString()
  return JSON.parse(header).kid
}

const here = (token: Redacted.Redacted) => AccessTokens.use((tokens) => tokens.verify(token))
const elsewhere = (token: Redacted.Redacted) => Elsewhere.use((tokens) => tokens.verify(token))
const refused = <R>(verify: Effect.Effect<unknown, { readonly _tag: string }, R>) =>
  Effect.map(Effect.flip(verify), ({ _tag }) => assert.strictEqual(_tag, "Unauthorized"))

const write = (statement: (sql: SqlClient.SqlClient) => Statement.Statement<object>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tenantSql = yield* TenantSql
    yield* tenantSql.transaction(tenantSql.write(statement(sql)))
  })

/** Lets the tenant's keys be so much older. */
const age = (interval: string) =>
  write(
    (sql) => sql`
      UPDATE signing_key SET created_at = created_at - ${interval}::text::interval,
        activated_at = activated_at - ${interval}::text::interval,
        retired_at = retired_at - ${interval}::text::interval
    `
  )

const rotate = (compromised = false) =>
  AuthorizationServerKeyRotation.use((rotation) => rotation.rotate({ compromised }))

const keys = Effect.gen(function* () {
  const list = yield* AuthorizationServerKeyRotation.use((rotation) => rotation.list)
  const of = (state: KeyState) => list.filter((key) => key.state === state).map(({ kid }) => kid)
  return { active: of("ACTIVE"), next: of("NEXT"), retired: of("RETIRED") }
})

/** Held while a token is used: three seconds do not pass while an instance asks for keys. */
const instants = Semaphore.makeUnsafe(100)

/**
 * Runs on a clock that goes on as the real one does, and jumps ahead where a fiber waits. So what an
 * instance knows grows old at least as fast as it really would, on a busy machine too.
 */
const impatient = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  TestClock.withLive(
    Effect.flatMap(Clock.Clock, (real) => {
      let ahead = 0
      const now = () => real.currentTimeMillisUnsafe() + ahead
      const monotonic = () =>
        real.monotonicTimeNanosUnsafe() + BigInt(Math.floor(ahead)) * 1_000_000n
      const jump = (duration: Duration.Duration) =>
        Effect.sync(() => {
          ahead += Duration.toMillis(duration)
        })
      return Effect.provideService(effect, Clock.Clock, {
        currentTimeMillisUnsafe: now,
        currentTimeMillis: Effect.sync(now),
        currentTimeNanosUnsafe: () => real.currentTimeNanosUnsafe(),
        currentTimeNanos: real.currentTimeNanos,
        monotonicTimeNanosUnsafe: monotonic,
        monotonicTimeNanos: Effect.sync(monotonic),
        sleep: (duration) => instants.withPermits(100)(jump(duration))
      })
    })
  )

/** On an impatient clock, without waiting. */
const aSecondLater = Effect.flatMap(Clock.Clock, (clock) => clock.sleep(Duration.seconds(1)))

const together = { concurrency: "unbounded" } as const

layer(TestLayer)("AuthorizationServerKeyRotation", (it) => {
  it.effect(
    "KY-05 lets one of several at once win, and refuses no valid token, in 200 rounds",
    () =>
      impatient(
        Authorization.inSandbox(
          Effect.gen(function* () {
            const tokens: Array<Redacted.Redacted> = []
            const use = Effect.gen(function* () {
              const token = yield* issued
              tokens.push(token)
              yield* here(token)
              yield* elsewhere(token)
            }).pipe(instants.withPermits(1))
            let won = 0
            for (let round = 0; round < 200; round++) {
              // The next key is old enough to sign, and every instance may ask again.
              yield* Effect.andThen(age("1 minute"), aSecondLater)
              const [outcomes] = yield* Effect.all(
                [
                  Effect.replicateEffect(Effect.result(rotate()), 3, together),
                  Effect.replicateEffect(use, 5, together)
                ],
                together
              )
              for (const lost of outcomes.filter(Result.isFailure)) {
                assert.strictEqual(lost.failure._tag, "KeysRotatedMeanwhile")
              }
              won += outcomes.filter(Result.isSuccess).length
              const now = yield* keys
              assert.deepStrictEqual(
                [now.active.length, now.next.length, now.retired.length],
                [1, 1, won]
              )
              yield* use
            }
            // Each round has at least one that wins.
            assert.isAtLeast(won, 200)
            // Most: for up to a second an instance still signs with the key from before.
            assert.isAtLeast(new Set(tokens.map(kidOf)).size, 130)
            // Those of keys that retired long ago, and an instance that has never heard of them.
            const third = Effect.provide(
              Effect.forEach(tokens, here),
              Layer.fresh(AccessTokens.layer)
            )
            assert.strictEqual((yield* third).length, tokens.length)
          })
        )
      )
  )

  it.effect("KY-05 signs within a second with the key that was the next one", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const before = yield* keys
        const old = yield* issued
        yield* elsewhere(old)
        yield* age("1 minute")
        yield* rotate()
        yield* TestClock.adjust("1 second")
        const now = yield* keys
        assert.deepStrictEqual([now.active, now.retired], [before.next, before.active])
        assert.notInclude([...before.active, ...before.next], now.next[0])
        const token = yield* issued
        assert.deepStrictEqual([kidOf(old), kidOf(token)], [...before.active, ...before.next])
        yield* Effect.forEach([old, token], elsewhere)
        const { keys: published } = yield* AuthorizationServerKeys.use(({ published }) => published)
        assert.deepStrictEqual(
          published.map((key) => "kid" in key && key.kid),
          [...now.retired, ...now.active, ...now.next]
        )
      })
    )
  )

  it.effect("accepts at once the tokens of a key that an instance has never seen", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        yield* elsewhere(yield* issued)
        yield* age("1 hour")
        yield* rotate()
        // The key that signs next was made after the other instance asked last.
        yield* age("1 hour")
        yield* rotate()
        yield* TestClock.adjust("1 second")
        yield* elsewhere(yield* issued)
      })
    )
  )

  it.effect("ends within a second what a compromised key has signed, and nothing else", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const retired = yield* issued
        yield* age("1 minute")
        yield* rotate()
        yield* TestClock.adjust("1 second")
        const stolen = yield* issued
        yield* Effect.forEach([retired, stolen], here)
        yield* Effect.forEach([retired, stolen], elsewhere)
        const before = yield* keys
        yield* age("1 hour")
        yield* rotate(true)
        yield* TestClock.adjust("1 second")
        yield* refused(here(stolen))
        yield* refused(elsewhere(stolen))
        const token = yield* issued
        yield* Effect.forEach([retired, token], here)
        yield* Effect.forEach([retired, token], elsewhere)
        const now = yield* keys
        assert.deepStrictEqual([now.active, now.retired], [before.next, before.retired])
        assert.strictEqual(now.next.length, 1)
        yield* TestClock.adjust("1 hour")
        yield* refused(elsewhere(stolen))
      })
    )
  )

  it.effect("deletes retired keys once their last token has expired, and no sooner", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        for (let i = 0; i < 2; i++) {
          yield* age("1 hour")
          yield* rotate()
        }
        const { retired } = yield* keys
        yield* age("23 hours")
        yield* rotate()
        const later = yield* keys
        assert.deepStrictEqual(later.retired.slice(0, 2), retired)
        yield* age("2 hours")
        yield* rotate()
        const now = yield* keys
        assert.deepStrictEqual(now.retired, [...later.retired.slice(2), ...later.active])
      })
    )
  )

  it.effect("waits until every instance may know the key that is about to sign", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        yield* age("-1 hour")
        const slept: Array<number> = []
        const clock = yield* Clock.Clock
        yield* rotate().pipe(
          Effect.provideService(Clock.Clock, {
            ...clock,
            sleep: (duration) =>
              Effect.sync(() => {
                slept.push(Duration.toSeconds(duration))
              })
          })
        )
        assert.strictEqual(slept.length, 1)
        assert.isTrue(slept[0]! > 3500 && slept[0]! <= 3603)
      })
    )
  )

  it.effect("makes the next key of a tenant from before there was one", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        yield* write((sql) => sql`DELETE FROM signing_key WHERE state = 'NEXT'`)
        const before = yield* keys
        yield* impatient(rotate())
        const now = yield* keys
        assert.deepStrictEqual(
          [now.retired, now.active.length, now.next.length],
          [before.active, 1, 1]
        )
      })
    )
  )

  it.effect(
    "changes nothing under another key of the service than the tenant's keys are stored under",
    () =>
      Authorization.inSandbox(
        Effect.gen(function* () {
          const before = yield* keys
          yield* age("1 hour")
          const stranger = Layer.fresh(AuthorizationServerKeyRotation.layer).pipe(
            Layer.provide(KeyEncryption.layerOf(new Uint8Array(32).fill(8)))
          )
          for (const compromised of [false, true]) {
            const error = yield* Effect.flip(Effect.provide(rotate(compromised), stranger))
            assert.strictEqual(error._tag, "KeyEncryptionKeyDiffers")
          }
          yield* write((sql) => sql`DELETE FROM signing_key WHERE state = 'NEXT'`)
          yield* Effect.flip(Effect.provide(rotate(), stranger))
          assert.deepStrictEqual(yield* keys, { ...before, next: [] })
        })
      )
  )

  it.effect("leaves the keys of other tenants alone", () =>
    Effect.gen(function* () {
      const other = sandboxTenant()
      const asOther = Effect.provideService(CurrentTenant, other.id)
      const before = yield* Authorization.inSandbox(keys)
      assert.strictEqual(before.active.length, 1)
      yield* Effect.gen(function* () {
        yield* Authorization.inTransaction(
          write(
            (sql) => sql`
              INSERT INTO tenant (tenant_id, name, environment, locale, currency, time_zone)
              VALUES (${other.id}, 'Other', 'sandbox', 'fr-FR', 'EUR', 'Europe/Paris')
            `
          )
        )
        yield* AuthorizationServerKeys.use(({ ensure }) => ensure)
      }).pipe(asOther)
      const kept = yield* asOther(keys)
      yield* Authorization.inSandbox(Effect.andThen(age("1 hour"), rotate(true)))
      assert.deepStrictEqual(yield* asOther(keys), kept)
    })
  )
})

layer(TestLayer)("VerificationKeys.find", (it) => {
  it.effect("asks for keys it does not know at most once a second, and finds new ones then", () =>
    Authorization.inSandbox(
      Effect.gen(function* () {
        const find = (header: string) => VerificationKeys.use((known) => known.find(header))
        const token = yield* issued
        const header = Redacted.value(token).split(".")[0]!
        const kid = (yield* find(header))?.kid
        assert.strictEqual(kid, kidOf(token))
        yield* write((sql) => sql`DELETE FROM signing_key WHERE state = 'NEXT'`)
        yield* TestClock.adjust("1 second")
        assert.isUndefined(yield* find("garbage"))

        yield* AuthorizationServerKeys.use(({ ensure }) => ensure)
        const [next] = (yield* keys).next
        const made = Buffer.from(
          JSON.stringify({ alg: "ES256", typ: "at+jwt", kid: next })
        ).toString("base64url")
        assert.isUndefined(yield* find(made))
        yield* TestClock.adjust("999 millis")
        assert.isUndefined(yield* find(made))
        yield* TestClock.adjust("1 millis")
        assert.strictEqual((yield* find(made))?.kid, next)
        assert.strictEqual((yield* find(header))?.kid, kid)
      })
    )
  )
})

layer(TestLayer, { excludeTestServices: true })(
  "AuthorizationServerKeyRotation.rotate tells",
  (it) => {
    it.effect("until when clients may not know the key that signs now", () =>
      Authorization.inSandbox(
        Effect.gen(function* () {
          yield* age("9 minutes")
          const { keys, unknownUntil } = yield* rotate()
          const active = keys.find(({ state }) => state === "ACTIVE")!
          assert.strictEqual(Date.parse(unknownUntil!) - Date.parse(active.createdAt), 600_000)
          yield* age("10 minutes")
          assert.isUndefined((yield* rotate()).unknownUntil)
        })
      )
    )
  }
)
