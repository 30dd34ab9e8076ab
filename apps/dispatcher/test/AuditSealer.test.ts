/** The loop that seals audit trails, as it runs in the dispatcher. */
import { assert, layer } from "@effect/vitest"
import { AuditSealer } from "@quittance/operations/audit/AuditSealer"
import { OwnerSql } from "@quittance/testing/PgTest"
import { Deferred, Duration, Effect, Exit, Logger } from "effect"
import * as Trails from "../../../packages/operations/test/Trails.ts"
import * as Loop from "@quittance/operations/worker/Loop"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const { inNewTenant, record, transaction, verify } = Trails

/** The loop, which looks again at once, for as long as the effect runs. */
const withSealer = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { round } = yield* AuditSealer
    const sealer = yield* Loop.make({ name: "audit", pause: Duration.millis(5), round })
    yield* Effect.forkScoped(sealer.run)
    return yield* effect
  }).pipe(Effect.scoped)

/** Waits until nothing of the tenant is unsealed; the loop has nothing else to do. */
const settled = Effect.gen(function* () {
  for (;;) {
    const verified = yield* verify()
    if (verified.unsealed.rows === 0) return verified
  }
})

layer(Trails.layer, { excludeTestServices: true })("the sealer's loop", (it) => {
  it.effect("seals what is written while it runs, for every tenant", () =>
    withSealer(
      Effect.gen(function* () {
        const tenants = yield* Effect.forEach([1, 2, 3], () =>
          inNewTenant(Effect.andThen(transaction(record("r1", "r2")), CurrentTenant))
        )
        for (const tenant of tenants) {
          const { faults, sound } = yield* Effect.provideService(settled, CurrentTenant, tenant)
          assert.deepStrictEqual([faults, sound], [[], 2])
        }
        const [first] = tenants
        yield* transaction(record("r3")).pipe(
          Effect.andThen(settled),
          Effect.tap(({ head }) => Effect.sync(() => assert.strictEqual(head?.position, 3))),
          Effect.provideService(CurrentTenant, first!)
        )
      })
    )
  )

  it.effect("shares its work with other loops, without a gap or a row twice", () =>
    inNewTenant(
      Effect.gen(function* () {
        for (let round = 0; round < 100; round++) yield* transaction(record(`r${round}`))
        const { faults, sound } = yield* settled
        assert.deepStrictEqual([faults, sound], [[], 100])
      }).pipe(withSealer, withSealer)
    )
  )

  it.effect("says that it can't look, and goes on once the database is as it should be again", () =>
    inNewTenant(
      Effect.gen(function* () {
        const owner = yield* OwnerSql
        const said = yield* Deferred.make<string>()
        const listening = Logger.layer([
          Logger.make(({ message }) => Deferred.doneUnsafe(said, Exit.succeed(String(message))))
        ])
        yield* transaction(record("r1"))
        yield* owner`ALTER TABLE audit_pending RENAME TO audit_away`
        yield* Effect.gen(function* () {
          assert.include(yield* Deferred.await(said), "The job audit has failed")
          yield* owner`ALTER TABLE audit_away RENAME TO audit_pending`
          const { faults, sound } = yield* settled
          assert.deepStrictEqual([faults, sound], [[], 1])
        }).pipe(withSealer, Effect.provide(listening))
      })
    )
  )
})
