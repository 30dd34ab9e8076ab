/** Credit balances that are paid back, never more than there is. */
import { forRefund } from "@quittance/billing/Postings"
import { refundable } from "@quittance/billing/Refunds"
import type { CustomerId } from "@quittance/domain/Customer"
import type { InvalidAmount, PaymentMethod } from "@quittance/domain/Payment"
import type { InvalidReference, PolicyId } from "@quittance/domain/Policy"
import type { Refund } from "@quittance/domain/Refund"
import type { IdempotencyKeyInUse, IdempotencyKeyReused } from "@quittance/domain/RequestErrors"
import type { CurrentCaller } from "@quittance/domain/Caller"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { Ids } from "@quittance/persistence/Ids"
import { PoliciesRepo } from "@quittance/persistence/PoliciesRepo"
import { RefundsRepo } from "@quittance/persistence/RefundsRepo"
import { Context, Effect, Layer } from "effect"
import { requestActor } from "./Actor.ts"
import { BillingBooks } from "./BillingBooks.ts"
import { Command } from "./Command.ts"
import type { CurrentRequest } from "./CurrentRequest.ts"
import { DueSteps } from "./DueSteps.ts"
import { entryRow } from "./Issuing.ts"
import type { AccessFailure } from "./PolicyReader.ts"
import { trunkState } from "./Trunk.ts"

/** What `POST /payments/policies/{policyId}/refunds` takes. */
export interface RecordRefund {
  /** In minor units. */
  readonly amount: number
  readonly method: PaymentMethod
  readonly reference: string
  /** Whose balance it is; the only one where it is absent. */
  readonly customerId?: CustomerId
}

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
      const books = yield* BillingBooks
      const command = yield* Command
      const dueSteps = yield* DueSteps
      const ids = yield* Ids
      const policies = yield* PoliciesRepo
      const refunds = yield* RefundsRepo

      const record = Effect.fn("Refunds.record")(function* (
        policyId: PolicyId,
        input: RecordRefund
      ) {
        return yield* command.run({
          authorize: policies.authorize("payment.write", policyId, { lock: true }),
          decide: Effect.fnUntraced(function* ({ head, now }) {
            // Read under the lock of the head: the one refund after the other.
            const [opened] = yield* books.openHeads([head], now)
            const { balances, policy } = opened!
            const { amount, method, reference } = input
            const customerId = yield* Effect.fromResult(
              refundable(balances, amount, input.customerId)
            )
            const { currency } = policy.productOf(trunkState(policy))
            const refund: Refund = {
              id: ids.next("refund"),
              policyId,
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
            const [after] = yield* books.write(
              [
                {
                  before: policy,
                  after: policy,
                  action: "payment.refund",
                  issued: [],
                  entries: [entryRow(entry, refund, refund.id, at, ids.next)],
                  nextDueAt: undefined,
                  happened: [{ kind: "payment.refunded", at: now, payload }]
                }
              ],
              yield* requestActor
            )
            yield* dueSteps.afterCommand({ ...policy, head: after! })
            return refund
          })
        })
      })

      return Refunds.of({ record })
    })
  ).pipe(
    Layer.provide([
      BillingBooks.layer,
      Command.layer,
      DueSteps.layer,
      PoliciesRepo.layer,
      RefundsRepo.layer
    ])
  )
}
