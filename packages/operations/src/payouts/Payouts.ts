/** Money that leaves: asked for, approved, paid; what is refused or comes back is on the balance again. */
import type { InvalidPaymentMethod } from "@quittance/domain/customers/InvalidPaymentMethod"
import type {
  NotScreened,
  Payout,
  PayoutId,
  PayoutNotFound
} from "@quittance/domain/payouts/Payout"
import type {
  RecordFailed,
  RecordPaid,
  RequestPayout
} from "@quittance/domain/payouts/PayoutRequests"
import type { PolicyNotFound } from "@quittance/domain/policies/Policy"
import {
  CurrentCaller,
  type Forbidden,
  subject,
  type UserNotFound
} from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  type InvalidAmount,
  InvalidEffectiveDate,
  type InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PolicyId } from "@quittance/domain/values/Ids"
import * as Page from "@quittance/domain/values/Page"
import { PayoutsRepo } from "@quittance/persistence/payouts/PayoutsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, identity, Layer } from "effect"
import { BillingCommand } from "../billing/BillingCommand.ts"
import * as PayoutRequests from "./PayoutRequests.ts"
import { PayoutSteps, type Step, type StepFailure } from "./PayoutSteps.ts"

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest
type Access = Forbidden | UserNotFound

export class Payouts extends Context.Service<
  Payouts,
  {
    /** Pays a credit balance out: posted at once, so that no invoice uses the same balance. */
    request(
      policyId: PolicyId,
      input: RequestPayout
    ): Effect.Effect<
      Payout,
      | Access
      | IdempotencyKeyInUse
      | IdempotencyKeyReused
      | InvalidAmount
      | InvalidPaymentMethod
      | InvalidReference
      | NotScreened
      | PolicyNotFound,
      Scoped
    >
    get(id: PayoutId): Effect.Effect<Payout, Access | PayoutNotFound, Asked>
    /** Those of a policy, the newest first. */
    listByPolicy(
      policyId: PolicyId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Payout>, Access | PolicyNotFound, Asked>
    /** Takes a payout back that has not left. */
    cancel(id: PayoutId): Effect.Effect<Payout, StepFailure, Scoped>
    /** Says that a name which nearly matches is the payee's. */
    confirmPayee(id: PayoutId): Effect.Effect<Payout, StepFailure, Scoped>
    /** Records that the money has left. */
    recordPaid(
      id: PayoutId,
      input: RecordPaid
    ): Effect.Effect<Payout, InvalidEffectiveDate | StepFailure, Scoped>
    /** Records that the bank did not pay, or gave the money back. */
    recordFailed(
      id: PayoutId,
      input: RecordFailed
    ): Effect.Effect<Payout, InvalidEffectiveDate | StepFailure, Scoped>
  }
>()("@quittance/operations/Payouts") {
  static readonly layer = Layer.effect(
    Payouts,
    Effect.gen(function* () {
      const command = yield* BillingCommand
      const policies = yield* PoliciesRepo
      const repo = yield* PayoutsRepo
      const steps = yield* PayoutSteps
      const decide = yield* PayoutRequests.payoutRequests

      const request = Effect.fn("Payouts.request")((policyId: PolicyId, input: RequestPayout) =>
        command.run({
          action: "payout.requested",
          authorize: policies.authorize("payout.request", policyId, { lock: true }),
          policyOf: identity,
          decide: (account) => decide(account, input)
        })
      )

      const get = Effect.fn("Payouts.get")(function* (id: PayoutId) {
        yield* repo.authorize("payout.read", id)
        return yield* repo.find(id)
      })

      const listByPolicy = Effect.fn("Payouts.listByPolicy")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        yield* policies.authorize("payout.read", policyId)
        const { rows, total } = yield* repo.listByPolicy(policyId, page)
        return Page.make(rows, total, page)
      })

      const step = <E = never, R = never>(taken: Step<E, R>) =>
        Effect.map(steps.take(taken), ({ payout }) => payout)

      const cancel = Effect.fn("Payouts.cancel")(function* (id: PayoutId) {
        const by = subject(yield* CurrentCaller)
        return yield* step({
          id,
          action: "payout.request",
          command: "cancel",
          event: "payout.cancelled",
          approval: { status: "WITHDRAWN", by }
        })
      })

      const confirmPayee = Effect.fn("Payouts.confirmPayee")((id: PayoutId) =>
        step({
          id,
          action: "payout.request",
          command: "confirm-payee",
          event: "payout.payee_confirmed",
          decide: ({ payeeCheck }, confirmedAt) =>
            Effect.succeed({ payeeCheck: { ...payeeCheck, confirmedAt } })
        })
      )

      const recordPaid = Effect.fn("Payouts.recordPaid")((id: PayoutId, { paidAt }: RecordPaid) =>
        step({
          id,
          action: "payout.settle",
          command: "record-paid",
          event: "payout.paid",
          decide: Effect.fnUntraced(function* (payout, now) {
            const at = yield* instantOf("paidAt", paidAt, payout.requestedAt, now)
            return { outcome: { at, recordedAt: now } }
          })
        })
      )

      const recordFailed = Effect.fn("Payouts.recordFailed")(
        (id: PayoutId, { failedAt, reasonCode }: RecordFailed) =>
          step({
            id,
            action: "payout.settle",
            command: "record-failed",
            event: "payout.failed",
            decide: Effect.fnUntraced(function* (payout, now) {
              const from = payout.outcome?.at ?? payout.requestedAt
              const at = yield* instantOf("failedAt", failedAt, from, now)
              return { outcome: { at, reasonCode, recordedAt: now } }
            })
          })
      )

      return Payouts.of({
        request,
        get,
        listByPolicy,
        cancel,
        confirmPayee,
        recordPaid,
        recordFailed
      })
    })
  ).pipe(
    Layer.provide([
      BillingCommand.layer,
      PayoutRequests.layer,
      PayoutsRepo.layer,
      PayoutSteps.layer,
      PoliciesRepo.layer
    ])
  )
}

/** When something has happened: not before what led to it, and not in the future. */
const instantOf = (
  field: InvalidEffectiveDate["field"],
  said: Instant | undefined,
  earliest: Instant,
  now: Instant
): Effect.Effect<Instant, InvalidEffectiveDate> =>
  said === undefined
    ? Effect.succeed(now)
    : said < earliest || said > now
      ? Effect.fail(new InvalidEffectiveDate({ field, earliest, latest: now }))
      : Effect.succeed(said)
