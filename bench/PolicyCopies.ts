/** Copies of a policy's rows in bulk: as a database has them that has sold many, without selling them. */
import type { PolicyId } from "@quittance/domain/Policy"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { policyIdOf, suffixSql } from "./PolicyIds.ts"

const perStatement = 20_000

/** How the columns of the n-th copy differ, by table. */
const differences = (id: PolicyId) => {
  const policyId = `'policy_test_' || ${suffixSql("n")}`
  const branchId = (column: string) =>
    `'branch_test_' || ${suffixSql("n", 20)} || right(${column}, 1)`
  return {
    policy: {
      id: policyId,
      incremental_id: "incremental_id + n",
      external_id: "NULL",
      next_due_at: "NULL",
      default_branch_id: branchId("default_branch_id")
    },
    branch: { id: branchId("id"), policy_id: policyId },
    validity: {
      policy_id: policyId,
      branch_id: branchId("branch_id"),
      entity_id: `CASE entity_kind WHEN 'POLICY' THEN ${policyId} ELSE entity_id END`
    },
    policy_answer: { policy_id: policyId, body: `replace(body, '${id}', ${policyId})` }
  } satisfies Record<string, Record<string, string>>
}

/** Makes the policies 1 to `count` of one that is there, as a superuser. */
export const make = Effect.fn("PolicyCopies.make")(function* (id: PolicyId, count: number) {
  const sql = yield* SqlClient.SqlClient
  for (const [table, changed] of Object.entries(differences(id))) {
    const columns = yield* sql<{ readonly name: string }>`
      SELECT column_name AS name FROM information_schema.columns
      WHERE table_name = ${table} AND is_generated = 'NEVER'
    `
    const names = columns.map(({ name }) => name)
    const values = names.map((name) => new Map(Object.entries(changed)).get(name) ?? name)
    const key = table === "policy" ? "id" : "policy_id"
    for (let first = 1; first <= count; first += perStatement) {
      const last = Math.min(count, first + perStatement - 1)
      yield* sql.withTransaction(
        Effect.andThen(
          sql`SET LOCAL session_replication_role = replica`,
          sql.unsafe(
            `INSERT INTO ${table} (${names.join(", ")}) SELECT ${values.join(", ")}
             FROM ${table}, generate_series(${first}, ${last}) n WHERE ${key} = '${id}'`
          )
        )
      )
    }
    yield* sql.unsafe(`VACUUM ANALYZE ${table}`)
  }
})

/** Gives a copy so many states, an hour each; answers the instants in the middle of some of them. */
export const change = Effect.fn("PolicyCopies.change")(function* (n: number, states: number) {
  const sql = yield* SqlClient.SqlClient
  const id = policyIdOf(n)
  yield* sql`
    WITH present AS (
      DELETE FROM validity v USING policy p
      WHERE v.policy_id = ${id} AND v.entity_id = ${id} AND p.id = v.policy_id
        AND v.branch_id = p.default_branch_id AND v.valid_to > clock_timestamp() + interval '9 years'
      RETURNING v.*
    )
    INSERT INTO validity (tenant_id, policy_id, branch_id, entity_id, entity_kind, valid_from,
      valid_to, state)
    SELECT tenant_id, policy_id, branch_id, entity_id, entity_kind, valid_from + k * interval '1 hour',
      CASE k WHEN ${states}::int - 1 THEN valid_to ELSE valid_from + (k + 1) * interval '1 hour' END,
      state || jsonb_build_object('name', 'State ' || k)
    FROM present, generate_series(0, ${states}::int - 1) k
  `
  yield* sql`DELETE FROM policy_answer WHERE policy_id = ${id}`
  const rows = yield* sql<{ readonly at: Date }>`
    SELECT valid_from + interval '30 minutes' AS at FROM validity
    WHERE policy_id = ${id} AND entity_id = ${id} ORDER BY valid_from
  `
  return rows.filter((_, place) => place % 16 === 8).map(({ at }) => at.toISOString())
})
