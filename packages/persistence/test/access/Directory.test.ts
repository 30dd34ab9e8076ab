import { assert, layer } from "@effect/vitest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { AnonymousSessionsRepo } from "../../src/access/AnonymousSessionsRepo.ts"
import { ClientsRepo } from "../../src/access/ClientsRepo.ts"
import { Ids } from "../../src/sql/Ids.ts"
import { RevocationsRepo } from "../../src/tokens/RevocationsRepo.ts"
import { SigningKeysRepo } from "../../src/tokens/SigningKeysRepo.ts"
import { TenantsRepo } from "../../src/tenants/TenantsRepo.ts"
import { UsersRepo } from "../../src/access/UsersRepo.ts"
import { addClient, addFirm, addUser, inTenant, inTransaction, TestLayer } from "../People.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

layer(TestLayer, { excludeTestServices: true })("the directory", (it) => {
  it.effect("refuses a firm below one that isn't there", () =>
    inTenant(
      Effect.gen(function* () {
        const missing = (yield* Ids).next("brokerage_firm")
        const error = yield* Effect.flip(addFirm("Lost", missing))
        assert.strictEqual(error._tag, "BrokerageFirmNotFound")
      })
    )
  )

  it.effect("refuses a second user with the same address in other letters", () =>
    inTenant(
      Effect.gen(function* () {
        const userId = yield* addUser("Ada@X.test")
        const error = yield* Effect.flip(addUser("ada@x.TEST"))
        assert.strictEqual(error._tag, "EmailTaken")
        const login = yield* UsersRepo.use((repo) => repo.findLogin(" ADA@x.test"))
        assert.strictEqual(login?.id, userId)
      })
    )
  )

  it.effect("keeps a second tenant out of the first one's name", () =>
    Effect.gen(function* () {
      const tenant = sandboxTenant()
      const insert = inTransaction(TenantsRepo.use((repo) => repo.insert(tenant))).pipe(
        Effect.provideService(CurrentTenant, tenant.id)
      )
      assert.deepStrictEqual([yield* insert, yield* insert], [true, false])
      assert.deepStrictEqual(yield* TenantsRepo.use((repo) => repo.find(tenant.id)), tenant)
    })
  )

  it.effect("TE-38 keeps two secrets of a client and never a third", () =>
    inTenant(
      Effect.gen(function* () {
        const clients = yield* ClientsRepo
        const id = yield* addClient("integration")
        const [first, second, third] = [randomBytes(32), randomBytes(32), randomBytes(32)]
        yield* inTransaction(clients.putSecret(id, 1, first!))
        yield* inTransaction(clients.putSecret(id, 2, second!))
        yield* inTransaction(clients.putSecret(id, 1, third!))
        const found = yield* clients.find(id)
        assert.deepStrictEqual(
          found?.secretHashes.map((hash) => Buffer.from(hash)),
          [third, second]
        )
        assert.strictEqual(found?.client.redirectUris[0], "http://127.0.0.1/callback")
      })
    )
  )

  it.effect("has one active key for a tenant, even if another is added", () =>
    inTenant(
      Effect.gen(function* () {
        const keys = yield* SigningKeysRepo
        const key = (kid: string) => ({
          kid,
          publicJwk: { kty: "EC", crv: "P-256", x: "x", y: "y" } as const,
          encryptedPrivateJwk: "e"
        })
        const added = yield* Effect.all(
          ["1", "2", "3"].map((kid) => inTransaction(keys.insert(key(kid), "ACTIVE"))),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(added.filter((first) => first).length, 1)
        const active = yield* keys.active
        assert.deepStrictEqual(
          (yield* keys.published).map(({ kid, state }) => [kid, state]),
          [[active?.kid, "ACTIVE"]]
        )
      })
    )
  )

  it.effect("withdraws a session that was revoked and a token that was", () =>
    inTenant(
      Effect.gen(function* () {
        const sessions = yield* AnonymousSessionsRepo
        const revocations = yield* RevocationsRepo
        const id = (yield* Ids).next("anonymous_session")
        const session = yield* inTransaction(
          sessions.insert({ id, productId: "motor-fr", lifetimeSeconds: 3600 })
        )
        assert.deepStrictEqual([session.productId, session.revokedAt], ["motor-fr", undefined])
        assert.strictEqual(Date.parse(session.expiresAt) - Date.parse(session.createdAt), 3_600_000)
        assert.deepStrictEqual(yield* revocations.withdrawn, new Set())
        yield* inTransaction(sessions.revoke(id))
        yield* inTransaction(revocations.revoke("jti-1", session.expiresAt))
        assert.deepStrictEqual(yield* revocations.withdrawn, new Set([id, "jti-1"]))
      })
    )
  )
})
