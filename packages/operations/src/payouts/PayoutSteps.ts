/** One step of a payout: under the lock of its policy, with its approval and the balance that it came from. */
import { forRefundReturned } from "@quittance/billing/billing/Postings"
import { entryRow } from "@quittance/billing/billing/account/InvoiceIssuing"
import type { Approval, ApprovalStatus } from "@quittance/domain/payouts/Approval"
import type { Payout, PayoutId, PayoutNotFound } from "@quittance/domain/payouts/Payout"
import {
  givesBack,
  payoutAfter,
  type PayoutCommand
} from "@quittance/domain/payouts/PayoutLifecycle"
import type { PayoutEvent } from "@quittance/domain/payouts/PayoutEvents"
import type { Action } from "@quittance/domain/requests/Action"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { RefundsRepo } from "@quittance/persistence/payments/RefundsRepo"
import { ApprovalsRepo } from "@quittance/persistence/payouts/ApprovalsRepo"
import { PayoutsRepo } from "@quittance/persistence/payouts/PayoutsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, identity, Layer } from "effect"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import { BillingCommand } from "../billing/BillingCommand.ts"
import type { BillingEvent } from "../billing/BillingDecision.ts"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

export type StepFailure =
  | Forbidden
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidTransition
  | PayoutNotFound
  | UserNotFound

/** A command on a payout. */
export interface Step<E, R> {
  readonly id: PayoutId
  readonly action: Action
  readonly command: PayoutCommand
  readonly event: PayoutEvent
  /** What becomes of its approval while that waits; absent: nothing. */
  readonly approval?: {
    readonly status: ApprovalStatus
    readonly by: string
    readonly reason?: string | undefined
  }
  /** What the step changes beside the status, or why it is refused. */
  readonly decide?: (
    payout: Payout,
    now: Instant
  ) => Effect.Effect<Partial<Pick<Payout, "outcome" | "payeeCheck">>, E, R>
}

/** What a step has made of a payout, and of its approval where it has one. */
export interface Stepped {
  readonly payout: Payout
  readonly approval?: Approval
}

export class PayoutSteps extends Context.Service<
  PayoutSteps,
  {
    take<E = never, R = never>(
      step: Step<E, R>
    ): Effect.Effect<Stepped, E | StepFailure, R | Scoped>
  }
>()("@quittance/operations/PayoutSteps") {
  static readonly layer = Layer.effect(
    PayoutSteps,
    Effect.gen(function* () {
      const approvals = yield* ApprovalsRepo
      const command = yield* BillingCommand
      const ids = yield* Ids
      const payouts = yield* PayoutsRepo
      const refunds = yield* RefundsRepo

      /** The refund that comes back, and the entry that posts it. */
      const givenBack = Effect.fnUntraced(function* (payout: Payout, now: Instant) {
        const at = { returnedAt: payout.outcome?.at ?? now, recordedAt: now }
        yield* refunds.insertReturn(payout.refundId, at)
        const entry = forRefundReturned(payout.customerId, payout.amount, payout.currency)
        const posted = { occurredAt: at.returnedAt, recordedAt: now }
        const happened: BillingEvent = {
          kind: "payment.refund_returned",
          at: at.returnedAt,
          payload: { refundId: payout.refundId }
        }
        return {
          entries: [entryRow(entry, payout, payout.refundId, posted, ids.next)],
          happened: [happened]
        }
      })

      /** The approval follows the payout, which holds the lock for both. */
      const settleApproval = Effect.fnUntraced(function* (
        { approvalId }: Payout,
        decided: Step<unknown, unknown>["approval"],
        at: Instant
      ) {
        if (approvalId === undefined) return undefined
        const approval = yield* Effect.orDie(approvals.find(approvalId))
        if (decided === undefined || approval.status !== "PENDING") return approval
        const { by, reason, status } = decided
        const decision = { by, at, ...(reason === undefined ? {} : { reason }) }
        const after: Approval = { ...approval, status, decision }
        yield* approvals.update(after)
        return after
      })

      const decide = Effect.fnUntraced(function* <E, R>(
        { policy: { now } }: PolicyAccount,
        step: Step<E, R>
      ) {
        const before = yield* payouts.find(step.id)
        const status = yield* Effect.fromResult(payoutAfter(before, step.command))
        const changed = step.decide === undefined ? {} : yield* step.decide(before, now)
        const after: Payout = { ...before, ...changed, status }
        yield* payouts.update(after)
        const approval = yield* settleApproval(after, step.approval, now)
        const stepped: Stepped = { payout: after, ...(approval === undefined ? {} : { approval }) }
        const back = givesBack(status)
          ? yield* givenBack(after, now)
          : { entries: [], happened: [] }
        const event: BillingEvent = {
          kind: step.event,
          at: after.outcome?.at ?? now,
          payload: { payoutId: after.id }
        }
        return {
          entries: back.entries,
          happened: [event, ...back.happened],
          answer: Effect.succeed(stepped)
        }
      })

      const take = Effect.fn("PayoutSteps.take")(<E, R>(step: Step<E, R>) =>
        command.run({
          action: step.event,
          authorize: payouts.authorize(step.action, step.id, { lock: true }),
          policyOf: identity,
          decide: (account) => decide(account, step)
        })
      )

      return PayoutSteps.of({ take })
    })
  ).pipe(
    Layer.provide([ApprovalsRepo.layer, BillingCommand.layer, PayoutsRepo.layer, RefundsRepo.layer])
  )
}
