import { assert, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as PgTest from "@quittance/testing/PgTest"
import { find, rules } from "../SchemaRules.ts"

class Undone extends Schema.TaggedError<Undone>()("Undone", { found: Schema.Int }) {}

layer(PgTest.layer)("the schema", (it) => {
  it.effect.each(Object.entries(rules))("keeps the rule: %s", ([, rule]) =>
    Effect.gen(function* () {
      const sql = yield* PgTest.SuperuserSql

      assert.deepStrictEqual(yield* find(sql, rule), [])
    })
  )

  it.effect.each(Object.entries(rules))("would be seen to break the rule: %s", ([, rule]) =>
    Effect.gen(function* () {
      const sql = yield* PgTest.SuperuserSql
      const broken = Effect.forEach(rule.breach, (statement) => sql.unsafe(statement)).pipe(
        Effect.andThen(find(sql, rule)),
        Effect.flatMap((rows) => new Undone({ found: rows.length })),
        sql.withTransaction,
        Effect.flip
      )

      const outcome = yield* broken

      assert.isTrue(outcome._tag === "Undone" && outcome.found > 0)
    })
  )
})
