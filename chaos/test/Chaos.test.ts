/** The harness itself: it finds nothing where nothing is wrong, and each thing that is. */
import { assert, layer } from "@effect/vitest"
import { Context, Data, Effect, Layer, References } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import * as Campaign from "../Campaign.ts"
import * as Verdict from "../model/Verdict.ts"
import * as Report from "../Report.ts"
import * as World from "../World.ts"

class Ended extends Context.Service<Ended, Campaign.Ended>()("@quittance/chaos/test/Ended") {}

const TestLayer = Layer.effect(
  Ended,
  Campaign.run({ kills: 5, workers: 2, policies: 15, pauses: 0, seed: 5 })
).pipe(
  Layer.provide(Layer.succeed(References.MinimumLogLevel, "None")),
  Layer.provideMerge(Reactivity.layer)
)

class Undo extends Data.TaggedError("Undo")<{
  readonly differences: ReadonlyArray<Verdict.Difference>
}> {}

/** The differences with a row damaged, which is undone again. */
const damaged = ({ asSuperuser }: Campaign.Ended, statement: string) =>
  asSuperuser(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const attempt = Effect.gen(function* () {
        const touched = yield* sql.unsafe<object>(statement)
        assert.isAbove(touched.length, 0, statement)
        const { differences } = yield* Verdict.reach(Campaign.products.map(World.productOf))
        return yield* new Undo({ differences })
      })
      const { differences } = yield* Effect.flip(
        Effect.catchIf(sql.withTransaction(attempt), (error) => error._tag !== "Undo", Effect.die)
      )
      return differences
    })
  )

const first = "id = (SELECT min(id) FROM invoice WHERE type = 'INVOICE' AND total > 0)"

const damages = {
  "an amount on a line": `UPDATE invoice SET lines = jsonb_set(lines::jsonb, '{lines,0,5,0}', '1')
    WHERE ${first} RETURNING id`,
  "another day on which it is due": `UPDATE invoice SET due_on = due_on + 1 WHERE ${first} RETURNING id`,
  "another payer": `UPDATE invoice d SET customer_id = (SELECT min(id) FROM customer c
    WHERE c.tenant_id = d.tenant_id AND c.id <> d.customer_id) WHERE ${first} RETURNING id`,
  "another period": `UPDATE invoice SET period_start = period_start - 1 WHERE ${first} RETURNING id`,
  "money that was not paid": `UPDATE invoice SET paid = total, status = 'PAID'
    WHERE id = (SELECT min(id) FROM invoice WHERE type = 'INVOICE' AND paid < total) RETURNING id`,
  "money that was not paid back": `INSERT INTO refund
    SELECT tenant_id, id, policy_id, customer_id, 1, currency, method, reference, recorded_at
    FROM payment ORDER BY id LIMIT 1 RETURNING id`,
  "a write-off that was not asked for": `UPDATE invoice SET status = 'WRITTEN_OFF' WHERE id =
    (SELECT min(id) FROM invoice WHERE type = 'INVOICE' AND paid < total AND status <> 'WRITTEN_OFF')
    RETURNING id`,
  "a state": `UPDATE invoice SET status = CASE status WHEN 'CREDITED' THEN 'INVOICED' ELSE 'CREDITED' END
    WHERE ${first} RETURNING id`,
  "a gap in the numbers": `UPDATE invoice SET number = number + 1000 WHERE ${first} RETURNING id`,
  "a posting to another account": `UPDATE entry SET accounts[1] = 'cash'
    WHERE kind = 'DOCUMENT' AND id = (SELECT min(id) FROM entry WHERE kind = 'DOCUMENT') RETURNING id`,
  "an entry that is missing": `DELETE FROM entry
    WHERE id = (SELECT min(id) FROM entry WHERE kind = 'DOCUMENT') RETURNING id`,
  "a row of the summary that is missing": `DELETE FROM receivable
    WHERE policy_id = (SELECT min(policy_id) FROM receivable) RETURNING policy_id`,
  "the status of a policy": `UPDATE policy SET status = 'POLICY_STOPPED' WHERE id = (SELECT min(id)
    FROM policy WHERE status IN ('POLICY_SIGNED', 'POLICY_STARTED')) RETURNING id`,
  "a policy that is never visited again": `UPDATE policy SET next_due_at = NULL
    WHERE next_due_at IS NOT NULL RETURNING id`,
  "a policy that is still due": `UPDATE policy SET next_due_at = clock_timestamp() - interval '1 day'
    WHERE id = (SELECT min(id) FROM policy WHERE next_due_at IS NOT NULL) RETURNING id`,
  "a policy that is parked": `INSERT INTO parked SELECT tenant_id, id, 'x', clock_timestamp() FROM policy
    LIMIT 1 RETURNING policy_id`,
  "an offer that is parked": `UPDATE branch SET aside = '{"reason": "x"}'
    WHERE id = (SELECT min(id) FROM branch) RETURNING id`
}

layer(TestLayer, { excludeTestServices: true })("after some deaths", (it) => {
  it.effect("everything is as the model has it", () =>
    Effect.gen(function* () {
      const ended = yield* Ended
      const { differences, invoices, entries } = yield* Report.verdict(ended)
      assert.deepStrictEqual(differences, [])
      assert.isAtLeast(ended.toll.kills, 5)
      for (const count of [invoices, entries]) assert.isAbove(count, 0)
    })
  )

  it.effect.each(Object.entries(damages))("finds %s", ([, statement]) =>
    Effect.gen(function* () {
      const differences = yield* damaged(yield* Ended, statement)
      assert.isAbove(differences.length, 0)
    })
  )
})
