/** A consumer sees each event once, in order, through crashes and beside other instances. */
import { assert, layer } from "@effect/vitest"
import * as PgTest from "@quittance/testing/PgTest"
import { Deferred, Effect, Fiber, References } from "effect"
import { type EventConsumer, EventConsumers } from "../../src/events/EventConsumers.ts"
import * as Feeds from "../Feeds.ts"
import { pass, timed } from "../MovedClock.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const { consume, counting, faults, inNewTenant, record, sequence, told, transaction } = Feeds

const quietly = Effect.provideService(References.MinimumLogLevel, "None")

/** Events of two subjects, with their positions. */
const some = (count: number) =>
  Effect.andThen(
    transaction(record(...Array.from({ length: count }, (_, index) => `s${index % 2}`))),
    sequence
  )

layer(Feeds.layer, { excludeTestServices: true })("a consumer", (it) => {
  it.effect("is told all there is and then what comes, each by its own position", () =>
    inNewTenant(
      Effect.gen(function* () {
        const first = yield* counting("first")
        const second = yield* counting("second")
        yield* some(3)
        yield* consume(first)
        yield* some(4)
        yield* consume(first)
        yield* consume(second)
        yield* consume(second)
        for (const name of ["first", "second"]) {
          const heard = yield* told(name)
          assert.deepStrictEqual([heard.length, faults(heard)], [7, []])
        }
      })
    )
  )

  it.effect("takes many in several transactions", () =>
    inNewTenant(
      Effect.gen(function* () {
        const consumers = yield* EventConsumers
        const consumer = yield* counting("many")
        yield* some(1200)
        assert.deepStrictEqual(yield* consumers.consumeBatch(consumer), { events: 500, more: true })
        yield* consume(consumer)
        const heard = yield* told("many")
        assert.deepStrictEqual([heard.length, faults(heard)], [1200, []])
      })
    )
  )

  it.effect("is told again what it died of, and nothing of that is kept", () =>
    inNewTenant(
      Effect.gen(function* () {
        const consumers = yield* EventConsumers
        let isIll = true
        const consumer = yield* counting("ill", () =>
          isIll ? Effect.die(new Error("ill")) : Effect.void
        )
        const well = yield* counting("well")
        yield* some(3)
        assert.isFalse(yield* quietly(consumers.round(consumer)))
        yield* consumers.round(well)
        assert.deepStrictEqual(yield* told("ill"), [])
        assert.strictEqual((yield* told("well")).length, 3)
        isIll = false
        yield* pass(1000)
        yield* consumers.round(consumer)
        const heard = yield* told("ill")
        assert.deepStrictEqual([heard.length, faults(heard)], [3, []])
      }).pipe(timed)
    )
  )

  it.effect("leaves the tenant alone for longer after each failure, and no other tenant", () =>
    Effect.gen(function* () {
      const consumers = yield* EventConsumers
      const tries: Array<string> = []
      const consumer: EventConsumer = {
        name: "ever ill",
        handle: () =>
          Effect.flatMap(CurrentTenant, (tenant) => {
            tries.push(tenant)
            return Effect.die(new Error("ill"))
          })
      }
      const tried = Effect.fnUntraced(function* (...times: ReadonlyArray<number>) {
        const counts: Array<number> = []
        for (const millis of times) {
          yield* pass(millis)
          const before = tries.length
          yield* quietly(consumers.round(consumer))
          const tenant = yield* CurrentTenant
          counts.push(tries.slice(before).filter((each) => each === tenant).length)
        }
        return counts
      })
      yield* inNewTenant(
        Effect.andThen(
          some(1),
          Effect.gen(function* () {
            assert.deepStrictEqual(yield* tried(0, 0, 1000, 1000), [1, 0, 1, 0])
            yield* inNewTenant(
              Effect.andThen(
                some(1),
                Effect.map(tried(0), (other) => assert.deepStrictEqual(other, [1]))
              )
            )
            assert.deepStrictEqual(yield* tried(0, 1000), [0, 1])
          })
        )
      )
    }).pipe(timed)
  )

  it.effect("is run by one program at a time", () =>
    inNewTenant(
      Effect.gen(function* () {
        const consumers = yield* EventConsumers
        const begun = yield* Deferred.make<void>()
        const mayEnd = yield* Deferred.make<void>()
        const slow = yield* counting("one", () =>
          Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(mayEnd))
        )
        yield* some(3)
        const running = yield* Effect.forkChild(consumers.consumeBatch(slow))
        yield* Deferred.await(begun)
        const beside = yield* counting("one")
        assert.deepStrictEqual(yield* consumers.consumeBatch(beside), { events: 0, more: false })
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.join(running)
        assert.strictEqual((yield* told("one")).length, 3)
      })
    )
  )

  it.effect("leaves a tenant alone that is disabled, until it no longer is", () =>
    inNewTenant(
      Effect.gen(function* () {
        const sql = yield* PgTest.SuperuserSql
        const tenant = yield* CurrentTenant
        const consumers = yield* EventConsumers
        const consumer = yield* counting("patient")
        yield* some(2)
        yield* sql`UPDATE tenant SET disabled_at = now() WHERE tenant_id = ${tenant}`
        yield* consumers.round(consumer)
        assert.strictEqual((yield* told("patient")).length, 0)
        yield* sql`UPDATE tenant SET disabled_at = NULL WHERE tenant_id = ${tenant}`
        yield* consumers.round(consumer)
        assert.strictEqual((yield* told("patient")).length, 2)
      })
    )
  )

  it.effect("takes what comes before an event of a newer release, and waits there for it", () =>
    inNewTenant(
      Effect.gen(function* () {
        const sql = yield* PgTest.SuperuserSql
        const tenant = yield* CurrentTenant
        const consumers = yield* EventConsumers
        const consumer = yield* counting("older")
        yield* some(5)
        yield* sql`UPDATE event SET kind = 'claim.open' WHERE tenant_id = ${tenant} AND seq = 2`
        for (let round = 0; round < 3; round++) {
          yield* quietly(consumers.round(consumer))
          assert.lengthOf(yield* told("older"), 1)
          yield* pass(10_000)
        }
        yield* sql`UPDATE event SET kind = 'user.update' WHERE tenant_id = ${tenant} AND seq = 2`
        yield* consumers.round(consumer)
        const heard = yield* told("older")
        assert.deepStrictEqual([heard.length, faults(heard)], [5, []])
      }).pipe(timed)
    )
  )
})
