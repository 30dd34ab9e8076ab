/** Every committed event gets one position, for all writers and however late they commit. */
import { assert, layer } from "@effect/vitest"
import { example } from "@quittance/domain/values/PrefixedId"
import * as PgTest from "@quittance/testing/PgTest"
import { Deferred, Effect, Fiber, References } from "effect"
import { SqlClient } from "effect/sql"
import { EventSequencer } from "../../src/events/EventSequencer.ts"
import { AuditTrail } from "../../src/requests/AuditTrail.ts"
import * as Feeds from "../Feeds.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const { counts, faults, feed, inNewTenant, record, sequence, transaction } = Feeds

const quietly = Effect.provideService(References.MinimumLogLevel, "None")

layer(Feeds.layer, { excludeTestServices: true })("the feed of events", (it) => {
  it.effect("counts each subject on its own, and all of them together", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* transaction(record("a", "b", "a"))
        yield* transaction(record("b"))
        yield* Effect.exit(transaction(Effect.andThen(record("a"), Effect.fail("no"))))
        yield* transaction(record("a"))
        yield* sequence
        const rows = yield* feed
        assert.deepStrictEqual(faults(rows), [])
        assert.deepStrictEqual(
          rows.map(({ subject, sequence: seq }) => `${subject}${seq}`),
          ["a1", "a2", "b1", "b2", "a3"]
        )
        assert.deepStrictEqual(yield* counts, { events: 5, waiting: 0 })
      })
    )
  )

  it.effect("gives what is committed late a later position, and forgets none", () =>
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
        yield* sequence
        assert.deepStrictEqual(
          (yield* feed).map(({ subject }) => subject),
          ["fast"]
        )
        yield* Deferred.succeed(mayCommit, undefined)
        yield* Fiber.join(slow)
        yield* sequence
        assert.deepStrictEqual(
          (yield* feed).map(({ subject }) => subject),
          ["fast", "slow"]
        )
      })
    )
  )

  it.effect("takes so many at a time, the oldest first", () =>
    inNewTenant(
      Effect.gen(function* () {
        const sequencer = yield* EventSequencer
        const many = Array.from({ length: 2100 }, (_, index) => `s${index % 300}`)
        yield* transaction(record(...many))
        yield* transaction(record("last"))
        assert.deepStrictEqual(yield* sequencer.sequenceBatch, { events: 2000, more: true })
        assert.deepStrictEqual(yield* sequencer.sequenceBatch, { events: 101, more: false })
        assert.deepStrictEqual(yield* sequencer.sequenceBatch, { events: 0, more: false })
        const rows = yield* feed
        assert.deepStrictEqual(faults(rows), [])
        assert.strictEqual(rows.at(-1)?.subject, "last")
      })
    )
  )

  it.effect("has one sequencer at a time, and one for each tenant", () =>
    inNewTenant(
      Effect.gen(function* () {
        const sequencer = yield* EventSequencer
        yield* transaction(record("a"))
        const placing = yield* Deferred.make<void>()
        const mayEnd = yield* Deferred.make<void>()
        const first = yield* sequencer.sequenceBatch.pipe(
          Effect.andThen(Deferred.succeed(placing, undefined)),
          Effect.andThen(Deferred.await(mayEnd)),
          transaction,
          Effect.forkChild
        )
        yield* Deferred.await(placing)
        yield* transaction(record("b"))
        assert.deepStrictEqual(yield* sequencer.sequenceBatch, { events: 0, more: false })
        yield* inNewTenant(
          Effect.gen(function* () {
            yield* transaction(record("x"))
            assert.strictEqual((yield* sequencer.sequenceBatch).events, 1)
          })
        )
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.join(first)
        yield* sequence
        assert.deepStrictEqual(faults(yield* feed), [])
      })
    )
  )

  it.effect("goes on for all tenants in a round, beside one whose feed is broken", () =>
    Effect.gen(function* () {
      const sequencer = yield* EventSequencer
      const superuser = yield* PgTest.SuperuserSql
      const tenants = yield* Effect.forEach([1, 2, 3], (number) =>
        inNewTenant(
          Effect.gen(function* () {
            const tenant = yield* CurrentTenant
            yield* transaction(record("a"))
            if (number === 2) {
              yield* superuser`INSERT INTO event_feed VALUES (${tenant}, 1, 'forged', 1)`
            }
            return tenant
          })
        )
      )
      while ((yield* quietly(sequencer.round)).more);
      const waiting = yield* Effect.forEach(tenants, (tenant) =>
        Effect.provideService(counts, CurrentTenant, tenant)
      )
      assert.deepStrictEqual(
        waiting.map((each) => each.waiting),
        [0, 1, 0]
      )
    })
  )

  it.effect("has what a program of the release before writes, which knows no subject", () =>
    inNewTenant(
      Effect.gen(function* () {
        const tenant = yield* CurrentTenant
        const superuser = yield* PgTest.SuperuserSql
        const policyId = example("policy")
        // The policy itself is of no interest here.
        yield* superuser`ALTER TABLE event DROP CONSTRAINT event_tenant_id_policy_id_fkey`
        for (const seq of [1, 2]) {
          yield* superuser`
            INSERT INTO event (tenant_id, policy_id, seq, id, kind, occurred_at, recorded_at, payload)
            VALUES (${tenant}, ${policyId}, ${seq}, ${`${example("event").slice(0, -1)}${seq + 2}`}, 'policy.create', now(), now(),
              ${JSON.stringify({ branchId: example("branch"), changeId: example("change") })}::jsonb)
          `
        }
        yield* sequence
        assert.deepStrictEqual(yield* feed, [
          { position: 1, subject: policyId, sequence: 1 },
          { position: 2, subject: policyId, sequence: 2 }
        ])
      })
    )
  )

  it.effect("has the writes on records without a policy that the audit trail tells of", () =>
    inNewTenant(
      Effect.gen(function* () {
        const audit = yield* AuditTrail
        const userId = example("user")
        yield* transaction(
          audit.recordAll({ kind: "JOB", id: "test", requestId: "test" }, [
            { action: "user.create", recordId: userId, after: { email: "claire@example.test" } },
            { action: "token.revoke", recordId: "a token" },
            { action: "product.publish", recordId: "motor-fr@2026.1" },
            // A policy's events are written with its log.
            { action: "policy.update", recordId: example("policy") }
          ])
        )
        yield* sequence
        const consumer = yield* Feeds.counting("reader")
        yield* Feeds.consume(consumer)
        assert.deepStrictEqual(
          (yield* Feeds.told("reader")).map(({ subject }) => subject),
          ["product:motor-fr", userId]
        )
      })
    )
  )

  it.effect("loses none and leaves no gap under concurrent writes, rollbacks and placing", () =>
    inNewTenant(
      Effect.gen(function* () {
        const sequencer = yield* EventSequencer
        const sql = yield* SqlClient.SqlClient
        const consumer = yield* Feeds.counting("all")
        const pause = (millis: number) => sql`SELECT pg_sleep(${millis / 1000}::float8)`
        let written = 0
        for (let round = 0; round < 150; round++) {
          const writers = [0, 1, 2, 3].map((writer) => {
            const fails = (round + writer) % 5 === 0
            if (!fails) written += 2
            return record(`s${(round + writer) % 3}`, `own-${writer}`).pipe(
              Effect.andThen(pause((round * 3 + writer * 5) % 4)),
              Effect.andThen(fails ? Effect.fail("no") : Effect.void),
              transaction,
              Effect.ignore
            )
          })
          const places = [sequencer.sequenceBatch, sequencer.sequenceBatch]
          yield* Effect.all([...writers, ...places, Feeds.consume(consumer)], {
            concurrency: "unbounded",
            discard: true
          })
        }
        yield* sequence
        yield* Feeds.consume(consumer)
        assert.deepStrictEqual(yield* counts, { events: written, waiting: 0 })
        const rows = yield* feed
        assert.deepStrictEqual([rows.length, faults(rows)], [written, []])
        const heard = yield* Feeds.told("all")
        assert.deepStrictEqual([heard.length, faults(heard)], [written, []])
      })
    )
  )
})
