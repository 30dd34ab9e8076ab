/** Migration 0153 on a database that has policies with external ids already. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Database } from "../src/sql/Database.ts"
import * as Migrate from "../src/sql/Migrate.ts"
import * as PgTest from "../src/testing/PgTest.ts"
import * as TestServer from "../src/testing/TestServer.ts"
import { asOwner, migrateBefore } from "./Earlier.ts"

const migrateUntilThen = migrateBefore("0153_own_external_ids")

const inTenant = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  SqlClient.SqlClient.use((sql) =>
    sql.withTransaction(Effect.andThen(sql`SELECT set_config('app.tenant', 'acme', true)`, effect))
  )

/** More than two batches. */
const count = 2_345

/**
 * Each policy shows its own id now and had the one of its neighbour before, as two of them could; the last
 * one also has one to come.
 */
const fill = SqlClient.SqlClient.use((sql) =>
  Effect.gen(function* () {
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
        default_branch_id, change_seq, event_seq, status, external_id, started_at, created_at,
        last_modified_at)
      SELECT 'acme', 'policy_' || n, n, 'motor', '1', 'INDIVIDUAL', 'trunk_' || n, 1, 1,
        'POLICY_STARTED', 'EXT-' || n, now(), now(), now()
      FROM generate_series(1, ${count}::int) n
    `
    yield* sql`
      INSERT INTO branch (tenant_id, policy_id, id, branch_type, name, status, stage, forked_at,
        forked_seq, seq, author, created_at)
      SELECT 'acme', 'policy_' || n, 'trunk_' || n, 'BASE', 'x', 'OPEN', 'SIGNED', now(), 0, 1, 'x',
        now()
      FROM generate_series(1, ${count}::int) n
    `
    yield* sql`
      INSERT INTO validity (tenant_id, policy_id, branch_id, entity_id, entity_kind, valid_from,
        valid_to, state)
      SELECT 'acme', 'policy_' || n, 'trunk_' || n, 'policy_' || n, 'POLICY', v.valid_from, v.valid_to,
        jsonb_build_object('externalId', v.id)
      FROM generate_series(1, ${count}::int) n, LATERAL (VALUES
        ('EXT-' || n + 1, timestamptz '1000-01-01', timestamptz '2026-01-01'),
        ('EXT-' || n, timestamptz '2026-01-01', timestamptz '2027-01-01'),
        ('NEXT-' || n, timestamptz '2027-01-01', timestamptz '9999-12-31T23:59:59.999Z')
      ) v (id, valid_from, valid_to)
      WHERE n = ${count} OR v.id NOT LIKE 'NEXT%'
    `
  })
)

layer(PgTest.layer)("the external ids of policies that were there before", (it) => {
  it.effect("belong to whoever shows them now, else to whoever has shown or will show them", () =>
    Effect.gen(function* () {
      const { superuserUrl: url } = yield* TestServer.database(inject("postgres"), "template0")
      const database = Layer.succeed(Database, Database.of({ url, ownerUrl: url }))
      const rows = yield* Effect.provide(
        Effect.gen(function* () {
          yield* asOwner(migrateUntilThen)
          yield* asOwner(inTenant(fill))
          yield* asOwner(Migrate.run)
          const owned = SqlClient.SqlClient.use(
            (sql) => sql<{ readonly externalId: string; readonly policyId: string }>`
              SELECT external_id, policy_id FROM external_id
            `
          )
          return yield* asOwner(inTenant(owned))
        }),
        database
      )
      const owner = new Map(rows.map(({ externalId, policyId }) => [externalId, policyId]))
      assert.strictEqual(owner.size, count + 2)
      for (let n = 1; n <= count; n++) assert.strictEqual(owner.get(`EXT-${n}`), `policy_${n}`)
      assert.strictEqual(owner.get(`EXT-${count + 1}`), `policy_${count}`)
      assert.strictEqual(owner.get(`NEXT-${count}`), `policy_${count}`)
    }).pipe(Effect.scoped)
  )
})
