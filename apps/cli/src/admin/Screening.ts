/** `quittance admin screening`: the lists of asset freezes against which payees are screened. */
import { ScreeningList } from "@quittance/domain/payouts/Screening"
import { Screening } from "@quittance/operations/payouts/Screening"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Console, Effect, FileSystem, Layer, Schema } from "effect"
import { Argument, Command } from "effect/cli"
import { asProblems } from "../Problem.ts"
import * as AdminDatabase from "./AdminDatabase.ts"
import { forTenant, tenant } from "./AdminTenant.ts"

const layer = Layer.mergeAll(Screening.layer, TenantsRepo.layer).pipe(
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(ScreeningList))

const load = Command.make(
  "load",
  {
    file: Argument.File("file").pipe(
      Argument.withDescription("The list as JSON: { version, entries: [{ id, names }] }")
    ),
    tenant
  },
  ({ file, tenant }) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const list = yield* Effect.flatMap(fs.readFileString(file), decode)
      const { isNew } = yield* forTenant(
        tenant,
        Screening.use((screening) => screening.load(list))
      )
      const { entries, version } = list
      yield* Console.log(
        isNew
          ? `${tenant} screens payees against ${version} from now on: ${entries.length} entries.`
          : `${tenant} has ${version} already; nothing has changed.`
      )
    }).pipe(Effect.provide(layer), asProblems)
).pipe(Command.withDescription("Load a list, which counts from now on"))

const show = Command.make("show", { tenant }, ({ tenant }) =>
  Effect.gen(function* () {
    const list = yield* forTenant(
      tenant,
      Screening.use((screening) => screening.current)
    )
    if (list === undefined) return yield* Console.error(`${tenant} has no list.`)
    yield* Console.log(`${list.version}  ${list.entries} entries`)
  }).pipe(Effect.provide(layer), asProblems)
).pipe(Command.withDescription("The list that counts"))

export const screeningCommand = Command.make("screening").pipe(
  Command.withDescription("Lists of asset freezes"),
  Command.withSubcommands([load, show])
)
