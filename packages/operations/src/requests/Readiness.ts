import * as Migrate from "@quittance/persistence/sql/Migrate"
import { Effect, Schema } from "effect"

class SchemaOutdated extends Schema.TaggedError<SchemaOutdated>()("SchemaOutdated", {
  pending: Schema.Array(Schema.String)
}) {
  override get message() {
    return `The database lacks ${this.pending.join(", ")}; run \`quittance admin migrate\`.`
  }
}

/** Succeeds while the database is there and has the schema that this program was written for. */
export const ready = Effect.flatMap(Migrate.pending, (pending) =>
  pending.length === 0 ? Effect.void : Effect.fail(new SchemaOutdated({ pending }))
)
