/** Migrations 0160 and 0161 on a database that has branches and customers already. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Database } from "../src/sql/Database.ts"
import * as Migrate from "../src/sql/Migrate.ts"
import * as PgTest from "../src/testing/PgTest.ts"
import * as TestServer from "../src/testing/TestServer.ts"
import { asOwner, migrateBefore } from "./Earlier.ts"

const migrateUntilThen = migrateBefore("0160_keep_first_forks")

const inTenant = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  SqlClient.SqlClient.use((sql) =>
    sql.withTransaction(Effect.andThen(sql`SELECT set_config('app.tenant', 'acme', true)`, effect))
  )

/** More than two batches of customers, and two branches: one that was rebased, one that was not. */
const customers = 2_345

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO tenant (tenant_id, name, environment, locale, currency, time_zone)
    VALUES ('acme', 'acme', 'sandbox', 'fr-FR', 'EUR', 'Europe/Paris')
  `
  yield* sql`
    INSERT INTO product_version (tenant_id, product_id, version, seq, document, published_at)
    VALUES ('acme', 'motor', '1', 1, '{}', now())
  `
  yield* sql`
    INSERT INTO policy (tenant_id, id, incremental_id, product_id, product_version, type,
      default_branch_id, change_seq, event_seq, status, created_at, started_at, last_modified_at)
    VALUES ('acme', 'policy', 1, 'motor', '1', 'INDIVIDUAL', 'trunk', 9, 9, 'POLICY_STARTED', now(),
      now(), now())
  `
  yield* sql`
    INSERT INTO branch (tenant_id, policy_id, id, branch_type, name, status, stage, forked_at,
      forked_seq, seq, author, created_at)
    VALUES
      ('acme', 'policy', 'kept', 'MTA', 'x', 'OPEN', 'DRAFT', '2026-01-03', 3, 5, 'x', '2026-01-04'),
      ('acme', 'policy', 'moved', 'MTA', 'x', 'OPEN', 'DRAFT', '2026-01-08', 8, 9, 'x', '2026-01-06')
  `
  yield* sql`
    INSERT INTO policy_change (tenant_id, policy_id, seq, id, branch_id, kind, effective_at,
      recorded_at, author, patch)
    VALUES
      ('acme', 'policy', 5, 'a', 'kept', 'CREATE', now(), now(), 'x', '[]'),
      ('acme', 'policy', 6, 'b', 'moved', 'CREATE', now(), now(), 'x', '[]'),
      ('acme', 'policy', 9, 'c', 'moved', 'REBASE', now(), now(), 'x', '[]')
  `
  yield* sql`
    INSERT INTO customer (tenant_id, id, type, name, status, payment_mode, created_at,
      last_modified_at)
    SELECT 'acme', 'customer_' || n, 'INDIVIDUAL', 'Name ' || n, 'CUSTOMER_CREATED', 'DIRECT_DEBIT',
      '2026-01-01', '2026-02-01'
    FROM generate_series(1, ${customers}::int) n
  `
})

layer(PgTest.layer)("what was known once", (it) => {
  it.effect("begins with what is there, where nothing else is known", () =>
    Effect.gen(function* () {
      const { superuserUrl: url } = yield* TestServer.database(inject("postgres"), "template0")
      const database = Layer.succeed(Database, Database.of({ url, ownerUrl: url }))
      const read = Effect.gen(function* () {
        const own = yield* SqlClient.SqlClient
        const forks = yield* own`
          SELECT id, first_forked_seq AS seq, first_forked_at::date::text AS day FROM branch
          ORDER BY id
        `
        const counts = yield* own`
          SELECT count(*)::int AS versions, min(recorded_at)::date::text AS first,
            max(recorded_at)::date::text AS last
          FROM customer_version
        `
        yield* own`
          UPDATE customer SET name = 'New', last_modified_at = '2026-03-01' WHERE id = 'customer_7'
        `
        const names = yield* own`
          SELECT name FROM customer_version WHERE customer_id = 'customer_7' ORDER BY recorded_at
        `
        return { forks, counts, names }
      })
      const found = yield* Effect.provide(
        Effect.gen(function* () {
          yield* asOwner(migrateUntilThen)
          yield* asOwner(inTenant(fill))
          yield* asOwner(Migrate.run)
          return yield* asOwner(inTenant(read))
        }),
        database
      )
      assert.deepStrictEqual(found, {
        forks: [
          { id: "kept", seq: 3, day: "2026-01-03" },
          { id: "moved", seq: 5, day: "2026-01-06" }
        ],
        counts: [{ versions: customers, first: "2026-01-01", last: "2026-01-01" }],
        names: [{ name: "Name 7" }, { name: "New" }]
      })
    }).pipe(Effect.scoped)
  )
})
