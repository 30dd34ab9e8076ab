/** Migration 0200 on a database in which credit notes have taken invoices back already. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Database } from "../src/sql/Database.ts"
import * as Migrate from "../src/sql/Migrate.ts"
import * as PgTest from "../src/testing/PgTest.ts"
import * as TestServer from "../src/testing/TestServer.ts"
import { asOwner, migrateBefore } from "./Earlier.ts"

const inTenant = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  SqlClient.SqlClient.use((sql) =>
    sql.withTransaction(Effect.andThen(sql`SELECT set_config('app.tenant', 'acme', true)`, effect))
  )

/** Of two invoices that were taken back a note names the one; a third is unpaid. */
const fill = SqlClient.SqlClient.use((sql) =>
  Effect.gen(function* () {
    yield* sql`
      INSERT INTO tenant (tenant_id, name, environment, locale, currency, time_zone)
      VALUES ('acme', 'acme', 'sandbox', 'fr-FR', 'EUR', 'Europe/Paris')
    `
    // Whose policy and customer they are is of no matter here.
    yield* sql`
      ALTER TABLE document DROP CONSTRAINT IF EXISTS document_tenant_id_policy_id_fkey,
        DROP CONSTRAINT IF EXISTS document_tenant_id_customer_id_fkey
    `
    yield* sql`
      INSERT INTO document (tenant_id, id, policy_id, customer_id, type, series, number, status,
        currency, term, period_start, period_end, cause, is_first, planned_on, issued_at, due_on,
        total, paid, amount, lines, credited_invoice_id)
      SELECT 'acme', id, 'policy', 'customer', type, series, number, status, 'EUR', 1, '2026-04-01',
        '2026-05-01', id, false, '2026-04-01', at::timestamptz, '2026-04-11', total, paid, '[]', '[]',
        credited
      FROM (VALUES
        ('a', 'INVOICE', 'INV', 1, 'CREDITED', '2026-04-01', 100, 100, NULL),
        ('b', 'INVOICE', 'INV', 2, 'CREDITED', '2026-05-01', 100, 100, NULL),
        ('c', 'INVOICE', 'INV', 3, 'ISSUED', '2026-06-01', 100, 0, NULL),
        ('d', 'CREDIT_NOTE', 'CRN', 1, 'PAID', '2026-06-10', -100, 0, NULL),
        ('e', 'CREDIT_NOTE', 'CRN', 2, 'PAID', '2026-06-20', -100, 0, 'b')
      ) d (id, type, series, number, status, at, total, paid, credited)
    `
  })
)

layer(PgTest.layer)("the invoices that were taken back before", (it) => {
  it.effect("say when, as far as their credit notes tell", () =>
    Effect.gen(function* () {
      const { superuserUrl: url } = yield* TestServer.database(inject("postgres"), "template0")
      const database = Layer.succeed(Database, Database.of({ url, ownerUrl: url }))
      const rows = yield* Effect.provide(
        Effect.gen(function* () {
          yield* asOwner(migrateBefore("0200_date_credits"))
          yield* asOwner(inTenant(fill))
          yield* asOwner(Migrate.run)
          const dated = SqlClient.SqlClient.use(
            (sql) => sql<{ readonly id: string; readonly day: string }>`
              SELECT id, paid_at::date::text AS day FROM document
              WHERE paid_at IS NOT NULL ORDER BY id
            `
          )
          return yield* asOwner(inTenant(dated))
        }),
        database
      )
      assert.deepEqual(rows, [
        { id: "a", day: "2026-06-10" },
        { id: "b", day: "2026-06-20" }
      ])
    }).pipe(Effect.scoped)
  )
})
