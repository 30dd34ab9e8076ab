/** What an invoice run costs whose events are placed in the feed and sent to an endpoint. */
import { Ids } from "@quittance/persistence/sql/Ids"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Effect, Layer, type Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import * as Endpoints from "./Endpoints.ts"
import { type Bar, median } from "./Interleaved.ts"
import * as InvoiceRun from "./InvoiceRun.ts"
import { tenant } from "./PolicyWorld.ts"
import { sized } from "./Smoke.ts"

const policies = sized(10_000, 100)
const rounds = sized(5, 1)

/** An endpoint as tenants have it unless they say otherwise, for all that happens from now on. */
const tellAll = (url: string) => (database: Redacted.Redacted) =>
  Effect.gen(function* () {
    const layer = Endpoints.layer.pipe(
      Layer.provide([Ids.layer, TenantSql.layer]),
      Layer.provide(Sql.succeed(yield* Sql.pool(database, runtimeRole)))
    )
    yield* Effect.provide(Endpoints.create(tenant, { url, types: ["*"] }), layer)
  }).pipe(Effect.orDie, Effect.provide(Reactivity.layer))

/** Each round in another order; without it no dispatcher runs. */
export const bench = Effect.gen(function* () {
  const { url } = yield* Endpoints.receiver
  const alone: Array<number> = []
  const told: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    for (const isTold of round % 2 === 0 ? [false, true] : [true, false]) {
      const beside = isTold ? { hungConsumers: 0, prepare: tellAll(url) } : undefined
      const { perInvoice } = yield* InvoiceRun.run(policies, beside)
      ;(isTold ? told : alone).push(perInvoice)
    }
  }
  const bar: Bar = {
    what: `an invoice of ${policies} with the feed and an endpoint ÷ without`,
    limit: 1.11,
    ratio: median(told.map((micros, round) => micros / alone[round]!)),
    micros: [median(alone), median(told)]
  }
  return [bar]
}).pipe(Effect.scoped, Effect.provide(Reactivity.layer))
