/** The feed as it is read: through filters, page by page, and by waiting for more. */
import { assert, layer } from "@effect/vitest"
import { type Caller, ClientId, CurrentCaller } from "@quittance/domain/requests/Caller"
import type { ReadFeed } from "@quittance/domain/events/EventRequests"
import type { FeedPage } from "@quittance/domain/events/EventPage"
import { type EventKind, eventTypes } from "@quittance/domain/EventType"
import { isWanted } from "@quittance/domain/events/EventFilter"
import { EventReadsRepo } from "@quittance/persistence/events/EventReadsRepo"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import * as PgTest from "@quittance/testing/PgTest"
import { example } from "@quittance/domain/values/PrefixedId"
import { Stopping } from "@quittance/domain/requests/Stopping"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { EventReads } from "../../src/events/EventReads.ts"
import { EventSequencer } from "../../src/events/EventSequencer.ts"
import * as Feeds from "../Feeds.ts"
import { drawing } from "../PolicyHistories.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const { inNewTenant, sequence, transaction } = Feeds

const client: Caller = { _tag: "Client", clientId: ClientId.make("reader"), scopes: new Set() }

const read = Effect.fnUntraced(function* (request: ReadFeed) {
  const reads = yield* EventReads
  const text = yield* Effect.provideService(reads.feed(request), CurrentCaller, client)
  const page: FeedPage = JSON.parse(text)
  return page
})

/** All pages of a stream, from the first event on. */
const readAll = Effect.fnUntraced(function* (request: ReadFeed) {
  const events: Array<FeedPage["data"][number]> = []
  let after = 0
  for (;;) {
    const page = yield* read({ ...request, after })
    events.push(...page.data)
    if (!page.hasMore) return events
    assert.isAbove(page.next, after)
    after = page.next
  }
})

const kinds: ReadonlyArray<EventKind> = [
  "user.create",
  "user.update",
  "user.disable",
  "user.enable"
]

const person = (number: number) => `${example("user").slice(0, -1)}${"346789"[number]!}`

const record = (...events: ReadonlyArray<readonly [EventKind, number]>) =>
  EventsRepo.use((repo) =>
    repo.insertOfRecords(
      events.map(([kind, number]) => ({
        kind,
        subject: person(number),
        payload: { userId: person(number) }
      }))
    )
  ).pipe(transaction)

interface Row {
  readonly position: number
  readonly subject: string
  readonly sequence: number
  readonly kind: EventKind
}

/** What a reader of these types should get, computed from all events. */
const expected = Effect.fnUntraced(function* ({ subject, types = ["*"] }: ReadFeed) {
  const sql = yield* PgTest.SuperuserSql
  const rows = yield* sql<Row>`
    SELECT f.position::float8 AS position, f.subject, f.seq AS sequence, e.kind
    FROM event_feed f JOIN event e ON e.tenant_id = f.tenant_id AND e.subject = f.subject AND e.seq = f.seq
    WHERE f.tenant_id = ${yield* CurrentTenant} ORDER BY f.position
  `
  const last = new Map<string, number>()
  return rows
    .filter((row) => subject === undefined || row.subject === subject)
    .filter(({ kind }) => isWanted(types, eventTypes[kind].type))
    .map((row) => {
      const previousSequence = last.get(row.subject) ?? 0
      last.set(row.subject, row.sequence)
      const { position, sequence: number } = row
      return { position, subject: row.subject, sequence: number, previousSequence }
    })
})

const placesOf = (events: FeedPage["data"]) =>
  events.map(({ position, previousSequence, sequence: number, subject }) => ({
    position,
    subject,
    sequence: number,
    previousSequence
  }))

const TestLayer = Layer.mergeAll(EventReads.layer, EventReadsRepo.layer).pipe(
  Layer.provideMerge(Feeds.layer)
)

const filters: ReadonlyArray<ReadonlyArray<string> | undefined> = [
  undefined,
  ["*"],
  ["user.*"],
  ["user.created"],
  ["user.disabled", "user.enabled"],
  ["policy.*"],
  ["policy.*", "user.created"]
]

