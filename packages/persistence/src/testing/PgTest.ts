/** What tests on the database need: each layer is a migrated database of its own. */
import { Context, Effect, Layer, type Redacted } from "effect"
import { inject } from "vitest"
import { Database } from "../Database.ts"
import { Ids } from "../Ids.ts"
import * as Sql from "../Sql.ts"
import { TenantSql } from "../TenantSql.ts"
import * as TestServer from "./TestServer.ts"

/** The login that row level security does not bind, for tests that look behind it. */
export class Superuser extends Context.Service<Superuser, { readonly url: Redacted.Redacted }>()(
  "@quittance/persistence/testing/Superuser"
) {}

/** A database, its addresses alone. */
export const layerDatabase = Layer.effectContext(
  Effect.gen(function* () {
    const database = yield* TestServer.database(inject("postgres"))
    return Context.make(Database, Database.of(database)).pipe(
      Context.add(Superuser, { url: database.superuserUrl })
    )
  })
)

/** A database and what repositories require of it, connected as the runtime role. */
export const layer = Layer.mergeAll(TenantSql.layer, Ids.layer).pipe(
  Layer.provideMerge(Sql.layer),
  Layer.provideMerge(layerDatabase)
)
