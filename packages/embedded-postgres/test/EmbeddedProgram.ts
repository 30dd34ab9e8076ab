/**
 * A program on the embedded database, for tests that kill it: says on its output what it found, one
 * JSON per line, and runs until it is told to end.
 */
import { Console, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Database } from "@quittance/persistence/sql/Database"
import * as Embedded from "../src/Embedded.ts"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const addTenant = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const { transaction, write } = yield* TenantSql
  const row = {
    tenantId: id,
    name: id,
    environment: "sandbox",
    locale: "fr-FR",
    currency: "EUR",
    timeZone: "Europe/Paris"
  }
  yield* transaction(write(sql`INSERT INTO tenant ${sql.insert(row)}`)).pipe(
    Effect.provideService(CurrentTenant, TenantId.make(id))
  )
})

const services = Layer.provideMerge(TenantSql.layer, Sql.layer)

const seed = {
  version: process.argv[2] ?? "none",
  run: Effect.andThen(
    Console.log(JSON.stringify({ seeding: true })),
    Effect.provide(addTenant("seeded"), Layer.fresh(services))
  )
}

const program = Effect.gen(function* () {
  const { url } = yield* Database
  const sql = yield* SqlClient.SqlClient
  const before = yield* sql<{ readonly id: string }>`SELECT tenant_id AS id FROM tenant ORDER BY id`
  if (process.argv[3] !== undefined) yield* addTenant(process.argv[3])
  yield* Console.log(
    JSON.stringify({
      port: Number(new URL(Redacted.value(url)).port),
      found: before.map(({ id }) => id)
    })
  )
  return yield* Effect.never
}).pipe(Effect.provide(Layer.provideMerge(services, Embedded.layer(seed))))

const fiber = Effect.runFork(
  Effect.catch(program, (error) => Console.log(JSON.stringify({ failed: error.message })))
)
process.on("SIGTERM", () => Effect.runFork(Fiber.interrupt(fiber)))
