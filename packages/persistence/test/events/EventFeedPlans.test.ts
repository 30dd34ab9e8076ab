/** How PostgreSQL places and reads the events of a tenant that has very many. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { EventFeedRepo } from "../../src/events/EventFeedRepo.ts"
import { TenantSql } from "../../src/sql/TenantSql.ts"
import { TenantsRepo } from "../../src/tenants/TenantsRepo.ts"
import * as PgTest from "@quittance/testing/PgTest"
import { inTenant, inTransaction } from "../People.ts"
import { Recording, Statements } from "../Statements.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const Live = EventFeedRepo.layer.pipe(
  Layer.provide(Recording),
  Layer.provideMerge(Statements.layer),
  Layer.provideMerge(TenantsRepo.layer),
  Layer.provideMerge(PgTest.layer)
)

/** 60,000 events of 3,000 subjects, 40,000 of them placed; each of the tables was analysed while empty. */
const eventful = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  const tenantId = yield* CurrentTenant
  yield* sql`ANALYZE event, event_pending, event_feed`
  yield* sql`
    INSERT INTO event (tenant_id, subject, seq, id, kind, occurred_at, recorded_at, payload)
    SELECT ${tenantId}, 'subject-' || n % 3000, 1 + n / 3000, 'event_test_' || lpad(translate((n)::text, '0125', 'ABCD'), 21, 'X'), 'test.happen', now(), now(), '{}'
    FROM generate_series(0, 59999) n
  `
  yield* sql`
    INSERT INTO event_feed (tenant_id, position, subject, seq)
    SELECT tenant_id, row_number() OVER (ORDER BY ticket), subject, seq FROM event_pending
    WHERE tenant_id = ${tenantId} ORDER BY ticket LIMIT 40000
  `
  yield* sql`INSERT INTO event_head (tenant_id, position) VALUES (${tenantId}, 40000)`
  yield* sql`
    DELETE FROM event_pending WHERE tenant_id = ${tenantId} AND ticket IN (
      SELECT ticket FROM event_pending WHERE tenant_id = ${tenantId} ORDER BY ticket LIMIT 40000)
  `
})

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Actual Loops"?: number
  readonly "Actual Rows"?: number
  readonly Plans?: ReadonlyArray<Node>
}

/** The nodes of a statement's plan, after what goes before it in its transaction. */
const nodesOf = Effect.fnUntraced(function* (
  statement: Statement.Fragment,
  before: ReadonlyArray<Statement.Fragment> = []
) {
  const sql = yield* SqlClient.SqlClient
  const { read } = yield* TenantSql
  const explained = read(
    sql<{ readonly queryPlan: ReadonlyArray<{ readonly Plan: Node }> }>`
      EXPLAIN (ANALYZE, FORMAT JSON) ${statement}
    `
  )
  const [row] = yield* inTransaction(
    Effect.andThen(
      Effect.forEach(before, (each) => read(sql`${each}`), { discard: true }),
      explained
    )
  )
  const nodes: Array<Node> = []
  const visit = (node: Node): void => {
    nodes.push(node)
    node.Plans?.forEach(visit)
  }
  Object.values(row ?? {})[0]?.forEach(({ Plan }) => visit(Plan))
  return nodes
})

/** The nodes that read more of a table than a batch of this size asks for. */
const wasteful = (nodes: ReadonlyArray<Node>, batch: number) =>
  nodes.flatMap((node) => {
    const rows = (node["Actual Rows"] ?? 0) * (node["Actual Loops"] ?? 1)
    const isWhole = node["Node Type"] === "Seq Scan" && node["Relation Name"] !== undefined
    return isWhole || rows > batch ? [`${node["Node Type"]}: ${rows}`] : []
  })

layer(Live, { excludeTestServices: true })("the feed of a tenant with very many events", (it) => {
  it.effect("is made and read by its indexes, so many rows as a batch has", () =>
    inTenant(
      Effect.gen(function* () {
        yield* eventful
        const statements = yield* Statements
        const feed = yield* EventFeedRepo
        statements.length = 0
        assert.strictEqual(yield* inTransaction(feed.sequence(2000)), 2000)
        assert.strictEqual((yield* feed.after(30_000, 500)).length, 500)
        const [settings, sequence, after] = [...statements]
        // Looked at once more it places the next 2,000.
        assert.deepStrictEqual(wasteful(yield* nodesOf(sequence!, [settings!]), 2000), [])
        assert.deepStrictEqual(wasteful(yield* nodesOf(after!), 500), [])
      })
    )
  )
})
