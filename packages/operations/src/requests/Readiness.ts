import { NotReady } from "@quittance/domain/requests/RequestErrors"
import * as Migrate from "@quittance/persistence/sql/Migrate"
import { Effect } from "effect"

/**
 * Succeeds while the database is there and has the schema that this program was written for; names the
 * migrations that it lacks.
 */
export const ready = Effect.flatMap(Migrate.missing, (missing) =>
  missing.length === 0 ? Effect.void : Effect.fail(new NotReady({ missingMigrations: missing }))
)
