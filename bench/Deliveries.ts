/**
 * What senders of webhooks carry: events a second against undici alone, and beside an endpoint that hangs.
 * Then what a dispatcher does with them.
 */
import * as webhooks from "@quittance/dispatcher/webhooks"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { example } from "@quittance/domain/values/PrefixedId"
import { EventSequencer } from "@quittance/operations/events/EventSequencer"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { WebhookSender } from "@quittance/operations/webhooks/WebhookSender"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { sandboxTenant } from "@quittance/testing/SandboxTenant"
import * as TestServer from "@quittance/testing/TestServer"
import { Effect, Fiber, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { Agent } from "undici"
import { type Receiver, rewind, until } from "./Deliverable.ts"
import * as DispatcherAtWork from "./DispatcherAtWork.ts"
import * as Endpoints from "./Endpoints.ts"
import { type Bar, median } from "./Interleaved.ts"
import { keyEncryptionKey } from "./PolicyWorld.ts"
import { sized } from "./Smoke.ts"

const tenants = 10
/** Records of each tenant, all of which have something to send: 2,000 lanes. */
const subjects = sized(200, 10)
const eventsOfSubject = 5
const rounds = sized(5, 1)
const eventsOfTenant = subjects * eventsOfSubject

const tenantOf = (number: number) => TenantId.make(`lanes-${number}`)
const numbers = Array.from({ length: tenants }, (_, number) => number)

/** Records events of all subjects of a tenant, and makes it an endpoint that gets all of them. */
const fill = Effect.fnUntraced(function* (number: number, url: string) {
  const tenant = tenantOf(number)
  const tenantSql = yield* TenantSql
  const write = Effect.gen(function* () {
    yield* TenantsRepo.use((repo) => repo.insert(sandboxTenant(tenant)))
    const userId = example("user")
    for (let turn = 0; turn < eventsOfSubject; turn++) {
      const events = Array.from({ length: subjects }, (_, subject) => ({
        kind: "user.update" as const,
        subject: `client:lane-${subject}`,
        payload: { userId }
      }))
      yield* EventsRepo.use((repo) => repo.insertOfRecords(events))
    }
  })
  yield* tenantSql.transaction(write).pipe(Effect.provideService(CurrentTenant, tenant))
  yield* Endpoints.create(tenant, {
    url,
    types: ["*"],
    concurrency: 32,
    perSecond: 1000,
    from: "BEGINNING"
  })
})

const timed = <A, E, R>(count: number, work: Effect.Effect<A, E, R>) =>
  Effect.suspend(() => {
    const started = performance.now()
    return Effect.map(work, () => ((performance.now() - started) * 1000) / count)
  })

/** Sends the same body as often, by nothing but undici. */
const bare = (url: string, body: string, count: number) =>
  Effect.acquireUseRelease(
    Effect.sync(() => new Agent({ connections: 64 })),
    (agent) =>
      Effect.promise(async () => {
        let left = count
        const one = async () => {
          while (left-- > 0) {
            const answer = await agent.request({
              origin: url,
              path: "/",
              method: "POST",
              headers: { "content-type": "application/json" },
              body
            })
            await answer.body.dump()
          }
        }
        await Promise.all(Array.from({ length: 64 }, one))
      }),
    (agent) => Effect.promise(() => agent.close())
  )

/** Has the loops of a dispatcher send all of it while something else goes on. */
const whileSending = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { loops } = yield* webhooks.make()
    const fiber = yield* Effect.forkChild(
      Effect.forEach(loops, ({ run }) => run, { concurrency: "unbounded", discard: true })
    )
    const done = yield* work
    yield* Fiber.interrupt(fiber)
    yield* WebhookSender.use(({ settled }) => settled)
    return done
  })

const sent = (receiver: Receiver, count: number) =>
  Effect.gen(function* () {
    const before = (yield* receiver.ask("count")).count
    return yield* timed(count, until(receiver, before + count))
  })

