/** One step of a payout: under the lock of its policy, with its approval and the balance that it came from. */
import { forRefundReturned } from "@quittance/billing/billing/Postings"
import { entryRow } from "@quittance/billing/billing/account/InvoiceIssuing"
import type { Approval, ApprovalStatus } from "@quittance/domain/payouts/Approval"
import type { Payout, PayoutId, PayoutNotFound } from "@quittance/domain/payouts/Payout"
import {
  type BankWord,
  givesBack,
  payoutAfter,
  payoutAfterBank,
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
import { jobName } from "@quittance/domain/requests/Actor"
import { type Instant, max, min } from "@quittance/domain/values/Instant"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { RefundsRepo } from "@quittance/persistence/payments/RefundsRepo"
import { ApprovalsRepo } from "@quittance/persistence/payouts/ApprovalsRepo"
import { PayoutsRepo } from "@quittance/persistence/payouts/PayoutsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, identity, Layer } from "effect"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import { BillingCommand } from "../billing/BillingCommand.ts"
import type { BillingEvent } from "../billing/BillingDecision.ts"
import type { Actor } from "../requests/Actor.ts"

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

/** What a bank tells of a payout. */
export interface Heard {
  readonly id: PayoutId
  readonly word: BankWord
  /** The day of its statement; absent: now. */
  readonly on: LocalDate | undefined
  readonly reasonCode: string | undefined
}

export class PayoutSteps extends Context.Service<
  PayoutSteps,
  {
    take<E = never, R = never>(
      step: Step<E, R>
    ): Effect.Effect<Stepped, E | StepFailure, R | Scoped>
    /** Takes what a bank tells of a payout, under the lock of its policy: twice is as once. */
    hear(heard: Heard): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/PayoutSteps") {
  static readonly layer = Layer.effect(
    PayoutSteps,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const approvals = yield* ApprovalsRepo
      const command = yield* BillingCommand
      const ids = yield* Ids
      const payouts = yield* PayoutsRepo
      const policies = yield* PoliciesRepo
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

      /** What is written of a payout that has changed. */
      const written = Effect.fnUntraced(function* (
        after: Payout,
        event: PayoutEvent,
        now: Instant,
        decided?: Step<unknown, unknown>["approval"]
      ) {
        yield* payouts.update(after)
        const approval = yield* settleApproval(after, decided, now)
        const stepped: Stepped = { payout: after, ...(approval === undefined ? {} : { approval }) }
        const back = givesBack(after.status)
          ? yield* givenBack(after, now)
          : { entries: [], happened: [] }
        const happened: BillingEvent = {
          kind: event,
          at: after.outcome?.at ?? now,
          payload: { payoutId: after.id }
        }
        return {
          entries: back.entries,
          happened: [happened, ...back.happened],
          answer: Effect.succeed(stepped)
        }
      })

      const decide = Effect.fnUntraced(function* <E, R>(
        { policy: { now } }: PolicyAccount,
        step: Step<E, R>
      ) {
        const before = yield* payouts.find(step.id)
        const status = yield* Effect.fromResult(payoutAfter(before, step.command))
        const changed = step.decide === undefined ? {} : yield* step.decide(before, now)
        return yield* written({ ...before, ...changed, status }, step.event, now, step.approval)
      })

      const hear = Effect.fn("PayoutSteps.hear")(function* ({ id, on, reasonCode, word }: Heard) {
        const { policyId } = yield* payouts.find(id)
        const { head, now } = yield* policies.hold(policyId)
        const before = yield* payouts.find(id)
        const status = payoutAfterBank(before, word)
        if (status === undefined) return
        const { settings } = yield* accounts.find(before.bankAccountId)
        const earliest = before.outcome?.at ?? before.requestedAt
        // No money moves before it was asked for, or later than now.
        const at = min(
          now,
          max(earliest, on === undefined ? now : startOfDay(on, settings.timeZone))
        )
        const reason = word === "LEFT" || reasonCode === undefined ? {} : { reasonCode }
        const after: Payout = { ...before, status, outcome: { at, ...reason, recordedAt: now } }
        const event = word === "LEFT" ? "payout.paid" : "payout.failed"
        yield* command.write({ action: event, actor: theBank, head, now }, () =>
          written(after, event, now)
        )
      })

      const take = Effect.fn("PayoutSteps.take")(<E, R>(step: Step<E, R>) =>
        command.run({
          action: step.event,
          authorize: payouts.authorize(step.action, step.id, { lock: true }),
          policyOf: identity,
          decide: (account) => decide(account, step)
        })
      )

      return PayoutSteps.of({ take, hear })
    })
  ).pipe(
    Layer.provide([
      ApprovalsRepo.layer,
      BankAccountsRepo.layer,
      BillingCommand.layer,
      PayoutsRepo.layer,
      PoliciesRepo.layer,
      RefundsRepo.layer
    ])
  )
}

/** Statements are read by a job. */
const theBank: Actor = { kind: "JOB", id: jobName, requestId: jobName }
