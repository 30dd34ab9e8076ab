/** What tests on the database need: each layer is a migrated database of its own. */
import { Context, Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Database } from "../sql/Database.ts"
import { type Server, superuser } from "../embedded/Cluster.ts"
import { Ids } from "../sql/Ids.ts"
import { RateLimitStore } from "../requests/RateLimitStore.ts"
import { ownerRole } from "../sql/Roles.ts"
import * as Sql from "../sql/Sql.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import * as TestServer from "./TestServer.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The server that `globalSetup` has started for the run. */
    readonly postgres: Server
  }
}

/** Connected as the owner of the tables, for tests that change the schema. */
export class OwnerSql extends Context.Service<OwnerSql, SqlClient.SqlClient>()(
  "@quittance/persistence/testing/OwnerSql"
) {}

/** Connected as a superuser, whom row level security does not bind, for tests that look behind it. */
export class SuperuserSql extends Context.Service<SuperuserSql, SqlClient.SqlClient>()(
  "@quittance/persistence/testing/SuperuserSql"
) {}

/** A database: its addresses, and connections of the roles that the product does not serve with. */
export const layerDatabase = Layer.effectContext(
  Effect.gen(function* () {
    const { ownerUrl, superuserUrl, url } = yield* TestServer.database(inject("postgres"))
    return Context.make(Database, Database.of({ url, ownerUrl })).pipe(
      Context.add(OwnerSql, yield* Sql.pool(ownerUrl, ownerRole)),
      Context.add(SuperuserSql, yield* Sql.pool(superuserUrl, superuser))
    )
  })
).pipe(Layer.provide(Reactivity.layer))

/** What repositories require of a database, connected as the runtime role. */
export const layerConnected = Layer.mergeAll(RateLimitStore.layerPostgres, Ids.layer).pipe(
  Layer.provideMerge(TenantSql.layer),
  Layer.provideMerge(Sql.layer)
)

/** The same with a database of its own. */
export const layer = Layer.provideMerge(layerConnected, layerDatabase)
