/** What is charged by hand: each charge has its own invoice, issued at once. */
import type { MakeCharge } from "@quittance/domain/billing/BillingRequests"
import { largeAmount } from "@quittance/billing/billing/LedgerRoom"
import { payerOf, payersOn } from "@quittance/billing/billing/Payers"
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { type Charge, largestCharge } from "@quittance/domain/billing/Charge"
import { refusal } from "@quittance/domain/policies/Lifecycle"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidAmount,
  type InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import { localDate } from "@quittance/domain/values/TimeZone"
import { Ids } from "@quittance/persistence/sql/Ids"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, identity, Layer } from "effect"
import { type PolicyAccount, billingView } from "@quittance/billing/billing/account/PolicyAccount"
import { BillingCommand } from "./BillingCommand.ts"
import type { BillingEvent } from "./BillingDecision.ts"
import { LedgerRoom } from "./LedgerRoom.ts"
import { issueCharge, nothingIssued } from "@quittance/billing/billing/account/ChargeInvoices"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { positionOf } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { AccessFailure } from "../policies/PolicyReader.ts"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import type { InvoiceId, PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export type ChargeFailure =
  | AccessFailure
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidAmount
  | InvalidTransition

export class ManualCharges extends Context.Service<
  ManualCharges,
  {
    /** Charges today's payer of the component. */
    make(
      policyId: PolicyId,
      input: MakeCharge
    ): Effect.Effect<Charge, ChargeFailure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/ManualCharges") {
  static readonly layer = Layer.effect(
    ManualCharges,
    Effect.gen(function* () {
      const command = yield* BillingCommand
      const ids = yield* Ids
      const room = yield* LedgerRoom
      const policies = yield* PoliciesRepo

      const decide = (account: PolicyAccount, { amount, componentId, label }: MakeCharge) =>
        Effect.gen(function* () {
          const { policy } = account
          const state = baseState(policy)
          if (state.signedAt === undefined) {
            return yield* refusal(positionOf(policy, state), "charge")
          }
          if (!(amount >= 1 && amount <= largestCharge)) {
            return yield* new InvalidAmount({ field: "amount", minimum: 1, maximum: largestCharge })
          }
          const { payers, timeZone } = billingView(account)
          const split = payersOn(payers, localDate(policy.now, timeZone))
          const customerId = payerOf(split, componentId)
          const charged = { id: ids.next("charge"), componentId, label, amount, customerId }
          const { entries, issued } = issueCharge(nothingIssued(account), charged, ids.next)
          const lacking = yield* room.lacking([{ policyId: policy.head.id, entries }])
          if (lacking.size > 0) {
            return yield* new InvalidAmount({
              field: "amount",
              minimum: 1,
              maximum: largeAmount - 1
            })
          }
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
            happened: [{ kind: "policy.charged", at: policy.now, payload } satisfies BillingEvent],
            answer: Effect.succeed(charge)
          }
        })

      const make = Effect.fn("ManualCharges.make")(function* (
        policyId: PolicyId,
        input: MakeCharge
      ) {
        return yield* command.run({
          action: "policy.charge",
          authorize: policies.authorize("billing.write", policyId, { lock: true }),
          policyOf: identity,
          decide: (account) => decide(account, input)
        })
      })

      return ManualCharges.of({ make })
    })
  ).pipe(Layer.provide([BillingCommand.layer, LedgerRoom.layer, PoliciesRepo.layer]))
}
