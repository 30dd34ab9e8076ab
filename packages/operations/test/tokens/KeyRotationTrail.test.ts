/** What a rotation of keys leaves in the audit trail. */
import { assert, layer } from "@effect/vitest"
import type { KeyState } from "@quittance/domain/tokens/SigningKey"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer, Result } from "effect"
import { AuthorizationServerKeyRotation } from "../../src/tokens/KeyRotation.ts"
import { AuthorizationServerKeys } from "../../src/tokens/SigningKeys.ts"
import { inSandbox, TestLayer } from "../Authorization.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = Layer.provideMerge(AuthorizationServerKeyRotation.layer, TestLayer)

const rotate = (compromised: boolean) =>
  Effect.gen(function* () {
    const sql = yield* SuperuserSql
    // The next key is known everywhere, so that nothing has to be waited for.
    yield* sql`
      UPDATE signing_key SET created_at = created_at - interval '1 minute'
      WHERE tenant_id = ${yield* CurrentTenant}
    `
    return yield* AuthorizationServerKeyRotation.use((rotation) => rotation.rotate({ compromised }))
  })

const kid = Effect.fnUntraced(function* (state: KeyState) {
  const list = yield* AuthorizationServerKeyRotation.use((rotation) => rotation.list)
  return list.find((key) => key.state === state)!.kid
})

const trail = Effect.gen(function* () {
  const sql = yield* SuperuserSql
  return yield* sql<Readonly<Record<string, unknown>>>`
    SELECT actor_id, record_id, detail FROM audit
    WHERE tenant_id = ${yield* CurrentTenant} AND action = 'key.rotate' ORDER BY recorded_at, id
  `
})

layer(Live, { excludeTestServices: true })("the trail of rotated keys", (it) => {
  it.effect("names the key that signs now, the one before and what became of it", () =>
    inSandbox(
      Effect.gen(function* () {
        yield* AuthorizationServerKeys.use((keys) => keys.ensure)
        for (const [compromised, fate] of [
          [false, "retired"],
          [true, "deleted"]
        ] as const) {
          const [active, next] = [yield* kid("ACTIVE"), yield* kid("NEXT")]
          yield* rotate(compromised)
          assert.deepStrictEqual((yield* trail).at(-1), {
            actorId: "quittance:operator",
            recordId: next,
            detail: { [fate]: active, next: yield* kid("NEXT") }
          })
        }
      })
    )
  )

  it.effect("has one row for each rotation that was done, of several at once", () =>
    inSandbox(
      Effect.gen(function* () {
        yield* AuthorizationServerKeys.use((keys) => keys.ensure)
        const attempts = Array.from({ length: 8 }, () => Effect.result(rotate(false)))
        const results = yield* Effect.all(attempts, { concurrency: "unbounded" })
        const done = results.filter(Result.isSuccess)
        assert.isNotEmpty(done)
        assert.lengthOf(yield* trail, done.length)
      })
    )
  )
})
