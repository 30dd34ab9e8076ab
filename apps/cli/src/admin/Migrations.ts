/** `quittance admin migrate`: the schema of the database. */
import * as Migrate from "@quittance/persistence/sql/Migrate"
import * as Sql from "@quittance/persistence/sql/Sql"
import { Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { asProblems } from "../Problem.ts"
import * as AdminDatabase from "./AdminDatabase.ts"

export const migrateCommand = Command.make("migrate", {}, () =>
  Migrate.run.pipe(
    Effect.flatMap((applied) =>
      Console.log(
        applied.length === 0
          ? "The database has the newest schema."
          : applied.map((name) => `applied ${name}`).join("\n")
      )
    ),
    Effect.provide(Sql.layerOwner.pipe(Layer.provide(AdminDatabase.layer))),
    asProblems
  )
).pipe(Command.withDescription("Bring the database to the newest schema"))
