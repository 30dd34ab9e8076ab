/** `quittance admin events`: the feed of events, after the database was restored. */
import { EventReadsRepo } from "@quittance/persistence/events/EventReadsRepo"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { asProblems } from "../Problem.ts"
import { counted } from "../terminal/Numbers.ts"
import * as AdminDatabase from "./AdminDatabase.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const layer = Layer.mergeAll(EventReadsRepo.layer, TenantsRepo.layer).pipe(
  Layer.provideMerge(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

const restored = Command.make("restored", {}, () =>
  Effect.gen(function* () {
    const reads = yield* EventReadsRepo
    const tenantSql = yield* TenantSql
    const tenants = yield* TenantsRepo.use(({ list }) => list)
    yield* Effect.forEach(tenants, ({ id }) =>
      Effect.provideService(tenantSql.transaction(reads.renewEpoch), CurrentTenant, id)
    )
    yield* Console.log(
      `${counted(tenants.length, "tenant has", "tenants have")} a new epoch: readers of events see that the database was restored.`
    )
  }).pipe(Effect.provide(layer), asProblems)
).pipe(
  Command.withDescription(
    "Run it after a restore, before the programs start: readers see that positions tell of other events"
  )
)

export const eventsCommand = Command.make("events").pipe(
  Command.withDescription("The feeds of events"),
  Command.withSubcommands([restored])
)
