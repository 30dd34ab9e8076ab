/** What is charged by hand: each charge has its own invoice, issued at once. */
import { payerOf, payersOn } from "@quittance/billing/billing/Payers"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { type Charge, largestCharge } from "@quittance/domain/billing/Charge"
import type { InvoiceId } from "@quittance/domain/billing/Invoice"
import { type InvalidTransition, refusal } from "@quittance/domain/policies/Lifecycle"
import { InvalidAmount } from "@quittance/domain/payments/Payment"
import type { PolicyId } from "@quittance/domain/policies/Policy"
import type { IdempotencyKeyInUse, IdempotencyKeyReused } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { localDate } from "@quittance/domain/values/TimeZone"
import { Ids } from "@quittance/persistence/sql/Ids"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, identity, Layer } from "effect"
import { type Book, billingView } from "./PolicyAccount.ts"
import { BookCommand } from "./BillingCommand.ts"
import { issueCharge, nothingIssued } from "./ChargeInvoices.ts"
import type { CurrentRequest } from "../requests/CurrentRequest.ts"
import { positionOf } from "../policies/PolicyAggregate.ts"
import type { AccessFailure } from "../policies/PolicyReader.ts"
import { trunkState } from "../policies/BaseTimeline.ts"

/** What `POST /billing/policies/{policyId}/charges` takes. */
export interface MakeCharge {
  readonly componentId: string
  readonly label: string
  /** In minor units. */
  readonly amount: number
}

export type ChargeFailure =
  | AccessFailure
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidAmount
  | InvalidTransition

export class Charges extends Context.Service<
  Charges,
  {
    /** Charges whoever pays for the component today. */
    make(
      policyId: PolicyId,
      input: MakeCharge
    ): Effect.Effect<Charge, ChargeFailure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/Charges") {
  static readonly layer = Layer.effect(
    Charges,
    Effect.gen(function* () {
      const command = yield* BookCommand
      const ids = yield* Ids
      const policies = yield* PoliciesRepo

      const decide = (book: Book, { amount, componentId, label }: MakeCharge) =>
        Effect.gen(function* () {
          const { policy } = book
          const state = trunkState(policy)
          if (state.signedAt === undefined) {
            return yield* refusal(positionOf(policy, state), "charge")
          }
          if (!(amount >= 1 && amount <= largestCharge)) {
            return yield* new InvalidAmount({ field: "amount", minimum: 1, maximum: largestCharge })
          }
          const { payers, timeZone } = billingView(book)
          const split = payersOn(payers, localDate(policy.now, timeZone))
          const customerId = payerOf(split, componentId)
          const charged = { id: ids.next("charge"), componentId, label, amount, customerId }
          const { entries, issued } = issueCharge(nothingIssued(book), charged, ids.next)
          const charge: Charge = {
            ...charged,
            policyId: policy.head.id,
            currency: issued[0]!.currency,
            // What is at least 1 is asked for by an invoice.
            invoiceId: issued[0]!.id as InvoiceId
          }
          const payload = { chargeId: charge.id }
          return {
            issued,
            entries,
            happened: [{ kind: "policy.charged", at: policy.now, payload }],
            answer: Effect.succeed(charge)
          }
        })

      const make = Effect.fn("Charges.make")(function* (policyId: PolicyId, input: MakeCharge) {
        return yield* command.run({
          action: "policy.charge",
          authorize: policies.authorize("billing.write", policyId, { lock: true }),
          policyOf: identity,
          decide: (book) => decide(book, input)
        })
      })

      return Charges.of({ make })
    })
  ).pipe(Layer.provide([BookCommand.layer, PoliciesRepo.layer]))
}
