/** What a look at a customer finds: which of their data no clock keeps any more, and what holds them. */
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { clocks, type RetentionRule } from "@quittance/domain/privacy/Retention"
import { type RetentionPlan, retentionPlan } from "@quittance/domain/privacy/RetentionPlan"
import type { RetentionHoldId } from "@quittance/domain/privacy/RetentionHold"
import { rulesOf } from "@quittance/domain/privacy/RetentionSettings"
import type { CustomerId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { addDays } from "@quittance/domain/values/LocalDate"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import { ErasuresRepo } from "@quittance/persistence/privacy/ErasuresRepo"
import { RetentionFactsRepo } from "@quittance/persistence/privacy/RetentionFactsRepo"
import { RetentionHoldsRepo } from "@quittance/persistence/privacy/RetentionHoldsRepo"
import { RetentionRepo } from "@quittance/persistence/privacy/RetentionRepo"
import { Context, Effect, Layer } from "effect"

export interface Look extends RetentionPlan {
  readonly holds: ReadonlyArray<RetentionHoldId>
}

export class RetentionLooks extends Context.Service<
  RetentionLooks,
  {
    /** The rules of the tenant. */
    readonly rules: Effect.Effect<ReadonlyArray<RetentionRule>, never, CurrentTenant>
    /** Looks at a customer; nothing is erased. Under a hold, nothing is free until it is lifted. */
    at(
      customerId: CustomerId,
      now: Instant,
      rules: ReadonlyArray<RetentionRule>
    ): Effect.Effect<Look, never, CurrentTenant>
    /** The first instant of so many days after today. */
    dayAfter(now: Instant, days: number): Effect.Effect<Instant, never, CurrentTenant>
  }
>()("@quittance/operations/RetentionLooks") {
  static readonly layer = Layer.effect(
    RetentionLooks,
    Effect.gen(function* () {
      const erasures = yield* ErasuresRepo
      const facts = yield* RetentionFactsRepo
      const holds = yield* RetentionHoldsRepo
      const repo = yield* RetentionRepo

      const rules = Effect.map(repo.find, (found) => rulesOf(found?.rules ?? []))

      const dayAfter = Effect.fn("RetentionLooks.dayAfter")(function* (now: Instant, days: number) {
        const timeZone = yield* facts.timeZone
        return startOfDay(addDays(localDate(now, timeZone), days), timeZone)
      })

      const at = Effect.fn("RetentionLooks.at")(function* (
        customerId: CustomerId,
        now: Instant,
        all: ReadonlyArray<RetentionRule>
      ) {
        const timeZone = yield* facts.timeZone
        const known = yield* facts.known(customerId)
        const plan = retentionPlan(
          {
            customerId,
            policyIds: yield* erasures.policiesOf(customerId),
            clocks: clocks(known, all, timeZone),
            past: yield* repo.past(customerId),
            rules: all,
            timeZone
          },
          now
        )
        const held = plan.steps.length === 0 ? [] : yield* holds.inForce([customerId], now)
        if (held.length === 0) return { ...plan, holds: held }
        return { steps: [], lookAt: yield* dayAfter(now, 1), holds: held }
      })

      return RetentionLooks.of({ rules, at, dayAfter })
    })
  ).pipe(
    Layer.provide([
      ErasuresRepo.layer,
      RetentionFactsRepo.layer,
      RetentionHoldsRepo.layer,
      RetentionRepo.layer
    ])
  )
}
