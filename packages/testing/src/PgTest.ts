/** What tests on the database need: each layer is a migrated database of its own. */
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Database } from "@quittance/persistence/sql/Database"
import { superuser } from "@quittance/embedded-postgres/Cluster"
import { Ids } from "@quittance/persistence/sql/Ids"
import { RateLimitStore } from "@quittance/persistence/requests/RateLimitStore"
import { ownerRole } from "@quittance/persistence/sql/Roles"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import type { ProvidedServer } from "./ProvidedServer.ts"
import * as TestServer from "./TestServer.ts"
import * as WrittenEvents from "./WrittenEvents.ts"

/** Connected as the owner of the tables, for tests that change the schema. */
export class OwnerSql extends Context.Service<OwnerSql, SqlClient.SqlClient>()(
  "@quittance/testing/OwnerSql"
) {}

/** Connected as a superuser, whom row level security does not bind, for tests that look behind it. */
export class SuperuserSql extends Context.Service<SuperuserSql, SqlClient.SqlClient>()(
  "@quittance/testing/SuperuserSql"
) {}

/** Statements that set a scene may take long on a machine that does much else. */
const patient = Effect.provideService(
  ConfigProvider.ConfigProvider,
  ConfigProvider.fromUnknown({ DATABASE_STATEMENT_TIMEOUT: "5 minutes" })
)

/** A database: its addresses, and connections of the roles that the product does not serve with. */
export const layerDatabase = Layer.effectContext(
  Effect.gen(function* () {
    const server: ProvidedServer = inject("postgres")
    const { ownerUrl, superuserUrl, url } = yield* TestServer.database(server)
    const superuserSql = yield* patient(Sql.pool(superuserUrl, superuser))
    // Over a connection of its own: a pool that no test has used opens none in a scope that closes.
    const open = patient(Sql.pool(superuserUrl, superuser))
    yield* Effect.addFinalizer(() =>
      Effect.orDie(Effect.scoped(Effect.flatMap(open, WrittenEvents.check)))
    )
    return Context.make(Database, Database.of({ url, ownerUrl })).pipe(
      Context.add(OwnerSql, yield* patient(Sql.pool(ownerUrl, ownerRole))),
      Context.add(SuperuserSql, superuserSql)
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
