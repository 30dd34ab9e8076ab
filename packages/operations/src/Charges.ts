/** What is charged by hand: each charge has its own invoice, issued at once. */
import { payerOf, payersOf } from "@quittance/billing/Payers"
import type { CurrentCaller } from "@quittance/domain/Caller"
import { type Charge, largestCharge } from "@quittance/domain/Charge"
import type { InvoiceId } from "@quittance/domain/Invoice"
import { type InvalidTransition, refusal } from "@quittance/domain/Lifecycle"
import { InvalidAmount } from "@quittance/domain/Payment"
import type { PolicyId } from "@quittance/domain/Policy"
import type { IdempotencyKeyInUse, IdempotencyKeyReused } from "@quittance/domain/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { Ids } from "@quittance/persistence/Ids"
import { PoliciesRepo } from "@quittance/persistence/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { requestActor } from "./Actor.ts"
import { BillingBooks } from "./BillingBooks.ts"
import { issueCharge, nothingIssued } from "./Charging.ts"
import { Command } from "./Command.ts"
import type { CurrentRequest } from "./CurrentRequest.ts"
import { DueSteps } from "./DueSteps.ts"
import { positionOf } from "./OpenPolicy.ts"
import type { AccessFailure } from "./PolicyReader.ts"
import { trunkState } from "./Trunk.ts"

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
      const books = yield* BillingBooks
      const command = yield* Command
      const dueSteps = yield* DueSteps
      const ids = yield* Ids
      const policies = yield* PoliciesRepo

      const make = Effect.fn("Charges.make")(function* (policyId: PolicyId, input: MakeCharge) {
        return yield* command.run({
          authorize: policies.authorize("billing.write", policyId, { lock: true }),
          decide: Effect.fnUntraced(function* ({ head, now }) {
            const [opened] = yield* books.openHeads([head], now)
            const book = opened!
            const { policy } = book
            const state = trunkState(policy)
            const payers = payersOf(state)
            if (state.signedAt === undefined || payers === undefined) {
              return yield* refusal(positionOf(policy, state), "charge")
            }
            const { amount, componentId, label } = input
            if (!(amount >= 1 && amount <= largestCharge)) {
              return yield* new InvalidAmount({
                field: "amount",
                minimum: 1,
                maximum: largestCharge
              })
            }
            const customerId = payerOf(payers, componentId)
            const charged = { id: ids.next("charge"), componentId, label, amount, customerId }
            const { entries, issued } = issueCharge(nothingIssued(book), charged, ids.next)
            const charge: Charge = {
              ...charged,
              policyId,
              currency: issued[0]!.currency,
              // What is at least 1 is asked for by an invoice.
              invoiceId: issued[0]!.id as InvoiceId
            }
            const payload = { chargeId: charge.id }
            const [after] = yield* books.write(
              [
                {
                  before: policy,
                  after: policy,
                  action: "policy.charge",
                  issued,
                  entries,
                  nextDueAt: undefined,
                  happened: [{ kind: "policy.charged", at: now, payload }]
                }
              ],
              yield* requestActor
            )
            yield* dueSteps.afterCommand({ ...policy, head: after! })
            return charge
          })
        })
      })

      return Charges.of({ make })
    })
  ).pipe(Layer.provide([BillingBooks.layer, Command.layer, DueSteps.layer, PoliciesRepo.layer]))
}