layer(TestLayer, { excludeTestServices: true })("reading the feed", (it) => {
  it.effect("tells each stream the same, whatever its filter and its pages", () =>
    inNewTenant(
      Effect.gen(function* () {
        const draw = drawing(7)
        for (let round = 0; round < 30; round++) {
          const events = Array.from(
            { length: 1 + draw.below(12) },
            () => [draw.one(kinds), draw.below(5)] as const
          )
          yield* record(...events)
          if (draw.below(3) > 0) yield* EventSequencer.use((each) => each.sequenceBatch)
          for (const types of [draw.one(filters), draw.one(filters)]) {
            const subject = draw.below(2) === 0 ? undefined : person(draw.below(5))
            const request: ReadFeed = {
              count: 1 + draw.below(9),
              ...(types === undefined ? {} : { types }),
              ...(subject === undefined ? {} : { subject })
            }
            assert.deepStrictEqual(
              placesOf(yield* readAll(request)),
              yield* expected(request),
              JSON.stringify(request)
            )
          }
        }
      })
    )
  )

  it.effect("looks past thousands of others for a rare type, some at a time", () =>
    inNewTenant(
      Effect.gen(function* () {
        yield* record(["user.create", 1])
        yield* record(...Array.from({ length: 4500 }, () => ["user.update", 1] as const))
        yield* record(["user.disable", 1])
        yield* sequence
        const first = yield* read({ types: ["user.disabled"] })
        assert.deepInclude(first, { data: [], next: 2000, hasMore: true })
        const events = yield* readAll({ types: ["user.created", "user.disabled"] })
        assert.deepStrictEqual(
          events.map(({ previousSequence }) => previousSequence),
          [0, 1]
        )
      })
    )
  )

  it.effect("ends where there is nothing more, and goes on from where it has ended", () =>
    inNewTenant(
      Effect.gen(function* () {
        assert.deepInclude(yield* read({}), { data: [], next: 0, hasMore: false })
        yield* record(["user.create", 1], ["user.update", 1], ["user.create", 2])
        yield* sequence
        const { next } = yield* read({ count: 2 })
        assert.strictEqual(next, 2)
        assert.lengthOf((yield* read({ after: next })).data, 1)
        // Positions that an older database does not have: the reader sees the epoch, and goes on.
        assert.deepInclude(yield* read({ after: 50 }), { data: [], next: 3, hasMore: false })
      })
    )
  )

  it.effect("has another epoch once the database was restored", () =>
    inNewTenant(
      Effect.gen(function* () {
        const { epoch } = yield* read({})
        assert.strictEqual((yield* read({})).epoch, epoch)
        yield* transaction(EventReadsRepo.use(({ renewEpoch }) => renewEpoch))
        assert.notStrictEqual((yield* read({})).epoch, epoch)
      })
    )
  )

  it.effect("refuses types that nothing is called", () =>
    inNewTenant(
      Effect.gen(function* () {
        const refused = yield* Effect.flip(read({ types: ["user.*", "user.exploded", "usr.*"] }))
        assert.deepInclude(refused, { _tag: "UnknownEventType", types: ["user.exploded", "usr.*"] })
      })
    )
  )

  it.effect("answers who waits as soon as something fits, and holds no connection meanwhile", () =>
    inNewTenant(
      Effect.gen(function* () {
        const sql = yield* PgTest.SuperuserSql
        const waiting = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 8 }, () => read({ types: ["user.disabled"], wait: 25 })),
            { concurrency: "unbounded" }
          )
        )
        // All connections of the pool are there for others while eight wait.
        const others = yield* Effect.all(
          Array.from({ length: 20 }, () => read({})),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(others, 20)
        const [busy] = yield* sql<{ readonly count: number }>`
          SELECT count(*)::int AS count FROM pg_stat_activity
          WHERE datname = current_database() AND state LIKE 'idle in transaction%'
        `
        assert.strictEqual(busy!.count, 0)
        yield* record(["user.create", 1])
        yield* sequence
        yield* record(["user.disable", 1])
        yield* sequence
        for (const page of yield* Fiber.join(waiting)) {
          assert.deepStrictEqual(
            page.data.map(({ type }) => type),
            ["user.disabled"]
          )
        }
      })
    )
  )

  it.effect("answers who waits when the program is about to stop", () =>
    inNewTenant(
      Effect.gen(function* () {
        const stopping = yield* Deferred.make<void>()
        const waiting = yield* read({ wait: 25 }).pipe(
          Effect.provideService(Stopping, Deferred.await(stopping)),
          Effect.forkChild
        )
        yield* Effect.forEach(Array.from({ length: 10 }), () => read({}), { discard: true })
        assert.isUndefined(waiting.pollUnsafe())
        yield* Deferred.succeed(stopping, undefined)
        assert.deepInclude(yield* Fiber.join(waiting), { data: [], next: 0, hasMore: false })
      })
    )
  )

  it.effect("answers at once where too many of a tenant wait", () =>
    inNewTenant(
      Effect.gen(function* () {
        const waiting = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 9 }, () => read({ wait: 25 })),
            { concurrency: "unbounded" }
          )
        )
        // The ninth is answered without having waited; then the others are told of an event.
        yield* Effect.forEach(Array.from({ length: 30 }), () => read({}), { discard: true })
        yield* record(["user.create", 1])
        yield* sequence
        const pages = yield* Fiber.join(waiting)
        assert.lengthOf(
          pages.filter(({ data }) => data.length === 0),
          1
        )
      })
    )
  )
})
