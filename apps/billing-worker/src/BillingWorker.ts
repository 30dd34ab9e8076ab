/** Runs what falls due, for all tenants, beside any number of other workers. */
import { runFor } from "@quittance/operations/requests/TenantBatch"
import { sum } from "@quittance/domain/billing/Job"
import * as Settings from "@quittance/domain/values/Settings"
import { DueItems } from "@quittance/operations/worker/DueItems"
import { DueSteps } from "@quittance/operations/worker/DueSteps"
import { countFailure, countRan } from "@quittance/operations/worker/JobMetrics"
import { DueRepo } from "@quittance/persistence/policies/DueRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { DueDirectory } from "@quittance/persistence/tenants/DueDirectory"
import { Config, Context, Effect, Layer } from "effect"
import type { TenantId } from "@quittance/domain/requests/Tenancy"

/** Each takes a connection of the pool. */
const tenantCounts = { minimum: 1, maximum: 100 }

export class BillingWorker extends Context.Service<
  BillingWorker,
  {
    /**
     * One batch of each tenant with work, the longest due first; whether more may be due. What fails
     * for one tenant is logged and holds up no other.
     */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/billing-worker/BillingWorker") {
  /** `BILLING_TENANTS_AT_ONCE` (2) is how many tenants are served at a time. */
  static readonly layer = Layer.effect(
    BillingWorker,
    Effect.gen(function* () {
      const due = yield* DueRepo
      const directory = yield* DueDirectory
      const dueItems = yield* DueItems
      const dueSteps = yield* DueSteps
      const tenantSql = yield* TenantSql
      const tenantsAtOnce = yield* Settings.count("BILLING_TENANTS_AT_ONCE", tenantCounts).pipe(
        Config.withDefault(2)
      )

      /** Policies first: what they have done is what files are made of. */
      const both = Effect.gen(function* () {
        const steps = yield* dueSteps.runBatch()
        const items = yield* dueItems.runBatch
        const more = steps.more || items.more
        if (!more) yield* tenantSql.transaction(directory.settle)
        return { ran: sum([steps.ran, items.ran]), more }
      })

      const batch = (tenantId: TenantId) =>
        both.pipe(
          Effect.tap(({ ran }) => countRan(ran)),
          Effect.tap(({ ran }) =>
            Object.keys(ran).length === 0
              ? Effect.void
              : Effect.annotateLogs(Effect.logInfo("Ran what was due"), ran)
          ),
          Effect.map(({ more }) => more),
          Effect.tapCause(() => countFailure),
          (batch) =>
            runFor(tenantId, batch, { message: "A batch failed and is tried again", answer: false })
        )

      const round = Effect.gen(function* () {
        const tenants = (yield* due.tenants).filter(({ isDue }) => isDue)
        const more = yield* Effect.forEach(tenants, ({ tenantId }) => batch(tenantId), {
          concurrency: tenantsAtOnce
        })
        return more.includes(true)
      }).pipe(Effect.withSpan("BillingWorker.round"))

      return BillingWorker.of({ round })
    })
  ).pipe(Layer.provide([DueDirectory.layer, DueItems.layer, DueRepo.layer, DueSteps.layer]))
}
