/** What payees' banks say of names: asked for once a year for each account. */
import type { PayeeCheck } from "@quittance/domain/payouts/Payout"
import type { CustomerPaymentMethod } from "@quittance/domain/payments/PaymentMethod"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { addMonths } from "@quittance/domain/values/LocalDate"
import { localDate, type TimeZone } from "@quittance/domain/values/TimeZone"
import { PayeeChecksRepo } from "@quittance/persistence/payouts/PayeeChecksRepo"
import { Context, Effect, Layer } from "effect"
import { PayeeVerifier } from "./PayeeVerifier.ts"

/** How long an answer holds, in months. */
const holdsFor = 12

export class PayeeChecks extends Context.Service<
  PayeeChecks,
  {
    /** The answer for an account, asked for where there is none of the last year; in a transaction. */
    of(
      method: CustomerPaymentMethod,
      at: { readonly now: Instant; readonly timeZone: TimeZone }
    ): Effect.Effect<PayeeCheck, never, CurrentTenant>
  }
>()("@quittance/operations/PayeeChecks") {
  static readonly layer = Layer.effect(
    PayeeChecks,
    Effect.gen(function* () {
      const repo = yield* PayeeChecksRepo
      const verifier = yield* PayeeVerifier

      const of = Effect.fn("PayeeChecks.of")(function* (
        method: CustomerPaymentMethod,
        { now, timeZone }: { readonly now: Instant; readonly timeZone: TimeZone }
      ) {
        const before = yield* repo.find(method.id)
        const dayOf = (instant: Instant) => localDate(instant, timeZone)
        if (before !== undefined && dayOf(now) < addMonths(dayOf(before.checkedAt), holdsFor)) {
          return before
        }
        const check: PayeeCheck = { ...(yield* verifier.verify(method)), checkedAt: now }
        yield* repo.put(method.id, check)
        return check
      })

      return PayeeChecks.of({ of })
    })
  ).pipe(Layer.provide([PayeeChecksRepo.layer, PayeeVerifier.layer]))
}
