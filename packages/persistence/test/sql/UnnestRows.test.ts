/** Rows arrive in a statement as they were, whatever is in their texts. */
import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as PgTest from "@quittance/testing/PgTest"
import { unnested } from "../../src/sql/UnnestRows.ts"

const Text = Schema.Union([
  // PostgreSQL has no text with a zero byte.
  Schema.String.check(Schema.makeFilter((text) => !text.includes("\0") && text.isWellFormed())),
  Schema.Literals(["", "NULL", "null", "{a,b}", 'a "b" \\ c', "a\\n\nb", "'", "é, ü", "{}", " "])
])
const Whole = Schema.Int.check(Schema.isBetween({ minimum: -1e15, maximum: 1e15 }))
const Row = Schema.Struct({
  text: Schema.NullOr(Text),
  texts: Schema.NullOr(Schema.Array(Text)),
  whole: Schema.NullOr(Whole),
  wholes: Schema.NullOr(Schema.Array(Whole)),
  yes: Schema.NullOr(Schema.Boolean),
  json: Schema.NullOr(Schema.Array(Text)),
  day: Schema.NullOr(Schema.Literals(["2024-02-29", "0001-01-01"]))
})

const types = {
  text: "text",
  texts: "text[]",
  whole: "bigint",
  wholes: "bigint[]",
  yes: "boolean",
  json: "json",
  day: "date"
} as const

layer(PgTest.layer, { excludeTestServices: true })("rows as arrays of columns", (it) => {
  it.effect.prop(
    "come back as they were",
    [Schema.Array(Row)],
    Effect.fnUntraced(function* ([rows]) {
      const sql = yield* SqlClient.SqlClient
      const found = yield* sql<{ readonly row: unknown }>`
        SELECT to_jsonb(r) AS row FROM ${unnested(sql, rows, types)} AS r
      `
      // JSON knows one zero.
      const same = JSON.parse(JSON.stringify(rows)) as unknown
      assert.deepStrictEqual(
        found.map(({ row }) => row),
        same
      )
    }),
    { arbitrary: { runs: 150 } }
  )
})
