/** The database of the one process: the one that `DATABASE_URL` names, else an embedded one. */
import { runningEnvironment } from "@quittance/domain/tenants/RunningEnvironment"
import * as ErasureRecords from "@quittance/operations/privacy/ErasureRecords"
import * as EnvironmentGuard from "@quittance/operations/tenants/EnvironmentGuard"
import { Database } from "@quittance/persistence/sql/Database"
import * as Embedded from "@quittance/embedded-postgres/Embedded"
import * as Migrate from "@quittance/persistence/sql/Migrate"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Config, type Context, Effect, Layer, Option } from "effect"
import * as SandboxSeed from "./SandboxSeed.ts"

/** Migrated, and outside production seeded, before any request is served. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const seeded = (yield* runningEnvironment) !== "production"
    const given = yield* Config.option(Config.Redacted("DATABASE_URL"))
    const database = Option.isSome(given)
      ? migrated
      : seeded
        ? Embedded.layer({ version: yield* SandboxSeed.version, run: SandboxSeed.run })
        : guarded(Embedded.layer())
    // A database that was there before this process may lack what newer ones start with.
    const whole = seeded
      ? Layer.tap(database, (context) => Effect.provide(SandboxSeed.run, context))
      : database
    return Layer.tap(whole, (context) =>
      ErasureRecords.guard.pipe(
        Effect.provide(ErasureRecords.ErasureRecords.layer.pipe(Layer.provide(connected(context))))
      )
    )
  })
)

const connected = (context: Context.Context<Database>) =>
  TenantSql.layer.pipe(Layer.provideMerge(Sql.layer), Layer.provide(Layer.succeedContext(context)))

const guarded = <E, R>(database: Layer.Layer<Database, E, R>) =>
  Layer.tap(database, (context) =>
    EnvironmentGuard.guard.pipe(
      Effect.provide(TenantsRepo.layer.pipe(Layer.provide(connected(context))))
    )
  )

/** A foreign database is not touched: its content is checked before it is migrated. */
const migrated = Layer.tap(guarded(Database.layer), (database) =>
  Migrate.run.pipe(
    Effect.provide(Sql.layerOwner.pipe(Layer.provide(Layer.succeedContext(database))))
  )
)
