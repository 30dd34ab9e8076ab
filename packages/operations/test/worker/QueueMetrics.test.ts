/** What waits in the database is told by its number, its age and its consumers, over all tenants. */
import { assert, layer } from "@effect/vitest"
import { example } from "@quittance/domain/values/PrefixedId"
import { prometheusName, catalogue } from "@quittance/domain/telemetry/Catalogue"
import { measureAll } from "@quittance/domain/telemetry/Series"
import * as PgTest from "@quittance/testing/PgTest"
import { Effect, Layer, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { EventConsumers } from "../../src/events/EventConsumers.ts"
import { QueueMetrics } from "../../src/worker/QueueMetrics.ts"
import * as Feeds from "../Feeds.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const { counting, inNewTenant, record, sequence, transaction } = Feeds

const names = new Map<string, string>(
  Object.values(catalogue).map((metric) => [metric.name, prometheusName(metric)])
)

/** What a scrape of another process would see. */
const scraped = Effect.gen(function* () {
  yield* measureAll
  const text = yield* PrometheusMetrics.format({
    metricNameMapper: (name) => names.get(name) ?? name
  })
  return new Map(
    text
      .split("\n")
      .filter((line) => line.startsWith("quittance_"))
      .map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))])
  )
}).pipe(
  Effect.provide(Layer.fresh(QueueMetrics.layer)),
  Effect.provideService(Metric.MetricRegistry, new Map())
)

const shown = (what: string) =>
  Effect.map(
    Effect.suspend(() => scraped),
    (all) => all.get(what)
  )

layer(Feeds.layer, { excludeTestServices: true })("what waits", (it) => {
  it.effect("is as many events as have no position, and as old as the first of them", () =>
    inNewTenant(
      Effect.gen(function* () {
        const waiting = shown('quittance_queue_waiting{queue="events"}')
        const oldest = shown('quittance_queue_oldest_seconds{queue="events"}')
        assert.deepStrictEqual([yield* waiting, yield* oldest], [0, 0])
        yield* transaction(record("a", "b", "a"))
        const superuser = yield* PgTest.SuperuserSql
        yield* superuser`ALTER TABLE event DISABLE TRIGGER ALL`
        yield* superuser`
          UPDATE event SET recorded_at = recorded_at - interval '1 hour'
          WHERE tenant_id = ${yield* CurrentTenant} AND subject = 'client:a' AND seq = 1
        `
        yield* superuser`ALTER TABLE event ENABLE TRIGGER ALL`
        assert.strictEqual(yield* waiting, 3)
        assert.approximately((yield* oldest)!, 3600, 600)
        yield* sequence
        assert.deepStrictEqual([yield* waiting, yield* oldest], [0, 0])
      })
    )
  )

  it.effect("is what each consumer has not taken, of the tenants that are served", () =>
    inNewTenant(
      Effect.gen(function* () {
        const name = `counts-${yield* CurrentTenant}`
        const lag = shown(`quittance_consumer_lag{consumer="${name}"}`)
        const consumer = yield* counting(name)
        const consumers = yield* EventConsumers
        yield* transaction(record("a", "b"))
        yield* sequence
        assert.isUndefined(yield* lag)
        // Whatever other tenants have, too.
        while (yield* consumers.round(consumer));
        assert.strictEqual(yield* lag, 0)
        yield* transaction(record("a", "b", "c"))
        yield* sequence
        assert.strictEqual(yield* lag, 3)
        const superuser = yield* PgTest.SuperuserSql
        yield* superuser`
          UPDATE tenant SET disabled_at = now() WHERE tenant_id = ${yield* CurrentTenant}
        `
        assert.strictEqual(yield* lag, 0)
      })
    )
  )

  it.effect("is also what receivers lack that is tried no more", () =>
    inNewTenant(
      Effect.gen(function* () {
        const tenant = yield* CurrentTenant
        const superuser = yield* PgTest.SuperuserSql
        const dead = shown("quittance_webhooks_dead_events")
        const id = example("webhook")
        assert.strictEqual(yield* dead, 0)
        yield* superuser`
          INSERT INTO webhook (tenant_id, id, url, types, ordering, signing, schema, filters, created_at)
          VALUES (${tenant}, ${id}, 'https://hooks.example.com/', '{*}', 'NONE', 'HMAC', 1, '[]', now())
        `
        yield* superuser`
          INSERT INTO webhook_stream (tenant_id, webhook_id, is_enabled, position, from_position,
            concurrency, allowed, per_second, paced_until, served_at)
          VALUES (${tenant}, ${id}, false, 0, 0, 8, 8, 50, now(), now())
        `
        yield* superuser`
          INSERT INTO webhook_dead (tenant_id, webhook_id, event_id, subject, seq, previous, died_at, outcome)
          SELECT ${tenant}, ${id}, 'event_' || n, 'client:a', n, 0, now(), 'STATUS'
          FROM generate_series(1, 2) n
        `
        assert.strictEqual(yield* dead, 2)
      })
    )
  )
})
