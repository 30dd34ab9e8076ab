/**
 * What a simulation of a draft takes: as long for each policy of many as of few, and no more memory. Both
 * tenants are on the one database, beside this process on this machine.
 */
import { Product } from "@quittance/domain/products/Product"
import { Simulation } from "@quittance/operations/portfolio/Simulation"
import { Ids } from "@quittance/persistence/sql/Ids"
import { ProductsRepo } from "@quittance/persistence/products/ProductsRepo"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer, Schema } from "effect"
import { Reactivity } from "effect/reactivity"
import { type Bar, median } from "./Interleaved.ts"
import { inUse } from "./Memory.ts"
import * as SimulationWorld from "./SimulationWorld.ts"
import { sized } from "./Smoke.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import * as Wiring from "@quittance/operations/Wiring"

const few = { tenant: TenantId.make("tenant-few"), count: sized(10_000, 200) }
const many = { tenant: TenantId.make("tenant-many"), count: sized(100_000, 1_000) }
type Book = typeof few

const rounds = sized(3, 1)
const limitMegabytes = 30

/** The product with a dearer third-party cover, so that nearly every price moves. */
const draft = Schema.decodeUnknownSync(Product)(
  JSON.parse(JSON.stringify(SimulationWorld.product).replaceAll('"amount":26500', '"amount":29150'))
)

const simulate = (
  { tenant }: Book,
  progress: (done: number) => Effect.Effect<void> = () => Effect.void
) =>
  Simulation.use(({ run }) => run({ draft, selection: {}, term: "RUNNING" }, progress)).pipe(
    Effect.provideService(CurrentTenant, tenant)
  )

/** Microseconds for each policy. */
const timed = Effect.fnUntraced(function* (book: Book) {
  const started = performance.now()
  const { changes, largest } = yield* simulate(book)
  if (changes.count !== book.count || largest.length !== 10) {
    return yield* Effect.die(new Error(`Of ${book.count} policies ${changes.count} were priced.`))
  }
  return ((performance.now() - started) * 1000) / book.count
})

/** By how many megabytes what is in use grows at most, looked at ten times. */
const growth = Effect.fnUntraced(function* (book: Book) {
  const before = inUse()
  let most = { used: 0, rss: 0 }
  yield* simulate(book, (done) =>
    Effect.sync(() => {
      if (done % (book.count / 10) !== 0) return
      const { rss, used } = inUse()
      most = { used: Math.max(most.used, used), rss: Math.max(most.rss, rss) }
    })
  )
  return { used: (most.used - before.used) / 1e6, resident: Math.round(most.rss / 1e6) }
})

export const bench = Effect.gen(function* () {
  const counts = new Map([few, many].map(({ count, tenant }) => [tenant, count]))
  const database = yield* SimulationWorld.database(counts)
  const runtime = yield* Sql.pool(database.url, runtimeRole)
  const services = yield* Layer.build(
    Simulation.layer.pipe(
      Layer.provide(Wiring.layer),
      Layer.provide([Ids.layer, ProductsRepo.layer]),
      Layer.provide(TenantSql.layer),
      Layer.provide(Sql.succeed(runtime))
    )
  )
  return yield* Effect.gen(function* () {
    yield* timed(few)
    const times: Array<readonly [number, number]> = []
    for (let round = 0; round < rounds; round++) times.push([yield* timed(few), yield* timed(many)])
    const micros = [median(times.map(([one]) => one)), median(times.map(([, all]) => all))] as const
    const { resident, used } = yield* growth(many)
    const perSecond = Math.round(1e6 / micros[1])
    const bars: ReadonlyArray<Bar> = [
      {
        what: `a policy of ${many.count} simulated, ${perSecond}/s, against one of ${few.count}`,
        ratio: micros[1] / micros[0],
        limit: 1.5,
        micros
      },
      {
        what: `more memory for ${many.count} policies, ${resident} MB of the process resident`,
        ratio: used / limitMegabytes,
        limit: 1,
        unit: "MB",
        micros: [limitMegabytes, used]
      }
    ]
    return bars
  }).pipe(Effect.provideContext(services))
}).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
