/** What people ask of the simulated bank of their sandbox; in production there is none. */
import { testAccounts } from "@quittance/bank/TestAccounts"
import type { TestAccounts } from "@quittance/domain/collections/TestAccount"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { RouteNotFound } from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Effect, Layer } from "effect"

export class SandboxBank extends Context.Service<
  SandboxBank,
  {
    /** Accounts that each fail in their own way, and one that does not. */
    readonly testAccounts: Effect.Effect<
      TestAccounts,
      Forbidden | RouteNotFound,
      CurrentTenant | CurrentCaller
    >
  }
>()("@quittance/operations/SandboxBank") {
  static readonly layer = Layer.effect(
    SandboxBank,
    Effect.gen(function* () {
      const grants = yield* GrantsRepo
      const tenants = yield* TenantsRepo

      return SandboxBank.of({
        testAccounts: Effect.gen(function* () {
          const tenant = yield* tenants.find(yield* CurrentTenant)
          if (tenant?.environment === "production") return yield* new RouteNotFound({})
          yield* grants.requireOnTenant("collection.read")
          return { data: testAccounts }
        }).pipe(Effect.withSpan("SandboxBank.testAccounts"))
      })
    })
  ).pipe(Layer.provide([GrantsRepo.layer, TenantsRepo.layer]))
}
