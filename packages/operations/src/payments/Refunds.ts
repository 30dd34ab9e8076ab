/** Credit balances that are paid back, never more than there is. */
import type { RecordRefund } from "@quittance/domain/payments/PaymentRequests"
import { forRefund } from "@quittance/billing/billing/Postings"
import { refundable } from "@quittance/billing/payments/Refunds"
import type { Refund } from "@quittance/domain/payments/Refund"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  InvalidAmount,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { Ids } from "@quittance/persistence/sql/Ids"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { RefundsRepo } from "@quittance/persistence/payments/RefundsRepo"
import { Context, Effect, identity, Layer } from "effect"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import { BillingCommand } from "../billing/BillingCommand.ts"
import type { BillingEvent } from "../billing/BillingDecision.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { entryRow } from "@quittance/billing/billing/account/InvoiceIssuing"
import type { AccessFailure } from "../policies/PolicyReader.ts"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import type { PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export type RefundFailure =
  | AccessFailure
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidAmount
  | InvalidReference

export class Refunds extends Context.Service<
  Refunds,
  {
    /** Pays a credit balance back. */
    record(
      policyId: PolicyId,
      input: RecordRefund
    ): Effect.Effect<Refund, RefundFailure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/Refunds") {
  static readonly layer = Layer.effect(
    Refunds,
    Effect.gen(function* () {
      const command = yield* BillingCommand
      const ids = yield* Ids
      const policies = yield* PoliciesRepo
      const refunds = yield* RefundsRepo

      const decide = Effect.fnUntraced(function* (
        { balances, policy }: PolicyAccount,
        { amount, customerId: named, method, reference }: RecordRefund
      ) {
        const { head, now } = policy
        const customerId = yield* Effect.fromResult(refundable(balances, amount, named))
        const { currency } = policy.productOf(baseState(policy))
        const refund: Refund = {
          id: ids.next("refund"),
          policyId: head.id,
          customerId,
          amount,
          currency,
          method,
          reference,
          recordedAt: now
        }
        yield* refunds.insert(refund)
        const entry = forRefund(customerId, amount, currency)
        const at = { occurredAt: now, recordedAt: now }
        const payload = { refundId: refund.id }
        return {
          entries: [entryRow(entry, refund, refund.id, at, ids.next)],
          happened: [{ kind: "payment.refunded", at: now, payload } satisfies BillingEvent],
          answer: Effect.succeed(refund)
        }
      })

      const record = Effect.fn("Refunds.record")(function* (
        policyId: PolicyId,
        input: RecordRefund
      ) {
        return yield* command.run({
          action: "payment.refund",
          authorize: policies.authorize("payment.write", policyId, { lock: true }),
          policyOf: identity,
          decide: (account) => decide(account, input)
        })
      })

      return Refunds.of({ record })
    })
  ).pipe(Layer.provide([BillingCommand.layer, PoliciesRepo.layer, RefundsRepo.layer]))
}
