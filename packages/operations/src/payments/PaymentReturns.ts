/** A payment that the bank returned: what it settled is owed again, from its first issue date on. */
import type { ReturnPayment } from "@quittance/domain/payments/PaymentRequests"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { Payment } from "@quittance/domain/payments/Payment"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import { PaymentsRepo } from "@quittance/persistence/payments/PaymentsRepo"
import { Context, Effect, identity, Layer } from "effect"
import { BillingCommand } from "../billing/BillingCommand.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { PaymentId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { ReturnDecisions, type UndoFailure } from "./ReturnDecisions.ts"

export type ReturnFailure = Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused | UndoFailure

export class PaymentReturns extends Context.Service<
  PaymentReturns,
  {
    /** Undoes what the payment settled; once. */
    record(
      paymentId: PaymentId,
      input: ReturnPayment
    ): Effect.Effect<Payment, ReturnFailure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/PaymentReturns") {
  static readonly layer = Layer.effect(
    PaymentReturns,
    Effect.gen(function* () {
      const command = yield* BillingCommand
      const decisions = yield* ReturnDecisions
      const payments = yield* PaymentsRepo

      const record = Effect.fn("PaymentReturns.record")(function* (
        paymentId: PaymentId,
        input: ReturnPayment
      ) {
        return yield* command.run({
          action: "payment.return",
          authorize: payments.authorize("payment.write", paymentId, { lock: true }),
          policyOf: identity,
          decide: (account) => decisions.undo(account, paymentId, input)
        })
      })

      return PaymentReturns.of({ record })
    })
  ).pipe(Layer.provide([BillingCommand.layer, PaymentsRepo.layer, ReturnDecisions.layer]))
}
