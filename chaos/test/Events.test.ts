/** What compares the feed with what consumers were told: it finds nothing wrong, and each thing that is. */
import { assert, layer } from "@effect/vitest"
import { Context, Data, Effect, Layer, References } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import * as Arrivals from "../events/Arrivals.ts"
import * as Events from "../events/Main.ts"
import * as Verdict from "../events/Verdict.ts"

type Campaign = Effect.Success<ReturnType<typeof Events.campaign>>
class Ended extends Context.Service<Ended, Campaign>()("@quittance/chaos/test/EventsEnded") {}

const TestLayer = Layer.effect(Ended, Events.campaign({ kills: 3, workers: 2, seed: 7 })).pipe(
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "None")),
  Layer.provideMerge(Reactivity.layer)
)

class Undo extends Data.TaggedError("Undo")<{ readonly faults: ReadonlyArray<string> }> {}

/** The faults once rows were damaged, which is undone again. */
const damaged = (
  { asSuperuser }: Campaign,
  statement: string,
  verdict: Effect.Effect<
    { readonly faults: ReadonlyArray<string> },
    SqlError.SqlError,
    SqlClient.SqlClient
  >
) =>
  asSuperuser(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const attempt = Effect.gen(function* () {
        yield* sql`SET LOCAL session_replication_role = replica`
        const touched = yield* sql.unsafe<object>(statement)
        assert.isAbove(touched.length, 0, statement)
        return yield* new Undo({ faults: (yield* verdict).faults })
      })
      const { faults } = yield* Effect.flip(
        Effect.catchIf(sql.withTransaction(attempt), (error) => error._tag !== "Undo", Effect.die)
      )
      return faults
    })
  )

const isLast =
  "tenant_id = 'chaos-1' AND position = (SELECT max(position) FROM event_feed WHERE tenant_id = 'chaos-1')"

const damages: ReadonlyArray<readonly [fault: string, statement: string]> = [
  [
    "an event is told twice",
    `INSERT INTO told (tenant_id, consumer, position, subject, sequence, event_id)
     SELECT tenant_id, consumer, position, subject, sequence, event_id FROM told
     WHERE tenant_id = 'chaos-1' AND consumer = 'second' AND position = 3 RETURNING *`
  ],
  [
    "an event reaches no consumer",
    "DELETE FROM told WHERE tenant_id = 'chaos-2' AND consumer = 'first' AND position = 2 RETURNING *"
  ],
  [
    "two events are told in the other order",
    `UPDATE told SET position = 5 - position, (subject, sequence, event_id) = (
       SELECT o.subject, o.sequence, o.event_id FROM told o WHERE o.tenant_id = told.tenant_id
         AND o.consumer = told.consumer AND o.position = 5 - told.position)
     WHERE tenant_id = 'chaos-1' AND consumer = 'third' AND position IN (2, 3) RETURNING *`
  ],
  ["an event has no position", `DELETE FROM event_feed WHERE ${isLast} RETURNING *`],
  [
    "an event is gone",
    "DELETE FROM event WHERE (tenant_id, subject, seq) IN (SELECT tenant_id, subject, seq FROM event_feed WHERE position = 2) RETURNING *"
  ],
  [
    "a position is left out",
    `UPDATE event_feed SET position = position + 1 WHERE ${isLast} RETURNING *`
  ],
  [
    "positions of a subject are exchanged",
    `UPDATE event_feed f SET seq = 3 - seq + 1000000 FROM (
       SELECT subject FROM event WHERE tenant_id = 'chaos-1' AND seq = 2 LIMIT 1) s
     WHERE f.tenant_id = 'chaos-1' AND f.subject = s.subject AND f.seq IN (1, 2) RETURNING f.*`
  ],
  [
    "an event still waits",
    "INSERT INTO event_pending (tenant_id, subject, seq) VALUES ('chaos-1', 'x', 1) RETURNING *"
  ],
  [
    "a consumer has not come to the end",
    "UPDATE event_consumer SET position = position - 1 WHERE name = 'first' RETURNING *"
  ],
  ["a policy counts an event too many", "UPDATE policy SET event_seq = event_seq + 1 RETURNING id"],
  ["a subject counts an event too many", "UPDATE subject_head SET seq = seq + 1 RETURNING seq"]
]

const undelivered: ReadonlyArray<readonly [fault: string, statement: string]> = [
  [
    "an event has not arrived",
    `UPDATE webhook SET filters = '[{"after": 0, "types": ["*"]}]'::jsonb RETURNING id`
  ],
  [
    "an event has arrived that was not asked for",
    `UPDATE webhook SET filters = '[{"after": 0, "types": ["product.*"]}]'::jsonb RETURNING id`
  ],
  ["a lane waits", "UPDATE webhook_lane SET due_at = now() RETURNING subject"],
  ["a lane is taken", "UPDATE webhook_lane SET claim = 'x' RETURNING subject"],
  ["a lane has not come to its end", "UPDATE webhook_lane SET done_seq = 0 RETURNING subject"],
  [
    "an event is left",
    `INSERT INTO webhook_dead (tenant_id, webhook_id, event_id, subject, seq, previous, died_at, outcome)
     SELECT tenant_id, webhook_id, 'x', 'x', 1, 0, now(), 'STATUS' FROM webhook_stream LIMIT 1 RETURNING *`
  ],
  [
    "an endpoint is behind the feed",
    "UPDATE webhook_stream SET position = position - 1 RETURNING webhook_id"
  ]
]

layer(TestLayer, { excludeTestServices: true, timeout: "5 minutes" })(
  "the verdict on events",
  (it) => {
    it.effect("finds nothing after workers were killed", () =>
      Effect.gen(function* () {
        const { asSuperuser, endpoints, toll } = yield* Ended
        const { events, faults } = yield* asSuperuser(Verdict.reach)
        const arrivals = yield* asSuperuser(Arrivals.compare(endpoints))
        assert.deepStrictEqual([faults, arrivals.faults], [[], []])
        assert.isAbove(arrivals.taken, 100)
        assert.isAbove(events, 100)
        assert.isAtLeast(toll.kills, 3)
      })
    )

    it.effect.each(damages)("finds that %s", ([, statement]) =>
      Effect.gen(function* () {
        assert.isNotEmpty(yield* damaged(yield* Ended, statement, Verdict.reach))
      })
    )

    it.effect.each(undelivered)("finds that %s", ([, statement]) =>
      Effect.gen(function* () {
        const ended = yield* Ended
        const verdict = Arrivals.compare(ended.endpoints)
        assert.isNotEmpty(yield* damaged(ended, statement, verdict))
      })
    )
  }
)
