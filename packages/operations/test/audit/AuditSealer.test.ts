import { assert, layer } from "@effect/vitest"
import * as PgTest from "@quittance/testing/PgTest"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Deferred, Effect, Fiber, Layer, References } from "effect"
import { SqlClient } from "effect/sql"
import { AuditSealer } from "../../src/audit/AuditSealer.ts"
import { AuditTrail } from "../../src/requests/AuditTrail.ts"
import * as Trails from "../Trails.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const { inNewTenant, record, rows, seal, transaction, verify } = Trails

/** The positions of the rows in the order in which they were written. */
const positions = Effect.map(rows, (all) => all.map(({ position }) => position))

/** Whether the sealer knows that rows of the tenant wait. */
const isAnnounced = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const found = yield* sql`SELECT FROM audit_pending WHERE tenant_id = ${yield* CurrentTenant}`
  return found.length > 0
})

layer(Trails.layer, { excludeTestServices: true })("the audit trail", (it) => {
  it.effect("can't be written past a transaction", () =>
    inNewTenant(
      Effect.gen(function* () {
        const exit = yield* Effect.exit(record("r1"))
        assert.isTrue(exit._tag === "Failure")
        assert.deepStrictEqual(yield* rows, [])
      })
    )
  )

  it.effect("keeps nothing of what is rolled back, and does not send the sealer for it", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* transaction(Effect.andThen(record("r1"), Effect.fail("no"))).pipe(Effect.flip)
        assert.deepStrictEqual(yield* rows, [])
        assert.isFalse(yield* isAnnounced)
      })
    )
  )

  it.effect("lets the runtime role change, remove and re-seal nothing", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* transaction(record("r1", "r2"))
        const sql = yield* SqlClient.SqlClient
        const tenantSql = yield* TenantSql
        const reasonOf = (statement: string) =>
          tenantSql.transaction(tenantSql.savepoint(tenantSql.write(sql.unsafe(statement)))).pipe(
            Effect.exit,
            Effect.map((exit) => String(exit._tag === "Failure" ? exit.cause : "done"))
          )
        const refused = /permission denied/u
        assert.match(yield* reasonOf("UPDATE audit SET action = 'x'"), refused)
        assert.match(yield* reasonOf("UPDATE audit SET recorded_at = now()"), refused)
        assert.match(yield* reasonOf("DELETE FROM audit"), refused)
        assert.match(yield* reasonOf("TRUNCATE audit"), refused)
        assert.match(yield* reasonOf("DELETE FROM audit_head"), refused)
        yield* seal
        const added = /only added to/u
        assert.match(yield* reasonOf("UPDATE audit SET position = position + 9"), added)
        assert.match(
          yield* reasonOf("UPDATE audit SET position = NULL, hash = NULL, sealed_at = NULL"),
          added
        )
      })
    )
  )

  it.effect("is only added to by its owner, too", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* transaction(record("r1"))
        const owner = yield* PgTest.OwnerSql
        const tenant = yield* CurrentTenant
        for (const statement of [
          "UPDATE audit SET action = 'x'",
          "DELETE FROM audit",
          "TRUNCATE audit"
        ]) {
          const error = yield* Effect.andThen(
            owner`SELECT set_config('app.tenant', ${tenant}, true)`,
            owner.unsafe(statement)
          ).pipe(owner.withTransaction, Effect.flip)
          assert.strictEqual(error.reason._tag, "ConstraintError", statement)
        }
      })
    )
  )

  it.effect("numbers rows without a gap, in the order of their writing", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* transaction(record("r1", "r2", "r3"))
        assert.deepStrictEqual(yield* positions, [null, null, null])
        assert.isTrue(yield* isAnnounced)
        yield* seal
        yield* transaction(record("r4"))
        yield* transaction(record("r5"))
        yield* seal
        assert.deepStrictEqual(yield* positions, [1, 2, 3, 4, 5])
        assert.isFalse(yield* isAnnounced)
        const { faults, head, sound } = yield* verify()
        assert.deepStrictEqual([faults, sound, head?.position], [[], 5, 5])
      })
    )
  )

  it.effect("seals more than one batch of a backlog, a batch at a time", () =>
    inNewTenant(
      Effect.gen(function* () {
        const many = Array.from({ length: 2_100 }, (_, index) => `r${index}`)
        yield* transaction(record(...many))
        const sealer = yield* AuditSealer
        const batches = [yield* sealer.sealBatch, yield* sealer.sealBatch]
        assert.deepStrictEqual(batches, [
          { rows: 1000, more: true },
          { rows: 1000, more: true }
        ])
        assert.isTrue(yield* isAnnounced)
        assert.deepStrictEqual(yield* sealer.sealBatch, { rows: 100, more: false })
        assert.isFalse(yield* isAnnounced)
        const { faults, sound } = yield* verify()
        assert.deepStrictEqual([faults, sound], [[], 2_100])
      })
    )
  )

  it.effect("forgets no row that is committed after its time, and gives it a later position", () =>
    inNewTenant(
      Effect.gen(function* () {
        const written = yield* Deferred.make<void>()
        const mayCommit = yield* Deferred.make<void>()
        const slow = yield* record("slow").pipe(
          Effect.andThen(Deferred.succeed(written, undefined)),
          Effect.andThen(Deferred.await(mayCommit)),
          transaction,
          Effect.forkChild
        )
        yield* Deferred.await(written)
        yield* transaction(record("fast"))
        yield* seal
        assert.deepStrictEqual(
          (yield* rows).map(({ position, recordId }) => [recordId, position]),
          [["fast", 1]]
        )
        assert.isFalse(yield* isAnnounced)
        yield* Deferred.succeed(mayCommit, undefined)
        yield* Fiber.join(slow)
        assert.isTrue(yield* isAnnounced)
        yield* seal
        assert.deepStrictEqual(
          (yield* rows).map(({ position, recordId }) => [recordId, position]),
          [
            ["slow", 2],
            ["fast", 1]
          ]
        )
        assert.deepStrictEqual((yield* verify()).faults, [])
      })
    )
  )

  it.effect("seals for one tenant while another's sealer is at work, and never twice at once", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* transaction(record("r1"))
        const sealer = yield* AuditSealer
        const sealing = yield* Deferred.make<void>()
        const mayEnd = yield* Deferred.make<void>()
        const first = yield* sealer.sealBatch.pipe(
          Effect.andThen(Deferred.succeed(sealing, undefined)),
          Effect.andThen(Deferred.await(mayEnd)),
          transaction,
          Effect.forkChild
        )
        yield* Deferred.await(sealing)
        yield* transaction(record("r2"))
        assert.deepStrictEqual(yield* sealer.sealBatch, { rows: 0, more: false })
        yield* inNewTenant(
          Effect.gen(function* () {
            yield* transaction(record("x"))
            assert.strictEqual((yield* sealer.sealBatch).rows, 1)
          })
        )
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.join(first)
        assert.deepStrictEqual(yield* sealer.sealBatch, { rows: 1, more: false })
        assert.deepStrictEqual(yield* positions, [1, 2])
      })
    )
  )

  it.effect("is sealed of all tenants in a round, also beside one whose trail is broken", () =>
    Effect.gen(function* () {
      const made = yield* Effect.forEach([1, 2, 3], (number) =>
        inNewTenant(
          Effect.gen(function* () {
            yield* transaction(record("r1"))
            if (number === 2) {
              // A row that has taken the first position: the chain can't be begun.
              yield* Trails.tamper((sql, tenant) => [
                sql`
                  INSERT INTO audit SELECT tenant_id, recorded_at, 'forged', business_at, actor_kind,
                    actor_id, action, record_id, request_id, outcome, detail, 1, sha256('x'), now()
                  FROM audit WHERE tenant_id = ${tenant}
                `
              ])
            }
            return yield* CurrentTenant
          })
        )
      )
      const sealer = yield* AuditSealer
      while (yield* quietly(sealer.round));
      const sealed = yield* Effect.forEach(made, (tenant) =>
        Effect.provideService(verify(), CurrentTenant, tenant)
      )
      assert.deepStrictEqual(
        sealed.map(({ sound, unsealed }) => [sound, unsealed.rows]),
        [
          [1, 0],
          [0, 1],
          [1, 0]
        ]
      )
    })
  )

  it.effect("loses no row and leaves no gap under concurrent writes, rollbacks and seals", () =>
    inNewTenant(
      Effect.gen(function* () {
        const sealer = yield* AuditSealer
        const sql = yield* SqlClient.SqlClient
        const pause = (millis: number) => sql`SELECT pg_sleep(${millis / 1000}::float8)`
        let written = 0
        for (let round = 0; round < 200; round++) {
          const writers = [0, 1, 2].map((writer) => {
            const fails = (round + writer) % 5 === 0
            if (!fails) written += 2
            return record(`${round}-${writer}`, `${round}-${writer}-too`).pipe(
              Effect.andThen(pause((round * 3 + writer * 5) % 4)),
              Effect.andThen(fails ? Effect.fail("no") : Effect.void),
              transaction,
              Effect.ignore
            )
          })
          yield* Effect.all([...writers, sealer.sealBatch, sealer.sealBatch], {
            concurrency: "unbounded",
            discard: true
          })
          // What waits is announced, also when it was committed while the sealer was looking.
          const { faults, unsealed } = round % 20 === 0 ? yield* verify() : calm
          assert.deepStrictEqual(faults, [], `round ${round}`)
          const waiting = (yield* rows).some(({ position }) => position === null)
          assert.isTrue(!waiting || (yield* isAnnounced), `round ${round}`)
          assert.isAtMost(unsealed.rows, 6)
        }
        yield* seal
        const { faults, sound, unsealed } = yield* verify()
        assert.deepStrictEqual([faults, sound, unsealed.rows], [[], written, 0])
      })
    )
  )
})

/** What is logged on the way is what the test provokes. */
const quietly = Effect.provideService(References.MinimumLogLevel, "None")

const calm = { faults: [], unsealed: { rows: 0 } }

/** A trail whose table is away. */
const Away = Layer.effectDiscard(
  Effect.gen(function* () {
    const owner = yield* PgTest.OwnerSql
    yield* owner`ALTER TABLE audit RENAME TO audit_away`
  })
)

layer(Layer.provideMerge(Away, Trails.layer), { excludeTestServices: true })(
  "an audit trail that can't be written",
  (it) => {
    it.effect("does not turn a refusal into a crash, but stops a write", () =>
      inNewTenant(
        Effect.gen(function* () {
          const audit = yield* AuditTrail
          const refusal = { action: "thing.write", recordId: "r1", detail: {} }
          yield* audit.refused(Trails.actor, refusal).pipe(quietly)
          const exit = yield* Effect.exit(transaction(record("r1")))
          assert.strictEqual(exit._tag, "Failure")
        })
      )
    )
  }
)
