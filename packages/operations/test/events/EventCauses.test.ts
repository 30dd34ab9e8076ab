/** What follows from an event refers to the trace that recorded it, where traces are recorded. */
import { assert, layer } from "@effect/vitest"
import * as PgTest from "@quittance/testing/PgTest"
import { Effect } from "effect"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { EventConsumers } from "../../src/events/EventConsumers.ts"
import * as Feeds from "../Feeds.ts"
import { traced } from "../Traces.ts"

const { counting, inNewTenant, record, sequence, transaction } = Feeds

/** Traces of the events of the tenant, in their order. */
const stored = Effect.gen(function* () {
  const superuser = yield* PgTest.SuperuserSql
  const rows = yield* superuser<{ readonly trace: string | null }>`
    SELECT trace FROM event WHERE tenant_id = ${yield* CurrentTenant} ORDER BY subject, seq
  `
  return rows.map(({ trace }) => trace)
})

layer(Feeds.layer, { excludeTestServices: true })("an event", (it) => {
  it.effect("is linked to by the batch of a consumer that takes it", () =>
    inNewTenant(
      Effect.gen(function* () {
        const [first] = yield* traced(transaction(record("a", "b")))
        const [second] = yield* traced(transaction(record("c")))
        yield* traced(transaction(record("d")), false)
        yield* transaction(record("e"))
        const [a, b, c, d, e] = yield* stored
        assert.match(a!, new RegExp(`^00-${first!.traceId}-[0-9a-f]{16}-01$`, "u"))
        assert.strictEqual(b, a)
        assert.include(c, second!.traceId)
        assert.deepStrictEqual([d, e], [null, null])

        yield* sequence
        const consumers = yield* EventConsumers
        const consumer = yield* counting(`links-${yield* CurrentTenant}`)
        const spans = yield* traced(consumers.consumeBatch(consumer))
        const linked = spans.filter(({ links }) => links.length > 0)
        assert.lengthOf(linked, 1)
        assert.strictEqual(linked[0]!.attributes.get("quittance.consumer"), consumer.name)
        assert.sameMembers(
          linked[0]!.links.map(({ span }) => span.traceId),
          [first!.traceId, second!.traceId]
        )
      })
    )
  )

  it.effect("is not read for a trace by a consumer whose own trace is not recorded", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* traced(transaction(record("a")))
        yield* sequence
        const consumers = yield* EventConsumers
        const consumer = yield* counting(`silent-${yield* CurrentTenant}`)
        const spans = yield* traced(consumers.consumeBatch(consumer), false)
        assert.isTrue(spans.some(({ name }) => name === "EventFeedRepo.after"))
        assert.isFalse(spans.some(({ name }) => name === "EventTracesRepo.of"))
      })
    )
  )
})
