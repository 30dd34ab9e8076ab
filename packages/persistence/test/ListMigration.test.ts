/** Migrations 0058 and 0170 on a database that has policies already. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Database } from "../src/sql/Database.ts"
import * as Migrate from "../src/sql/Migrate.ts"
import * as PgTest from "../src/testing/PgTest.ts"
import * as TestServer from "../src/testing/TestServer.ts"
import { asOwner, migrateBefore } from "./Earlier.ts"

const migrateUntilThen = migrateBefore("0058_list_policies")

/** More than two batches of one tenant, few of the other, none of the third. */
const counts = { acme: 2_345, globex: 3, empty: 0 }

const inTenant = <A, E, R>(tenant: string, effect: Effect.Effect<A, E, R>) =>
  SqlClient.SqlClient.use((sql) =>
    sql.withTransaction(
      Effect.andThen(sql`SELECT set_config('app.tenant', ${tenant}, true)`, effect)
    )
  )

layer(PgTest.layer)("what lists are filtered by", (it) => {
  it.effect("is filled in for every policy and customer that was there before", () =>
    Effect.gen(function* () {
      const { superuserUrl: url } = yield* TestServer.database(inject("postgres"), "template0")
      const database = Layer.succeed(Database, Database.of({ url, ownerUrl: url }))
      const found = yield* Effect.provide(
        Effect.gen(function* () {
          yield* asOwner(migrateUntilThen)
          for (const [tenant, count] of Object.entries(counts)) {
            yield* asOwner(inTenant(tenant, fill(tenant, count)))
          }
          yield* asOwner(Migrate.run)
          return yield* Effect.forEach(Object.keys(counts), (tenant) =>
            asOwner(inTenant(tenant, read))
          )
        }),
        database
      )
      // By the day of its number in 2026, whatever the policy had in its other states and branches.
      // And each is found by its number, which is in three of its texts, and two more words.
      const right = Object.values(counts).map((count) => ({
        policies: count,
        started: count,
        words: 3 * count,
        names: ["1", "cafe", "eloise"]
      }))
      assert.deepStrictEqual(
        found.map(({ names, policies, started, words }) => ({ policies, started, words, names })),
        right
      )
      const [{ customer, policy }] = found as [(typeof found)[number]]
      assert.include(policy, " policy_7 ext-7 7 fleet ")
      assert.include(customer, " eloise@cafe.test ")
    }).pipe(Effect.scoped)
  )
})

const fill = Effect.fnUntraced(function* (tenant: string, count: number) {
  const sql = yield* SqlClient.SqlClient
  const day = sql.literal("timestamptz '2026-01-01' + n * interval '1 day'")
  yield* sql`
    INSERT INTO tenant (tenant_id, name, environment, locale, currency, time_zone)
    VALUES (${tenant}, ${tenant}, 'sandbox', 'fr-FR', 'EUR', 'Europe/Paris')
  `
  yield* sql`
    INSERT INTO product_version (tenant_id, product_id, version, seq, document, published_at)
    VALUES (${tenant}, 'motor', '1', 1, '{}', now())
  `
  yield* sql`
    INSERT INTO policy (tenant_id, id, incremental_id, product_id, product_version, type,
      default_branch_id, change_seq, event_seq, status, name, external_id, created_at,
      last_modified_at)
    SELECT ${tenant}, 'policy_' || n, n, 'motor', '1', 'INDIVIDUAL', 'trunk_' || n, 1, 1,
      'POLICY_STARTED', 'Fleet', 'EXT-' || n, now(), now()
    FROM generate_series(1, ${count}::int) n
  `
  yield* sql`
    INSERT INTO branch (tenant_id, policy_id, id, branch_type, name, status, stage, forked_at,
      forked_seq, seq, author, created_at)
    SELECT ${tenant}, 'policy_' || n, kind || '_' || n, 'BASE', 'x', 'OPEN', 'SIGNED', now(), 0, 1,
      'x', now()
    FROM generate_series(1, ${count}::int) n, unnest(ARRAY['trunk', 'sale']) kind
  `
  // A former and a last state of the trunk, the state of an asset, and one of another branch.
  yield* sql`
    INSERT INTO validity (tenant_id, policy_id, branch_id, entity_id, entity_kind, valid_from,
      valid_to, state)
    SELECT ${tenant}, 'policy_' || n, v.branch || '_' || n, v.entity || '_' || n, v.kind,
      v.valid_from::timestamptz, v.valid_to::timestamptz,
      jsonb_build_object('startedAt', (${day} + v.days * interval '1 day')::text)
    FROM generate_series(1, ${count}::int) n, (VALUES
      ('trunk', 'policy', 'POLICY', '1000-01-01', '2026-01-01', 1),
      ('trunk', 'policy', 'POLICY', '2026-01-01', '9999-12-31T23:59:59.999Z', 0),
      ('trunk', 'asset', 'ASSET', '1000-01-01', '9999-12-31T23:59:59.999Z', 2),
      ('sale', 'policy', 'POLICY', '1000-01-01', '9999-12-31T23:59:59.999Z', 3)
    ) v (branch, entity, kind, valid_from, valid_to, days)
  `
  yield* sql`
    INSERT INTO customer (tenant_id, id, type, name, email, status, payment_mode, created_at,
      last_modified_at)
    VALUES (${tenant}, 'customer_1', 'INDIVIDUAL', 'Éloïse', 'eloise@café.test', 'CUSTOMER_CREATED',
      'DIRECT_DEBIT', now(), now())
  `
})

const read = SqlClient.SqlClient.use((sql) =>
  Effect.map(
    sql<{
      readonly policies: number
      readonly started: number
      readonly policy: string
      readonly customer: string
      readonly words: number
      readonly names: ReadonlyArray<string>
    }>`
      SELECT count(*)::int AS policies,
        (count(*) FILTER (WHERE
          started_at = timestamptz '2026-01-01' + incremental_id * interval '1 day'))::int AS started,
        max(search) FILTER (WHERE id = 'policy_7') AS policy,
        (SELECT search FROM customer) AS customer,
        (SELECT count(*)::int FROM policy_word) AS words,
        ARRAY(SELECT word FROM customer_word ORDER BY word) AS names
      FROM policy
    `,
    ([row]) => row!
  )
)
