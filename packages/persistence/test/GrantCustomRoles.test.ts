/** Migrations 0050 and 0051 on a database that has grants already. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Database } from "../src/sql/Database.ts"
import * as Migrate from "../src/sql/Migrate.ts"
import * as PgTest from "../src/testing/PgTest.ts"
import * as TestServer from "../src/testing/TestServer.ts"
import { asOwner, migrateBefore } from "./Earlier.ts"

const migrateUntilThen = migrateBefore("0050_create_roles")

const builtIn = ["AUDITOR", "BROKER", "FIRM_MANAGER", "POLICYHOLDER", "TENANT_MANAGER"]

layer(PgTest.layer)("granting roles of the tenant's own", (it) => {
  it.effect("keeps every grant that was given before", () =>
    Effect.gen(function* () {
      const { superuserUrl: url } = yield* TestServer.database(inject("postgres"), "template0")
      const database = Layer.succeed(Database, Database.of({ url, ownerUrl: url }))
      const rows = yield* Effect.provide(
        Effect.gen(function* () {
          yield* asOwner(migrateUntilThen)
          yield* asOwner(
            Effect.gen(function* () {
              const sql = yield* SqlClient.SqlClient
              for (const tenant of ["acme", "globex"]) {
                yield* sql.withTransaction(
                  Effect.andThen(
                    sql`SELECT set_config('app.tenant', ${tenant}, true)`,
                    fill(tenant)
                  )
                )
              }
            })
          )
          yield* asOwner(Migrate.run)
          return yield* asOwner(read)
        }),
        database
      )
      const granted = builtIn.map((role) => ({ role, customRole: null }))
      assert.deepStrictEqual(rows, { acme: granted, globex: granted })
    }).pipe(Effect.scoped)
  )
})

const fill = Effect.fnUntraced(function* (tenant: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO tenant (tenant_id, name, environment, locale, currency, time_zone)
    VALUES (${tenant}, ${tenant}, 'sandbox', 'fr-FR', 'EUR', 'Europe/Paris')
  `
  yield* sql`
    INSERT INTO permission_grant (tenant_id, subject_id, role, kind)
    SELECT ${tenant}, 'user_1', role, 'TENANT' FROM unnest(${builtIn}::text[]) AS role
  `
})

const read = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const of = (tenant: string) =>
    sql.withTransaction(
      Effect.andThen(
        sql`SELECT set_config('app.tenant', ${tenant}, true)`,
        sql`SELECT role, custom_role FROM permission_grant ORDER BY role`
      )
    )
  return { acme: yield* of("acme"), globex: yield* of("globex") }
})
