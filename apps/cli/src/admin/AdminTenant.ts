/** The tenant that a command on the database is about. */
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Effect } from "effect"
import { Flag } from "effect/cli"
import { problem } from "../Problem.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

export const tenant = Flag.String("tenant").pipe(
  Flag.withAlias("t"),
  Flag.withDescription("The tenant that it is about"),
  Flag.withSchema(TenantId)
)

/** Runs a command on a tenant that is there. */
export const forTenant = <A, E, R>(id: TenantId, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const found = yield* TenantsRepo.use((tenants) => tenants.find(id))
    if (found === undefined) {
      return yield* problem(`There is no tenant ${id}: check the name, and which database it is.`)
    }
    return yield* Effect.provideService(effect, CurrentTenant, id)
  })
