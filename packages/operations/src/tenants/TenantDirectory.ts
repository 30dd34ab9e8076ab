/** The tenants as an instance knows them, so that a request that names one costs the database nothing. */
import { type Tenant, TenantId } from "@quittance/domain/tenants/Tenant"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Duration, Effect, Layer } from "effect"
import * as TimedCache from "../values/TimedCache.ts"

const cachedTenants = 10_000
/** How late a change of a tenant may be seen. */
const knownFor = Duration.seconds(1)

export class TenantDirectory extends Context.Service<
  TenantDirectory,
  {
    /** The tenant, as it was at most a second ago; one that isn't there is looked for each time. */
    find(id: TenantId): Effect.Effect<Tenant | undefined>
  }
>()("@quittance/operations/TenantDirectory") {
  static readonly layer = Layer.effect(
    TenantDirectory,
    Effect.gen(function* () {
      const repo = yield* TenantsRepo
      const known = TimedCache.make({
        capacity: cachedTenants,
        lookup: (id) => repo.find(TenantId.make(id)),
        maxAge: (tenant) => (tenant === undefined ? Duration.zero : knownFor)
      })
      return TenantDirectory.of({ find: known.get })
    })
  ).pipe(Layer.provide(TenantsRepo.layer))
}
