/** Migration 0060 on a database whose audit trail has rows already. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Database } from "../src/sql/Database.ts"
import * as Migrate from "../src/sql/Migrate.ts"
import * as PgTest from "../src/testing/PgTest.ts"
import * as TestServer from "../src/testing/TestServer.ts"
import { asOwner, migrateBefore } from "./Earlier.ts"

const migrateUntilThen = migrateBefore("0060_chain_audit")

const inTenant = <A, E>(tenant: string, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return yield* sql.withTransaction(
      Effect.andThen(sql`SELECT set_config('app.tenant', ${tenant}, true)`, effect)
    )
  })

const kinds = ["Anonymous", "Client", "Job", "User"]

/** Rows of the kinds of actor that a tenant has had. */
const fill = Effect.fnUntraced(function* (tenant: string, actors: ReadonlyArray<string>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO tenant (tenant_id, name, environment, locale, currency, time_zone)
    VALUES (${tenant}, ${tenant}, 'sandbox', 'fr-FR', 'EUR', 'Europe/Paris')
  `
  yield* sql`
    INSERT INTO audit (tenant_id, id, business_at, actor_kind, actor_id, action, record_id, request_id,
      outcome, detail)
    SELECT ${tenant}, kind, now(), kind, 'actor_1', 'thing.write', 'thing_1', 'request_1', 'DONE', '{}'
    FROM unnest(${actors}::text[]) AS kind
  `
})

const read = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<Readonly<Record<string, unknown>>>`
    SELECT actor_kind, position, hash, sealed_at FROM audit ORDER BY actor_kind
  `
  const [pending] = yield* sql<{ readonly n: number }>`
    SELECT count(*)::int AS n FROM audit_pending
    WHERE tenant_id = current_setting('app.tenant')
      AND id IN (SELECT id FROM audit)
  `
  return { rows, pending: pending!.n }
})

layer(PgTest.layer)("chaining the audit trail", (it) => {
  it.effect("leaves every row to be sealed, and sends the sealer to who has any", () =>
    Effect.gen(function* () {
      const { superuserUrl: url } = yield* TestServer.database(inject("postgres"), "template0")
      const database = Layer.succeed(Database, Database.of({ url, ownerUrl: url }))
      const seen = yield* Effect.gen(function* () {
        yield* asOwner(migrateUntilThen)
        yield* asOwner(inTenant("acme", fill("acme", kinds)))
        yield* asOwner(inTenant("globex", fill("globex", ["User"])))
        yield* asOwner(inTenant("initech", fill("initech", [])))
        yield* asOwner(Migrate.run)
        return {
          acme: yield* asOwner(inTenant("acme", read)),
          globex: yield* asOwner(inTenant("globex", read)),
          initech: yield* asOwner(inTenant("initech", read))
        }
      }).pipe(Effect.provide(database))
      const unsealed = { position: null, hash: null, sealedAt: null }
      const rowsOf = (actors: ReadonlyArray<string>) =>
        actors.map((kind) => ({ actorKind: kind.toUpperCase(), ...unsealed }))
      assert.deepStrictEqual(seen, {
        acme: { rows: rowsOf(kinds), pending: 1 },
        globex: { rows: rowsOf(["User"]), pending: 1 },
        initech: { rows: [], pending: 0 }
      })
    }).pipe(Effect.scoped)
  )
})
