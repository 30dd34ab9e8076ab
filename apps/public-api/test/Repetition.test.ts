/** An idempotency key repeats an answer to the caller who got it first; it opens nothing. */
import { assert, layer } from "@effect/vitest"
import type { UserId } from "@quittance/domain/requests/Caller"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer } from "effect"
import { call, newTenant, TestLayer } from "./Api.ts"
import { send } from "./Sales.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const headers = { "idempotency-key": "the-same-one" }
const body = { productId: "motor-fr" }

// Real time: the database dates sessions by its own clock.
layer(Layer.provideMerge(GrantsRepo.layer, TestLayer), { excludeTestServices: true })(
  "the key of an answer",
  (it) => {
    it.effect(
      "repeats an answer to a caller who has lost the permission since, and opens nothing",
      () =>
        Effect.gen(function* () {
          const world = yield* newTenant
          const { north: token, tenant } = world
          const { body: policy } = yield* send(world, token, "/policies", body, headers)
          const patch = () =>
            call(`/policies/${policy.id}`, {
              tenant,
              token,
              method: "PATCH",
              body: { name: "mine" },
              headers
            })
          const reused = yield* patch()
          assert.deepStrictEqual([reused.status, reused.body.code], [409, "IDEMPOTENCY_KEY_REUSED"])
          const again = yield* send(world, token, "/policies", body, headers)
          assert.strictEqual(again.header("idempotency-replayed"), "true")
          const { body: account } = yield* send(world, token, "/account")
          const grants = yield* GrantsRepo
          const sql = yield* TenantSql
          yield* sql
            .transaction(grants.set(account.id as UserId, []))
            .pipe(Effect.provideService(CurrentTenant, tenant))
          const kept = yield* call("/policies", { tenant, token, body, headers })
          assert.deepStrictEqual([kept.status, kept.body], [201, policy])
          assert.strictEqual(kept.header("idempotency-replayed"), "true")
          const other = { "idempotency-key": "another-one" }
          const refused = yield* call("/policies", { tenant, token, body, headers: other })
          assert.deepStrictEqual([refused.status, refused.body.code], [403, "FORBIDDEN"])
          assert.isUndefined(refused.header("idempotency-replayed"))
          assert.strictEqual((yield* patch()).body.code, "IDEMPOTENCY_KEY_REUSED")
        })
    )

    it.effect("is each caller's own, also between tenants", () =>
      Effect.gen(function* () {
        const [acme, globex] = [yield* newTenant, yield* newTenant]
        const answers = [
          yield* send(acme, acme.manager, "/policies", body, headers),
          yield* send(acme, acme.session, "/policies", body, headers),
          yield* send(acme, acme.stranger, "/policies", body, headers),
          yield* send(globex, globex.manager, "/policies", body, headers)
        ]
        assert.strictEqual(new Set(answers.map(({ body }) => body.id)).size, 4)
        for (const answer of answers) assert.isUndefined(answer.header("idempotency-replayed"))
      })
    )

    it.effect("keeps no refusal: what was refused is asked again", () =>
      Effect.gen(function* () {
        const world = yield* newTenant
        const { tenant } = world
        const { body: policy } = yield* send(world, world.north, "/policies", body)
        const patch = (token: string) =>
          call(`/policies/${policy.id}`, {
            tenant,
            token,
            method: "PATCH",
            body: { name: "mine" },
            headers
          })
        const grants = yield* GrantsRepo
        const sql = yield* TenantSql
        assert.strictEqual((yield* patch(world.south)).status, 403)
        const { body: account } = yield* send(world, world.south, "/account")
        yield* sql
          .transaction(
            grants.give(account.id as UserId, {
              role: "BROKER",
              on: { kind: "RECORD", recordId: policy.id }
            })
          )
          .pipe(Effect.provideService(CurrentTenant, tenant))
        const granted = yield* patch(world.south)
        assert.deepStrictEqual([granted.status, granted.body.name], [200, "mine"])
        assert.isUndefined(granted.header("idempotency-replayed"))
      })
    )
  }
)
