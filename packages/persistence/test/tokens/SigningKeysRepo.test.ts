import { assert, layer } from "@effect/vitest"
import type { StoredKey } from "@quittance/domain/tokens/SigningKey"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { RevocationsRepo } from "../../src/tokens/RevocationsRepo.ts"
import { SigningKeysRepo } from "../../src/tokens/SigningKeysRepo.ts"
import { inTenant, inTransaction, TestLayer } from "../People.ts"

const rounds = 200

const newKey = (): StoredKey => ({
  kid: randomUUID(),
  publicJwk: { kty: "EC", crv: "P-256", x: "x", y: "y" },
  encryptedPrivateJwk: "e"
})

const addKeys = Effect.gen(function* () {
  const repo = yield* SigningKeysRepo
  const [active, next] = [newKey(), newKey()]
  yield* inTransaction(repo.insert(active, "ACTIVE"))
  yield* inTransaction(repo.insert(next, "NEXT"))
  return { active: active.kid, next: next.kid }
})

const states = SigningKeysRepo.use((repo) => repo.published).pipe(
  Effect.map((keys) => new Map(keys.map(({ kid, state }) => [kid, state])))
)

layer(TestLayer, { excludeTestServices: true })("SigningKeysRepo.rotate", (it) => {
  it.effect(
    "changes nothing for a key that is not the active one, and nothing of another tenant",
    () =>
      inTenant(
        Effect.gen(function* () {
          const repo = yield* SigningKeysRepo
          const { active, next } = yield* addKeys
          const before = yield* states
          for (const farewell of ["RETIRE", "DELETE"] as const) {
            for (const kid of [next, "unknown", ""]) {
              assert.isFalse(yield* inTransaction(repo.rotate(kid, farewell, newKey())))
            }
            assert.isFalse(yield* inTenant(inTransaction(repo.rotate(active, farewell, newKey()))))
          }
          assert.deepStrictEqual(yield* states, before)
        })
      )
  )

  it.effect("leaves the active key where there is no next one, rather than none that signs", () =>
    inTenant(
      Effect.gen(function* () {
        const repo = yield* SigningKeysRepo
        const active = newKey()
        yield* inTransaction(repo.insert(active, "ACTIVE"))
        const exit = yield* Effect.exit(inTransaction(repo.rotate(active.kid, "DELETE", newKey())))
        assert.strictEqual(exit._tag, "Failure")
        assert.deepStrictEqual(yield* states, new Map([[active.kid, "ACTIVE" as const]]))
      })
    )
  )

  it.effect("KY-05 is won by exactly one of four at once, in 200 rounds", () =>
    inTenant(
      Effect.gen(function* () {
        const repo = yield* SigningKeysRepo
        let { active, next } = yield* addKeys
        for (let round = 0; round < rounds; round++) {
          const farewell = round % 2 === 0 ? "RETIRE" : "DELETE"
          const drafts = [newKey(), newKey(), newKey(), newKey()]
          const won = yield* Effect.all(
            drafts.map((draft) => inTransaction(repo.rotate(active, farewell, draft))),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(won.filter(Boolean), [true])
          const winner = drafts[won.indexOf(true)]!.kid
          const now = yield* states
          assert.deepStrictEqual(
            [now.get(active), now.get(next), now.get(winner)],
            [farewell === "RETIRE" ? "RETIRED" : undefined, "ACTIVE", "NEXT"]
          )
          assert.strictEqual([...now.values()].filter((state) => state !== "RETIRED").length, 2)
          active = next
          next = winner
        }
      })
    )
  )
})

layer(TestLayer, { excludeTestServices: true })("SigningKeysRepo.insert", (it) => {
  it.effect("stores one active and one next key, also when several do at the same moment", () =>
    inTenant(
      Effect.gen(function* () {
        const repo = yield* SigningKeysRepo
        const added = yield* Effect.all(
          (["ACTIVE", "NEXT", "ACTIVE", "NEXT", "NEXT"] as const).map((state) =>
            inTransaction(repo.insert(newKey(), state))
          ),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(added.filter(Boolean).length, 2)
        assert.deepStrictEqual([...(yield* states).values()].sort(), ["ACTIVE", "NEXT"])
        assert.isBelow((yield* repo.ageOfNext)!, 60)
      })
    )
  )
})

layer(TestLayer, { excludeTestServices: true })("RevocationsRepo.revokeKey", (it) => {
  it.effect("withdraws a key in its own tenant, however often it is told to", () =>
    inTenant(
      Effect.gen(function* () {
        const revocations = yield* RevocationsRepo
        yield* inTransaction(revocations.revokeKey("kid-1"))
        yield* inTransaction(revocations.revokeKey("kid-1"))
        assert.deepStrictEqual(yield* revocations.withdrawn, new Set(["kid-1"]))
        assert.deepStrictEqual(yield* inTenant(revocations.withdrawn), new Set())
      })
    )
  )
})
