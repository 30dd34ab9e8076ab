/** Copies of a policy's rows in bulk: as a database has them that has sold many, without selling them. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { policyIdOf, suffixSql } from "./PolicyIds.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"

const perStatement = 20_000

/** By table, how the columns of the n-th copy differ, as SQL. */
type Differences = Readonly<Record<string, Readonly<Record<string, string>>>>

const policyIdSql = `'policy_test_' || ${suffixSql("n")}`

/** How the n-th copy of a branch is called: by the place of the original among the policy's own. */
type BranchIdSql = (column: string) => string

const branchIdSqlOf = Effect.fnUntraced(function* (id: PolicyId) {
  const sql = yield* SqlClient.SqlClient
  const branches = yield* sql<{ readonly id: string }>`
    SELECT id FROM branch WHERE policy_id = ${id} ORDER BY id
  `
  const places = branches.map((branch, place) => `WHEN '${branch.id}' THEN '${placeOf(place)}'`)
  const branchIdSql: BranchIdSql = (column) =>
    `'branch_test_' || ${suffixSql("n", 19)} || CASE ${column} ${places.join(" ")} END`
  return branchIdSql
})

/** Two characters of the alphabet of identifiers. */
const placeOf = (place: number): string => policyIdOf(place).slice(-2)

/** What a read of a policy needs. */
const readable = (id: PolicyId, branchIdSql: BranchIdSql): Differences => ({
  policy: {
    id: policyIdSql,
    incremental_id: "incremental_id + n",
    external_id: "NULL",
    next_due_at: "NULL",
    default_branch_id: branchIdSql("default_branch_id")
  },
  branch: { id: branchIdSql("id"), policy_id: policyIdSql },
  validity: {
    policy_id: policyIdSql,
    branch_id: branchIdSql("branch_id"),
    entity_id: `CASE entity_kind WHEN 'POLICY' THEN ${policyIdSql} ELSE entity_id END`
  },
  policy_answer: { policy_id: policyIdSql, body: `replace(body, '${id}', ${policyIdSql})` }
})

/** Makes the policies 1 to `count` of one that is there, to be read, as a superuser. */
export const make = Effect.fn("PolicyCopies.make")(function* (id: PolicyId, count: number) {
  yield* copy(id, count, readable(id, yield* branchIdSqlOf(id)))
})

/**
 * Makes policies without invoices, each with a customer and a quote of its own, all of
 * them due now.
 */
export const makeDue = Effect.fn("PolicyCopies.makeDue")(function* (id: PolicyId, count: number) {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly customerId: string; readonly quoteId: string }>`
    SELECT l.customer_id, (SELECT q.id FROM quote q WHERE q.policy_id = ${id} LIMIT 1) AS quote_id
    FROM customer_policy l WHERE l.policy_id = ${id}
  `
  const { customerId, quoteId } = found!
  const customerIdSql = `'customer_test_' || ${suffixSql("n")}`
  const quoteIdSql = `'quote_test_' || ${suffixSql("n")}`
  const renamed = (column: string) =>
    `replace(replace(${column}::text, '${customerId}', ${customerIdSql}), '${quoteId}', ${quoteIdSql})::jsonb`
  const branchIdSql = yield* branchIdSqlOf(id)
  const { branch, policy, validity } = readable(id, branchIdSql)
  yield* copy(id, count, {
    policy: { ...policy, next_due_at: "created_at" },
    branch: branch!,
    policy_change: {
      policy_id: policyIdSql,
      id: `'change_test_' || ${suffixSql("n", 19)} || ${suffixSql("seq", 2)}`,
      branch_id: branchIdSql("branch_id"),
      patch: renamed("patch")
    },
    validity: {
      ...validity,
      entity_id: `CASE entity_kind WHEN 'POLICY' THEN ${policyIdSql}
        WHEN 'CUSTOMER' THEN ${customerIdSql} ELSE entity_id END`,
      state: renamed("state")
    },
    quote: { policy_id: policyIdSql, id: quoteIdSql, branch_id: branchIdSql("branch_id") },
    customer: { id: customerIdSql },
    customer_policy: { policy_id: policyIdSql, customer_id: customerIdSql, ordinal: "ordinal + n" }
  })
  yield* sql`UPDATE due_tenant SET next_due_at = clock_timestamp() - interval '1 day'`
  yield* sql`
    INSERT INTO due_tenant SELECT tenant_id, clock_timestamp() - interval '1 day' FROM policy
    WHERE id = ${id} ON CONFLICT DO NOTHING
  `
})

const copy = Effect.fnUntraced(function* (id: PolicyId, count: number, differences: Differences) {
  const sql = yield* SqlClient.SqlClient
  for (const [table, changed] of Object.entries(differences)) {
    const columns = yield* sql<{ readonly name: string }>`
      SELECT column_name AS name FROM information_schema.columns
      WHERE table_name = ${table} AND is_generated = 'NEVER'
    `
    const names = columns.map(({ name }) => name)
    const values = names.map((name) => new Map(Object.entries(changed)).get(name) ?? name)
    const which = {
      policy: `id = '${id}'`,
      customer: `id IN (SELECT customer_id FROM customer_policy WHERE policy_id = '${id}')`
    }
    const own = new Map(Object.entries(which)).get(table) ?? `policy_id = '${id}'`
    for (let first = 1; first <= count; first += perStatement) {
      const last = Math.min(count, first + perStatement - 1)
      yield* sql.withTransaction(
        Effect.andThen(
          sql`SET LOCAL session_replication_role = replica`,
          sql.unsafe(
            `INSERT INTO ${table} (${names.join(", ")}) SELECT ${values.join(", ")}
             FROM ${table}, generate_series(${first}, ${last}) n WHERE ${own}`
          )
        )
      )
    }
    yield* sql.unsafe(`VACUUM ANALYZE ${table}`)
  }
  // Otherwise the next reader would write what was copied.
  yield* sql`CHECKPOINT`
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
