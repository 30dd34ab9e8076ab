/** What an instance keeps in memory of ten thousand tenants whom it has just served. */
import { AccessTokens } from "@quittance/operations/tokens/AccessTokens"
import { TenantDirectory } from "@quittance/operations/tenants/TenantDirectory"
import { runtimeRole } from "@quittance/persistence/sql/Roles"
import * as Sql from "@quittance/persistence/sql/Sql"
import { Effect, Layer } from "effect"
import * as AuthWorld from "./AuthWorld.ts"
import type { Bar } from "./Interleaved.ts"
import { inUse } from "./Memory.ts"
import { tokenOf } from "./Verification.ts"
import { sized } from "./Smoke.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const tenants = sized(10_000, 50)
/** More of them, whom nothing is counted of. */
const uncounted = sized(200, 10)
const limitMegabytes = 100

/** Fills every cache with a tenant: keys, clients, limits, revocations, and one token. */
const serve = (turn: number) =>
  Effect.gen(function* () {
    const tenants = yield* TenantDirectory
    const tokens = yield* AccessTokens
    yield* tenants.find(yield* CurrentTenant)
    yield* tokens.verify(yield* tokenOf(turn))
  }).pipe(Effect.provideService(CurrentTenant, AuthWorld.tenantOf(turn)))

export const bar = Effect.gen(function* () {
  const database = yield* AuthWorld.database(tenants + uncounted, 1)
  const runtime = yield* Sql.pool(database.url, runtimeRole)
  const services = yield* Layer.build(AuthWorld.layer(runtime))
  const turns = Array.from({ length: tenants + uncounted }, (_, index) => index + 1)
  const serveAll = (some: ReadonlyArray<number>) =>
    Effect.forEach(some, serve, { concurrency: 8, discard: true }).pipe(
      Effect.provideContext(services)
    )
  // The code is compiled and the connections are open before anything counts.
  yield* serveAll(turns.slice(tenants))
  const before = inUse()
  yield* serveAll(turns.slice(0, tenants))
  const after = inUse()
  const megabytes = (after.used - before.used) / 1e6
  const resident = Math.round((after.rss - before.rss) / 1e6)
  const result: Bar = {
    what: `${tenants} tenants in memory, with ${resident} MB more of the process resident`,
    ratio: megabytes / limitMegabytes,
    limit: 1,
    unit: "MB",
    micros: [limitMegabytes, megabytes]
  }
  return result
})
