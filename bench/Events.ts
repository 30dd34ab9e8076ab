/**
 * The feed of events: a page of it against the same query written by hand, what placing an
 * event costs against recording it, and what its event adds to a write.
 */
import { ClientId, CurrentCaller, type Scope } from "@quittance/domain/requests/Caller"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { example } from "@quittance/domain/values/PrefixedId"
import { EventReads } from "@quittance/operations/events/EventReads"
import { EventSequencer } from "@quittance/operations/events/EventSequencer"
import { actorOf, operator } from "@quittance/operations/requests/Actor"
import { AuditTrail } from "@quittance/operations/requests/AuditTrail"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import * as TestServer from "@quittance/testing/TestServer"
import { ConfigProvider, Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { compare } from "./Interleaved.ts"
import { suffixSql } from "./PolicyIds.ts"
import { sized } from "./Smoke.ts"

const few = { tenant: TenantId.make("few"), events: sized(20_000, 500) }
const isMillion = process.argv.includes("--million")
const many = {
  tenant: TenantId.make("many"),
  events: isMillion ? 10_000_000 : sized(1_000_000, 1000)
}
const writing = TenantId.make("writing")
const subjects = 100
const perPage = 100
const batch = 2000

/** A feed in bulk, as a superuser: the events of so many subjects, one after the other. */
const fill = Effect.fn("Events.fill")(function* ({ events, tenant }: typeof few) {
  const sql = yield* SqlClient.SqlClient
  const rows = `(SELECT n, 'user_test_' || ${suffixSql(`(n % ${subjects})`)} AS subject,
    1 + n / ${subjects} AS seq FROM generate_series(0, ${events - 1}) n) e`
  yield* sql.withTransaction(
    Effect.all([
      sql`SET LOCAL session_replication_role = replica`,
      sql`SET LOCAL synchronous_commit = on`,
      sql.unsafe(`
        INSERT INTO event (tenant_id, subject, seq, id, kind, occurred_at, recorded_at, payload)
        SELECT '${tenant}', subject, seq, 'event_test_' || ${suffixSql("n")}, 'user.update', now(), now(),
          jsonb_build_object('userId', subject)
        FROM ${rows}
      `),
      sql.unsafe(`
        INSERT INTO event_feed (tenant_id, position, subject, seq)
        SELECT '${tenant}', n + 1, subject, seq FROM ${rows}
      `),
      sql.unsafe(`INSERT INTO event_head (tenant_id, position) VALUES ('${tenant}', ${events})`)
    ])
  )
})

/** Somewhere in a feed; the same places in each run. */
const placeIn = ({ events }: typeof few, turn: number) =>
  (turn * 7919 * perPage) % (events - perPage)

const readers = Effect.fn("Events.readers")(function* (superuser: SqlClient.SqlClient) {
  const reads = yield* EventReads
  const page = (feed: typeof few) => (turn: number) =>
    reads.feed({ after: placeIn(feed, turn), count: perPage }).pipe(
      Effect.provideService(CurrentTenant, feed.tenant),
      Effect.provideService(CurrentCaller, {
        _tag: "Client",
        clientId: ClientId.make("reader"),
        scopes: new Set<Scope>()
      }),
      Effect.orDie
    )
  const byHand = (turn: number) =>
    superuser.unsafe(`
      SELECT f.position, f.subject, f.seq, e.id, e.kind, e.occurred_at, e.recorded_at, e.payload
      FROM event_feed f JOIN event e USING (tenant_id, subject, seq)
      WHERE f.tenant_id = '${many.tenant}' AND f.position > ${placeIn(many, turn)}
      ORDER BY f.position LIMIT ${perPage}
    `)
  const options = { rounds: 15, operationsPerRound: 40, concurrency: 1 }
  const size = `${perPage} of ${many.events} events`
  return [
    yield* compare(`${size} ÷ the same SQL by hand`, 1.5, byHand, page(many), options),
    yield* compare(`${size} ÷ of ${few.events}`, 1.3, page(few), page(many), options)
  ]
})

const writers = Effect.gen(function* () {
  const audit = yield* AuditTrail
  const events = yield* EventsRepo
  const sequencer = yield* EventSequencer
  const tenantSql = yield* TenantSql
  const userId = example("user")
  const record = tenantSql.transaction(
    events.insertOfRecords(
      Array.from({ length: batch }, (_, number) => ({
        kind: "user.update",
        subject: `client:${number % subjects}`,
        payload: { userId }
      }))
    )
  )
  const write = (action: string) =>
    tenantSql.transaction(
      audit.recordAll(actorOf(operator, "operator"), [{ action, recordId: userId }])
    )
  // So that a batch always waits, whichever is first.
  yield* Effect.all([record, record])
  const some = { rounds: 15, operationsPerRound: 2, concurrency: 1 }
  const single = { rounds: 15, operationsPerRound: 100, concurrency: 1 }
  return [
    yield* compare(
      `${batch} events placed ÷ recorded`,
      1,
      () => record,
      () => sequencer.sequenceBatch,
      some
    ),
    yield* compare(
      "a write of one row that is told as an event ÷ one that is not",
      1.5,
      () => write("user.signIn.start"),
      () => write("user.update"),
      single
    )
  ]
}).pipe(Effect.provideService(CurrentTenant, writing))

/** A million rows are written longer than any statement of the product may take. */
const patient = ConfigProvider.fromUnknown({ DATABASE_STATEMENT_TIMEOUT: "30 minutes" })

export const bench = Effect.gen(function* () {
  const database = yield* TestServer.database(yield* TestServer.start)
  const superuser = yield* Sql.pool(database.superuserUrl, "postgres").pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, patient)
  )
  const services = yield* Layer.build(
    Layer.mergeAll(
      AuditTrail.layer,
      EventReads.layer,
      EventSequencer.layer,
      EventsRepo.layer,
      TenantsRepo.layer
    ).pipe(
      Layer.provideMerge([Ids.layer, TenantSql.layer]),
      Layer.provide(Sql.succeed(yield* Sql.pool(database.url, runtimeRole)))
    )
  )
  return yield* Effect.gen(function* () {
    const tenantSql = yield* TenantSql
    for (const id of [few.tenant, many.tenant, writing]) {
      yield* tenantSql
        .transaction(TenantsRepo.use((tenants) => tenants.insert(sandboxTenant(id))))
        .pipe(Effect.provideService(CurrentTenant, id))
    }
    const filling = Effect.forEach([few, many], fill, { discard: true })
    yield* Effect.provideService(filling, SqlClient.SqlClient, superuser)
    yield* superuser`VACUUM ANALYZE event`
    yield* superuser`VACUUM ANALYZE event_feed`
    return [...(yield* readers(superuser)), ...(yield* writers)]
  }).pipe(Effect.provideContext(services))
}).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
