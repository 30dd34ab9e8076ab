/** Money that was lacking is collected once more: what follows a failure of the class `RETRY`. */
import type { Debit } from "@quittance/domain/collections/Debit"
import type { BankAccountSettings } from "@quittance/domain/payments/BankAccount"
import type { DirectDebitTerms } from "@quittance/domain/products/payments/ProductPayments"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { Context, Effect, Layer } from "effect"
import { worker } from "./DebitFilling.ts"
import { DebitReplacing } from "./DebitReplacing.ts"

/** A debit that failed for want of money, and may be tried again. */
export interface FailedDebit {
  readonly debit: Debit
  /** The first day on which it is collected once more. */
  readonly from: LocalDate
  readonly terms: DirectDebitTerms
  readonly bank: BankAccountSettings
  readonly now: Instant
}

export class Retries extends Context.Service<
  Retries,
  {
    /** Plans a new debit of the same money, part of the transaction that ends the failed one. */
    plan(failed: FailedDebit): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/Retries") {
  static readonly layer = Layer.effect(
    Retries,
    Effect.gen(function* () {
      const replacing = yield* DebitReplacing

      const plan = Effect.fn("Retries.plan")(function* ({
        bank,
        debit,
        from,
        now,
        terms
      }: FailedDebit) {
        yield* replacing.replace(
          debit,
          {
            actor: worker,
            attempt: debit.attempt + 1,
            // Its payer is told anew.
            notificationDays: terms.retry.notificationDays,
            askedFor: from
          },
          bank,
          now
        )
      })

      return Retries.of({ plan })
    })
  ).pipe(Layer.provide(DebitReplacing.layer))
}
