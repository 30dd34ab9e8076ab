import { Config, Context, Effect, Layer, type Redacted } from "effect"
import * as DatabaseAddress from "./DatabaseAddress.ts"

/** Where the database is: the two connection strings, from configuration or of the embedded server. */
export class Database extends Context.Service<
  Database,
  {
    /** Serves requests; whatever its login, its sessions run as the runtime role. */
    readonly url: Redacted.Redacted
    /** Migrates; its login is, or may become, the owner role. */
    readonly ownerUrl: Redacted.Redacted
  }
>()("@quittance/persistence/Database") {
  /** `DATABASE_URL`, and `DATABASE_OWNER_URL` where another login migrates. */
  static readonly layer = Layer.effect(
    Database,
    Effect.gen(function* () {
      const url = yield* DatabaseAddress.address("DATABASE_URL")
      const ownerUrl = yield* DatabaseAddress.address("DATABASE_OWNER_URL").pipe(
        Config.withDefault(url)
      )
      return Database.of({ url, ownerUrl })
    })
  )
}