const body = JSON.stringify({
  id: example("event"),
  type: "user.updated",
  timestamp: "2026-03-01T10:00:00.000Z",
  tenant: "lanes-0",
  environment: "sandbox",
  schema: 1,
  subject: "client:lane-100",
  sequence: 3,
  previousSequence: 2,
  recordedAt: "2026-03-01T10:00:00.000Z",
  data: { userId: example("user") }
})

/** Rounds of all ten endpoints, each beside undici alone. */
const throughput = Effect.fn("Deliveries.throughput")(function* (receiver: Receiver) {
  const count = tenants * eventsOfTenant
  const ours: Array<number> = []
  const theirs: Array<number> = []
  for (let round = 0; round <= rounds; round++) {
    const alone = yield* timed(count, bare(receiver.url, body, count))
    yield* rewind
    const sending = yield* whileSending(sent(receiver, count))
    // The first one fans out as well, and warms up.
    if (round === 0) continue
    theirs.push(alone)
    ours.push(sending)
  }
  return {
    what: `an event of ${tenants * subjects} records sent ÷ by undici alone, which is ${Math.round(1e6 / median(ours))} a second`,
    limit: 2.5,
    ratio: median(ours.map((micros, round) => micros / theirs[round]!)),
    micros: [median(theirs), median(ours)]
  } satisfies Bar
})

/** Nine endpoints, with the tenth hanging and without it. */
const besideHanging = Effect.fn("Deliveries.besideHanging")(function* (receiver: Receiver) {
  const sql = yield* SqlClient.SqlClient
  const hanging = tenantOf(tenants - 1)
  yield* sql`UPDATE webhook SET url = ${`${receiver.url}/hang`} WHERE tenant_id = ${hanging}`
  const count = (tenants - 1) * eventsOfTenant
  const measure = Effect.fnUntraced(function* (hangs: boolean) {
    yield* rewind
    yield* sql`UPDATE webhook_stream SET is_enabled = ${hangs} WHERE tenant_id = ${hanging}`
    return yield* whileSending(
      Effect.tap(sent(receiver, count), () =>
        Effect.andThen(
          sql`UPDATE webhook_stream SET is_enabled = false WHERE tenant_id = ${hanging}`,
          receiver.ask("release")
        )
      )
    )
  })
  const beside: Array<number> = []
  const alone: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    for (const hangs of round % 2 === 0 ? [false, true] : [true, false]) {
      ;(hangs ? beside : alone).push(yield* measure(hangs))
    }
  }
  return {
    what: "an event of nine endpoints beside one that hangs ÷ without it",
    limit: 1.11,
    ratio: median(beside.map((micros, round) => micros / alone[round]!)),
    micros: [median(alone), median(beside)]
  } satisfies Bar
})

export const bench = Effect.gen(function* () {
  const database = yield* TestServer.database(yield* TestServer.start)
  const superuser = yield* Sql.pool(database.superuserUrl, "postgres")
  const services = yield* Layer.build(
    Layer.mergeAll(
      Endpoints.layer,
      EventSequencer.layer,
      EventsRepo.layer,
      TenantsRepo.layer,
      webhooks.layer
    ).pipe(
      Layer.provide([KeyEncryption.layerOf(keyEncryptionKey), OutgoingCalls.layer]),
      Layer.provideMerge([Ids.layer, TenantSql.layer]),
      Layer.provide(Sql.succeed(yield* Sql.pool(database.url, runtimeRole)))
    )
  )
  const receiver = yield* Endpoints.receiver
  return yield* Effect.gen(function* () {
    yield* Effect.forEach(numbers, (number) => fill(number, `${receiver.url}/`))
    const sequencer = yield* EventSequencer
    while ((yield* sequencer.round).more);
    const asSuperuser = Effect.provideService(SqlClient.SqlClient, superuser)
    const carried = yield* asSuperuser(throughput(receiver))
    const beside = yield* asSuperuser(besideHanging(receiver))
    const atWork = yield* DispatcherAtWork.bars(receiver, database.url, superuser)
    return [carried, beside, ...atWork]
  }).pipe(Effect.provideContext(services))
}).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
