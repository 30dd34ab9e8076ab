import { assert, layer } from "@effect/vitest"
import { SuperuserSql } from "@quittance/testing/PgTest"
import * as PgTest from "@quittance/testing/PgTest"
import { Deferred, Effect, Fiber } from "effect"
import { ready } from "../../src/requests/Readiness.ts"

layer(PgTest.layer, { excludeTestServices: true })("a program that serves", (it) => {
  it.effect("stays ready while the migrations of the next release are applied", () =>
    Effect.gen(function* () {
      const superuser = yield* SuperuserSql
      const locked = yield* Deferred.make<void>()
      const asked = yield* Deferred.make<void>()
      const migrating = superuser.withTransaction(
        Effect.gen(function* () {
          yield* superuser`LOCK TABLE migration IN ACCESS EXCLUSIVE MODE`
          yield* Deferred.succeed(locked, undefined)
          yield* Deferred.await(asked)
        })
      )
      yield* ready
      const fiber = yield* Effect.forkChild(migrating)
      yield* Deferred.await(locked)
      yield* ready
      yield* Deferred.succeed(asked, undefined)
      yield* Fiber.join(fiber)
      assert.isUndefined(yield* ready)
    })
  )
})
