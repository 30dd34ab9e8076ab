/** The database that commands work on beside a service: those of `quittance admin`, simulations. */
import { Database } from "@quittance/persistence/sql/Database"
import * as Embedded from "@quittance/embedded-postgres/Embedded"
import { Config, Effect, Layer, Option } from "effect"

/** `DATABASE_URL`, else the embedded server of a sandbox that is running. */
export const layer = Layer.unwrap(
  Effect.map(Config.option(Config.Redacted("DATABASE_URL")), (url) =>
    Option.isSome(url) ? Database.layer : Embedded.layerAttached
  )
)
