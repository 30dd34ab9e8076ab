/** Feeds of events of tenants that have nothing else, and a consumer whose effects can be counted. */
import type { FeedEvent } from "@quittance/domain/events/Event"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import { example } from "@quittance/domain/values/PrefixedId"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type EventConsumer, EventConsumers } from "../src/events/EventConsumers.ts"
import { EventSequencer } from "../src/events/EventSequencer.ts"
import { AuditTrail } from "../src/requests/AuditTrail.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

/** Where a consumer of a test leaves what it was told, twice if it was told so twice. */
const Effects = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* PgTest.SuperuserSql
    yield* sql`
      CREATE TABLE told (tenant_id text, consumer text, nth bigserial, position bigint, subject text,
        sequence integer, event_id text)
    `
    yield* sql`GRANT ALL ON told TO PUBLIC`
    yield* sql`GRANT ALL ON SEQUENCE told_nth_seq TO PUBLIC`
  }).pipe(Effect.orDie)
)

export const layer = Layer.mergeAll(
  AuditTrail.layer,
  EventConsumers.layer,
  EventSequencer.layer,
  EventsRepo.layer,
  TenantsRepo.layer,
  Effects
).pipe(Layer.provideMerge(PgTest.layer))

let count = 0

/** Runs an effect in the name of a tenant that has nothing yet. */
export const inNewTenant = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const id = TenantId.make(`feed-${process.pid}-${++count}`)
    const insert = TenantsRepo.use((tenants) => tenants.insert(sandboxTenant(id)))
    return yield* Effect.andThen(transaction(insert), effect).pipe(
      Effect.provideService(CurrentTenant, id)
    )
  })

export const transaction = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  TenantSql.use((sql) => sql.transaction(effect))

/** Records an event of each of these subjects, whatever they are, in the transaction around. */
export const record = (...subjects: ReadonlyArray<string>) =>
  EventsRepo.use((events) =>
    events.insertOfRecords(
      subjects.map((subject) => ({
        kind: "user.update",
        subject: `client:${subject}`,
        payload: { userId: example("user") }
      }))
    )
  )

/** Places what waits until nothing does. */
export const sequence = Effect.gen(function* () {
  const sequencer = yield* EventSequencer
  while ((yield* sequencer.sequenceBatch).more);
})

/** A consumer that writes down what it is told; `fail` may die of it, after it was written. */
export const counting = Effect.fn("Feeds.counting")(function* (
  name: string,
  fail: (events: ReadonlyArray<FeedEvent>) => Effect.Effect<void> = () => Effect.void
) {
  const sql = yield* SqlClient.SqlClient
  const tenantSql = yield* TenantSql
  const consumer: EventConsumer = {
    name,
    handle: Effect.fnUntraced(function* (events) {
      const tenant = yield* CurrentTenant
      for (const { id, position, sequence: seq, subject } of events) {
        yield* tenantSql.write(sql`
          INSERT INTO told (tenant_id, consumer, position, subject, sequence, event_id)
          VALUES (${tenant}, ${name}, ${position}, ${subject}, ${seq}, ${id})
        `)
      }
      yield* fail(events)
    }, Effect.orDie)
  }
  return consumer
})

/** Lets a consumer take what is there, until it has all. */
export const consume = (consumer: EventConsumer) =>
  Effect.gen(function* () {
    const consumers = yield* EventConsumers
    while ((yield* consumers.consumeBatch(consumer)).more);
  })

interface Told {
  readonly position: number
  readonly subject: string
  readonly sequence: number
  readonly eventId: string
}

/** What a consumer was told, in that order. */
export const told = (name: string) =>
  Effect.gen(function* () {
    const sql = yield* PgTest.SuperuserSql
    return yield* sql<Told>`
      SELECT position::float8 AS position, replace(subject, 'client:', '') AS subject, sequence, event_id
      FROM told
      WHERE tenant_id = ${yield* CurrentTenant} AND consumer = ${name} ORDER BY nth
    `
  })

/** The tenant's feed as a superuser sees it. */
export const feed = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  return yield* sql<Omit<Told, "eventId">>`
    SELECT position::float8 AS position, replace(subject, 'client:', '') AS subject, seq AS sequence
    FROM event_feed
    WHERE tenant_id = ${yield* CurrentTenant} ORDER BY position
  `
})

/** How many events there are, and how many of them wait for a position. */
export const counts = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const tenant = yield* CurrentTenant
  const [row] = yield* sql<{ readonly events: number; readonly waiting: number }>`
    SELECT (SELECT count(*)::int FROM event WHERE tenant_id = ${tenant}) AS events,
      (SELECT count(*)::int FROM event_pending WHERE tenant_id = ${tenant}) AS waiting
  `
  return row!
})

/** What is wrong with places and numbers: each from 1, without a gap, every subject's in order. */
export const faults = (rows: ReadonlyArray<Omit<Told, "eventId">>): ReadonlyArray<string> => {
  const last = new Map<string, number>()
  return rows.flatMap(({ position, sequence: seq, subject }, index) => {
    const before = last.get(subject) ?? 0
    last.set(subject, seq)
    return [
      ...(position === index + 1 ? [] : [`position ${position} is the ${index + 1}th`]),
      ...(seq === before + 1 ? [] : [`${seq} of ${subject} follows ${before}`])
    ]
  })
}
