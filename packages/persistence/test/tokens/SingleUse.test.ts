import { assert, layer } from "@effect/vitest"
import type { ClientId, UserId } from "@quittance/domain/requests/Caller"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes, randomUUID } from "node:crypto"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { AuthorizationCodesRepo } from "../../src/tokens/AuthorizationCodesRepo.ts"
import { RefreshTokensRepo } from "../../src/tokens/RefreshTokensRepo.ts"
import { RevocationsRepo } from "../../src/tokens/RevocationsRepo.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { addClient, addUser, inTenant, inTransaction, TestLayer } from "../People.ts"

const rounds = 200

layer(TestLayer, { excludeTestServices: true })("AuthorizationCodesRepo", (it) => {
  const addCode = Effect.fn(function* (clientId: ClientId, userId: UserId, lifetimeSeconds = 60) {
    const codeHash = randomBytes(32)
    const code = {
      clientId,
      userId,
      redirectUri: "http://127.0.0.1:4000/callback",
      codeChallenge: "c".repeat(43),
      methods: ["pwd"]
    }
    yield* inTransaction(
      AuthorizationCodesRepo.use((repo) => repo.insert(codeHash, code, lifetimeSeconds))
    )
    return codeHash
  })
  const consume = (codeHash: Uint8Array) =>
    inTransaction(AuthorizationCodesRepo.use((repo) => repo.consume(codeHash)))

  it.effect("knows no code that was never given, and no other tenant's", () =>
    Effect.gen(function* () {
      const codeHash = yield* inTenant(
        Effect.gen(function* () {
          return yield* addCode(yield* addClient("cli"), yield* addUser("a@x.test"))
        })
      )
      assert.isUndefined(yield* inTenant(consume(randomBytes(32))))
      assert.isUndefined(yield* inTenant(consume(codeHash)))
    })
  )

  it.effect("UF-08 says that a code has expired, and uses it up", () =>
    inTenant(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenantSql = yield* TenantSql
        const codeHash = yield* addCode(yield* addClient("cli"), yield* addUser("a@x.test"))
        yield* tenantSql.transaction(
          tenantSql.write(sql`
            UPDATE authorization_code SET created_at = now() - interval '2 minutes',
              expires_at = now() - interval '1 second'
          `)
        )
        assert.isTrue((yield* consume(codeHash))?.expired)
        assert.isUndefined(yield* consume(codeHash))
      })
    )
  )

  it.effect(`UF-06 gives a code to exactly one of ten at once, in ${rounds} rounds`, () =>
    inTenant(
      Effect.gen(function* () {
        const clientId = yield* addClient("cli")
        const userId = yield* addUser("a@x.test")
        for (let round = 0; round < rounds; round++) {
          const codeHash = yield* addCode(clientId, userId)
          const answers = yield* Effect.all(
            Array.from({ length: 10 }, () => consume(codeHash)),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(answers.filter((answer) => answer !== undefined).length, 1)
        }
      })
    )
  )
})

layer(TestLayer, { excludeTestServices: true })("RefreshTokensRepo", (it) => {
  const open = Effect.fn(function* () {
    const clientId = yield* addClient(`cli-${randomUUID()}`)
    const userId = yield* addUser(`${randomUUID()}@x.test`)
    const signIn = { authenticatedAt: fromEpochMillis(Date.now()), methods: ["pwd", "otp", "mfa"] }
    const family = { id: randomUUID(), clientId, userId, ...signIn }
    const first = { codeHash: randomBytes(32), tokenHash: randomBytes(32), lifetimeSeconds: 3600 }
    yield* inTransaction(RefreshTokensRepo.use((repo) => repo.open(family, first)))
    return { ...family, ...first }
  })

  /** What the token endpoint does with a refresh token. */
  const rotate = Effect.fn(function* (tokenHash: Uint8Array) {
    const repo = yield* RefreshTokensRepo
    return yield* inTransaction(
      Effect.gen(function* () {
        const used = yield* repo.consume(tokenHash, 3600)
        if (used === undefined) {
          yield* repo.revokeByToken(tokenHash)
          return undefined
        }
        if (!used.alive) return undefined
        const next = randomBytes(32)
        yield* repo.add(used.id, next)
        return next
      })
    )
  })

  it.effect("rotates a token again and again", () =>
    inTenant(
      Effect.gen(function* () {
        const { tokenHash } = yield* open()
        const second = yield* rotate(tokenHash)
        assert.isDefined(yield* rotate(second!))
      })
    )
  )

  it.effect("revokes the family when a used token comes back", () =>
    inTenant(
      Effect.gen(function* () {
        const { id, tokenHash } = yield* open()
        const second = yield* rotate(tokenHash)
        assert.isUndefined(yield* rotate(tokenHash))
        assert.isUndefined(yield* rotate(second!))
        const withdrawn = yield* RevocationsRepo.use((repo) => repo.withdrawn)
        assert.deepStrictEqual(withdrawn, new Set([id]))
      })
    )
  )

  it.effect("revokes the family when its code comes back", () =>
    inTenant(
      Effect.gen(function* () {
        const { codeHash, tokenHash } = yield* open()
        yield* inTransaction(RefreshTokensRepo.use((repo) => repo.revokeByCode(codeHash)))
        assert.isUndefined(yield* rotate(tokenHash))
      })
    )
  )

  it.effect("ends with the user", () =>
    inTenant(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const tenantSql = yield* TenantSql
        const { tokenHash, userId } = yield* open()
        yield* tenantSql.transaction(
          tenantSql.write(sql`
            UPDATE app_user SET status = 'DISABLED', disabled_at = now() WHERE id = ${userId}
          `)
        )
        assert.isUndefined(yield* rotate(tokenHash))
        const withdrawn = yield* RevocationsRepo.use((repo) => repo.withdrawn)
        assert.isTrue(withdrawn.has(userId))
      })
    )
  )

  it.effect(
    `KY-01 leaves nothing usable of a sign-in that is given back while it is rotated, in ${rounds} rounds`,
    () =>
      inTenant(
        Effect.gen(function* () {
          const repo = yield* RefreshTokensRepo
          for (let round = 0; round < rounds; round++) {
            const { clientId, id, tokenHash } = yield* open()
            const giveBack = Effect.asVoid(inTransaction(repo.revokeOf(clientId, tokenHash)))
            const order = round % 2 === 0
            const [first, second] = yield* Effect.all(
              order ? [rotate(tokenHash), giveBack] : [giveBack, rotate(tokenHash)],
              { concurrency: "unbounded" }
            )
            const next = first ?? second
            for (const hash of [tokenHash, ...(next === undefined ? [] : [next])]) {
              assert.isUndefined(yield* repo.find(hash, 3600))
              assert.isUndefined(yield* rotate(hash))
            }
            assert.isTrue((yield* RevocationsRepo.use((repo) => repo.withdrawn)).has(id))
          }
        })
      )
  )

  it.effect(
    `UF-16 lets at most one of ten rotate, and its token is dead too, in ${rounds} rounds`,
    () =>
      inTenant(
        Effect.gen(function* () {
          for (let round = 0; round < rounds; round++) {
            const { tokenHash } = yield* open()
            const answers = yield* Effect.all(
              Array.from({ length: 10 }, () => rotate(tokenHash)),
              { concurrency: "unbounded" }
            )
            const winners = answers.filter((answer) => answer !== undefined)
            assert.strictEqual(winners.length, 1)
            assert.isUndefined(yield* rotate(winners[0]!))
          }
        })
      )
  )
})
