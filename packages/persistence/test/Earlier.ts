/** Databases of earlier releases, for tests of what a migration makes of rows that are there already. */
import { Effect, Layer } from "effect"
import { Migrator, type SqlClient } from "effect/sql"
import { migrations } from "../src/migrations.ts"
import * as Sql from "../src/sql/Sql.ts"

/** Runs every migration before one. */
export const migrateBefore = (name: keyof typeof migrations) =>
  Migrator.make({})({
    loader: Migrator.fromRecord(
      Object.fromEntries(Object.entries(migrations).filter(([other]) => other < name))
    ),
    table: "migration"
  })

/** On a connection of its own, as who owns the tables. */
export const asOwner = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, Layer.fresh(Sql.layerOwner))
