/** The tenants as an instance knows them, so that a request that names one costs the database nothing. */
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Duration, Effect, Layer } from "effect"
import * as TimedCache from "../values/TtlCache.ts"
import { TenantId } from "@quittance/domain/requests/Tenancy"

const cachedTenants = 10_000
/** Names of no tenant, which any caller may make up: they push out each other, never a tenant. */
const cachedNames = 10_000
/** How late a change of a tenant, or a new one, may be seen. */
const knownFor = Duration.seconds(1)

export class TenantDirectory extends Context.Service<
  TenantDirectory,
  {
    /**
     * The tenant, as it was at most a second ago; `undefined` for one that wasn't there then, or was
     * disabled: no request is served in its name.
     */
    find(id: TenantId): Effect.Effect<Tenant | undefined>
  }
>()("@quittance/operations/TenantDirectory") {
  /** The directory over any repository. */
  static readonly make = Effect.gen(function* () {
    const repo = yield* TenantsRepo
    const known = TimedCache.make({
      capacity: cachedTenants,
      lookup: (id) => repo.enabled(TenantId.make(id)),
      maxAge: (tenant) => (tenant === undefined ? Duration.zero : knownFor)
    })
    const absent = TimedCache.make<true>({
      capacity: cachedNames,
      lookup: () => Effect.die(new Error("TenantDirectory: entries are set, never looked up")),
      maxAge: () => knownFor
    })

    const find = Effect.fn("TenantDirectory.find")(function* (id: TenantId) {
      if ((yield* absent.peek(id)) === true) return undefined
      const tenant = yield* known.get(id)
      if (tenant === undefined) yield* absent.set(id, true, knownFor)
      return tenant
    })

    return TenantDirectory.of({ find })
  })

  static readonly layer = Layer.effect(TenantDirectory, TenantDirectory.make).pipe(
    Layer.provide(TenantsRepo.layer)
  )
}
