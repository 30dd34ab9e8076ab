/** `quittance admin privacy`: erasures that survive a restore of the database. */
import * as Erasures from "@quittance/operations/privacy/ErasureRecords"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Console, Effect, FileSystem, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import { asProblems } from "../Problem.ts"
import { counted } from "../terminal/Numbers.ts"
import * as AdminDatabase from "./AdminDatabase.ts"

const layer = Erasures.ErasureRecords.layer.pipe(
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

const file = Argument.String("file").pipe(
  Argument.withDescription("The file of erasures, kept apart from the backups")
)

const exportErasures = Command.make("export", { file }, ({ file }) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const records = yield* Erasures.ErasureRecords.use(({ all }) => all)
    // The file of before stays whole until the new one is.
    const draft = `${file}.new`
    yield* fs.writeFileString(draft, yield* Erasures.format(records), { mode: 0o600 })
    yield* fs.rename(draft, file)
    const erasures = records.filter((record) => "erasure" in record).length
    yield* Console.log(`${counted(erasures, "erasure")} of all tenants are in ${file}.`)
  }).pipe(Effect.provide(layer), asProblems)
).pipe(
  Command.withDescription(
    "Write what was erased to a file: identifiers and grounds, no data of a person"
  ),
  Command.withExamples([
    {
      command: "quittance admin privacy erasures export erasures.ndjson",
      description: "After each erasure, or at least as often as backups are made"
    }
  ])
)

const replay = Command.make("replay", { file }, ({ file }) =>
  Effect.gen(function* () {
    const records = yield* Erasures.read(file)
    const done = yield* Erasures.ErasureRecords.use(({ replay }) => replay(records))
    yield* Console.log(
      `${counted(done.erasures, "erasure")} done again, ${counted(done.holds, "hold")} lifted again.`
    )
  }).pipe(Effect.provide(layer), asProblems)
).pipe(
  Command.withDescription(
    "Run it after a restore, before the programs start: what was erased since the backup is erased again"
  )
)

const erasuresCommand = Command.make("erasures").pipe(
  Command.withDescription("What was erased"),
  Command.withSubcommands([exportErasures, replay])
)

export const privacyCommand = Command.make("privacy").pipe(
  Command.withDescription("Data of persons"),
  Command.withSubcommands([erasuresCommand])
)
