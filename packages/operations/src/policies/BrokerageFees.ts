/** Brokerage fees of a request: every firm that is to earn one must be there. */
import { FirmsRepo } from "@quittance/persistence/access/FirmsRepo"
import { Context, Effect, Layer } from "effect"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { InvalidReference } from "@quittance/domain/requests/RequestErrors"
import type { BrokerageFee } from "@quittance/domain/products/ProductCharges"

export class BrokerageFees extends Context.Service<
  BrokerageFees,
  {
    /** Fails for the first fee whose firm the tenant does not have; without fees it passes. */
    check(
      fees: ReadonlyArray<BrokerageFee> | null | undefined
    ): Effect.Effect<void, InvalidReference, CurrentTenant>
  }
>()("@quittance/operations/BrokerageFees") {
  static readonly layer = Layer.effect(
    BrokerageFees,
    Effect.gen(function* () {
      const firms = yield* FirmsRepo

      const check = Effect.fn("BrokerageFees.check")(function* (
        fees: ReadonlyArray<BrokerageFee> | null | undefined
      ) {
        if (fees === null || fees === undefined || fees.length === 0) return
        const existing = yield* firms.existing(fees.map(({ brokerageFirmId }) => brokerageFirmId))
        for (const [index, { brokerageFirmId }] of fees.entries()) {
          if (existing.has(brokerageFirmId)) continue
          const field = `brokerageFees/${index}/brokerageFirmId`
          return yield* new InvalidReference({ field, value: brokerageFirmId })
        }
      })

      return BrokerageFees.of({ check })
    })
  ).pipe(Layer.provide(FirmsRepo.layer))
}
