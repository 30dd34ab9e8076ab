/** `quittance admin events`: how far consumers have come, and new epochs after a restore. */
import { EventFeedRepo } from "@quittance/persistence/events/EventFeedRepo"
import { EventReadsRepo } from "@quittance/persistence/events/EventReadsRepo"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { QueuesRepo } from "@quittance/persistence/worker/QueuesRepo"
import { Console, Effect, Layer } from "effect"
import { Command } from "effect/cli"
import { asProblems } from "../Problem.ts"
import { counted } from "../terminal/Numbers.ts"
import { lines, plain } from "../terminal/Table.ts"
import * as AdminDatabase from "./AdminDatabase.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const layer = Layer.mergeAll(
  EventFeedRepo.layer,
  EventReadsRepo.layer,
  QueuesRepo.layer,
  TenantsRepo.layer
).pipe(
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

const columns = [
  { header: "Consumer" },
  { header: "Tenant" },
  { header: "Position", align: "right" },
  { header: "Last", align: "right" },
  { header: "Behind", align: "right" },
  { header: "Since" }
] as const

/** The tenants in whose feeds a consumer is behind, with its position in each. */
const behind = Effect.fnUntraced(function* (consumer: string) {
  const feed = yield* EventFeedRepo
  return yield* Effect.forEach(yield* feed.behind(consumer), (tenant) =>
    Effect.map(
      Effect.provideService(feed.progress(consumer), CurrentTenant, tenant),
      ({ last, position, waitingSince }) => [
        consumer,
        tenant,
        String(position),
        String(last),
        String(last - position),
        waitingSince ?? ""
      ]
    )
  )
})

const consumers = Command.make("consumers", {}, () =>
  Effect.gen(function* () {
    const lags = yield* QueuesRepo.use((queues) => queues.lags)
    const rows = (yield* Effect.forEach(lags, ({ consumer }) => behind(consumer))).flat()
    const names = lags.map(({ consumer }) => consumer).join(", ")
    yield* Console.log(
      rows.length === 0
        ? `No consumer is behind${names === "" ? "" : ` (${names})`}.`
        : lines({ columns, rows }, 120, plain).join("\n")
    )
  }).pipe(Effect.provide(layer), asProblems)
).pipe(
  Command.withDescription(
    "The tenants in which a consumer of events is behind: its position, the feed's last one, and since when the next event waits"
  )
)

export const eventsCommand = Command.make("events").pipe(
  Command.withDescription("The feeds of events"),
  Command.withSubcommands([consumers, restored])
)
