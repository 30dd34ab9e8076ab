/** The database of the one process: the one that `DATABASE_URL` names, else an embedded one. */
import { Environment } from "@quittance/domain/tenants/Tenant"
import { Database } from "@quittance/persistence/sql/Database"
import * as Embedded from "@quittance/persistence/Embedded"
import * as Migrate from "@quittance/persistence/sql/Migrate"
import * as Sql from "@quittance/persistence/sql/Sql"
import { Config, Effect, Layer, Option } from "effect"
import * as SandboxSeed from "./SandboxSeed.ts"

/** `ENVIRONMENT`; the one process is a sandbox unless it is told otherwise. */
export const environment = Config.schema(Environment, "ENVIRONMENT").pipe(
  Config.withDefault("sandbox" as const)
)

/** Migrated, and outside production seeded, before anybody is served. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const seeded = (yield* environment) !== "production"
    const given = yield* Config.option(Config.Redacted("DATABASE_URL"))
    const database = Option.isSome(given)
      ? migrated
      : seeded
        ? Embedded.layer({ version: yield* SandboxSeed.version, run: SandboxSeed.run })
        : Embedded.layer()
    // A database that was there before this process may lack what newer ones start with.
    return seeded
      ? Layer.tap(database, (context) => Effect.provide(SandboxSeed.run, context))
      : database
  })
)

const migrated = Layer.tap(Database.layer, (database) =>
  Migrate.run.pipe(
    Effect.provide(Sql.layerOwner.pipe(Layer.provide(Layer.succeedContext(database))))
  )
)
