/** Whether the holder of an account has the name that was given (verification of payee, EPC218-23). */
import { payeeCheckOf } from "@quittance/bank/TestAccounts"
import type { PayeeCheck } from "@quittance/domain/payouts/Payout"
import type { CustomerPaymentMethod } from "@quittance/domain/payments/PaymentMethod"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Context, Effect, Layer } from "effect"

/** What a bank says of a name. */
export type PayeeAnswer = Pick<PayeeCheck, "nameAtBank" | "result">

/**
 * The port to who verifies payees. Its answer is part of a transaction, so it calls no one: in sandboxes the
 * simulated bank answers by how the name ends, elsewhere no one can say.
 */
export class PayeeVerifier extends Context.Service<
  PayeeVerifier,
  {
    verify(
      method: Pick<CustomerPaymentMethod, "holderName">
    ): Effect.Effect<PayeeAnswer, never, CurrentTenant>
  }
>()("@quittance/operations/PayeeVerifier") {
  static readonly layer = Layer.effect(
    PayeeVerifier,
    Effect.gen(function* () {
      const tenants = yield* TenantsRepo

      const verify = Effect.fn("PayeeVerifier.verify")(function* ({
        holderName
      }: Pick<CustomerPaymentMethod, "holderName">) {
        const tenant = yield* tenants.find(yield* CurrentTenant)
        if (tenant?.environment === "production") return { result: "NOT_POSSIBLE" } as const
        const result = payeeCheckOf(holderName)
        // The simulated bank has the name without its last word.
        return result === "CLOSE_MATCH"
          ? { result, nameAtBank: holderName.trim().replace(/\s*\S+$/u, "") }
          : { result }
      })

      return PayeeVerifier.of({ verify })
    })
  ).pipe(Layer.provide(TenantsRepo.layer))
}
