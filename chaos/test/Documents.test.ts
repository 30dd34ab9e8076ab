/** What judges documents after a campaign: it finds nothing wrong, and each thing that is. */
import { assert, layer } from "@effect/vitest"
import { Context, Data, Effect, Layer, References } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import * as Documents from "../documents/Main.ts"
import * as Verdict from "../documents/Verdict.ts"

class Ended extends Context.Service<Ended, Documents.Ended>()(
  "@quittance/chaos/test/DocumentsEnded"
) {}

const TestLayer = Layer.effect(Ended, Documents.campaign({ kills: 2, workers: 1, seed: 7 })).pipe(
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "None")),
  Layer.provideMerge(Reactivity.layer)
)

class Undo extends Data.TaggedError("Undo")<{ readonly faults: ReadonlyArray<string> }> {}

/** The faults once rows were damaged, which is undone again. */
const damaged = ({ asSuperuser, reads }: Documents.Ended, statement: string) =>
  asSuperuser(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const attempt = Effect.gen(function* () {
        yield* sql`SET LOCAL session_replication_role = replica`
        const touched = yield* sql.unsafe<object>(statement)
        assert.isAbove(touched.length, 0, statement)
        return yield* new Undo({ faults: (yield* Verdict.reach(reads.given)).faults })
      })
      const { faults } = yield* Effect.flip(
        Effect.catchIf(sql.withTransaction(attempt), (error) => error._tag !== "Undo", Effect.die)
      )
      return faults
    })
  )

const one = "(SELECT id FROM document WHERE origin = 'GENERATED' AND status = 'READY' LIMIT 1)"

const damages: ReadonlyArray<readonly [statement: string, found: RegExp]> = [
  [`DELETE FROM document WHERE id = ${one} RETURNING id`, /^1 documents are lost/u],
  [
    `UPDATE document SET definition_id = 'OTHER' WHERE id = ${one} RETURNING id`,
    /^1 documents were not called for/u
  ],
  [
    `UPDATE document SET sha256 = repeat('0', 64) WHERE id = ${one} RETURNING id`,
    /was read as [0-9a-f]{64}, and is 0{64}$/u
  ],
  [
    `UPDATE document SET status = 'PENDING' WHERE id = ${one} RETURNING id`,
    /^no document waits for ever/u
  ],
  [
    `INSERT INTO document_making (tenant_id, document_id)
     SELECT tenant_id, id FROM document WHERE id = ${one} RETURNING document_id`,
    /^no document waits for a maker/u
  ],
  [
    `UPDATE content SET stored_at = NULL WHERE address =
     (SELECT content_address FROM document WHERE id = ${one}) RETURNING address`,
    /^what is ready has bytes/u
  ],
  [
    `DELETE FROM event WHERE kind = 'document.ready' AND payload->>'documentId' = ${one}
     RETURNING id`,
    /^what is ready is told of once/u
  ],
  [`UPDATE document SET version = 9 WHERE id = ${one} RETURNING id`, /^versions count on/u],
  [`UPDATE document SET number = 9 WHERE id = ${one} RETURNING id`, /^endorsements count on/u]
]

layer(TestLayer, { excludeTestServices: true, timeout: "10 minutes" })(
  "what judges documents",
  (it) => {
    it.effect("finds nothing wrong after programs and renderers were killed", () =>
      Effect.gen(function* () {
        const ended = yield* Ended
        const { documents, faults, ready } = yield* Documents.judge(ended)
        assert.deepStrictEqual([...faults, ...ended.reads.faults], [])
        assert.strictEqual(ended.orphans, 0)
        assert.isAtLeast(ended.toll.kills, 2)
        assert.isAtLeast(documents, 20)
        assert.isAtLeast(ready, 10)
      })
    )

    it.effect("finds a document that is lost, doubled, unmade, or has other bytes", () =>
      Effect.gen(function* () {
        const ended = yield* Ended
        for (const [statement, found] of damages) {
          const faults = yield* damaged(ended, statement)
          assert.isTrue(
            faults.some((fault) => found.test(fault)),
            `${statement}: ${faults.join("; ")}`
          )
        }
      })
    )
  }
)
