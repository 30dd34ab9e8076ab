/** What waits for another person: shown, agreed to, refused. */
import { AuthorityExceeded, SamePerson } from "@quittance/domain/access/Authority"
import type { Approval, ApprovalNotFound } from "@quittance/domain/payouts/Approval"
import type { ApprovalId, PayoutNotFound } from "@quittance/domain/payouts/Payout"
import type { Approve, ListApprovals, Reject } from "@quittance/domain/payouts/PayoutRequests"
import { CurrentCaller, type Forbidden, subject } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { InvalidReference } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import * as Page from "@quittance/domain/values/Page"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { ApprovalsRepo } from "@quittance/persistence/payouts/ApprovalsRepo"
import { Context, Effect, Layer } from "effect"
import { AuthorityLimits } from "../access/AuthorityLimits.ts"
import { PayoutSteps, type StepFailure } from "./PayoutSteps.ts"

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest

/** The payout of an approval is never deleted. */
type DecisionFailure = ApprovalNotFound | Exclude<StepFailure, PayoutNotFound>

export class Approvals extends Context.Service<
  Approvals,
  {
    /** Those on policies whose payouts the caller may approve, the oldest first. */
    list(
      query: ListApprovals,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Approval>, Forbidden, Asked>
    /** Agrees: another person than who asked, whose authority reaches the amount. */
    approve(
      id: ApprovalId,
      input: Approve
    ): Effect.Effect<
      Approval,
      AuthorityExceeded | DecisionFailure | InvalidReference | SamePerson,
      Scoped
    >
    /** Refuses, which needs no authority over the amount. */
    reject(
      id: ApprovalId,
      input: Reject
    ): Effect.Effect<Approval, DecisionFailure | SamePerson, Scoped>
  }
>()("@quittance/operations/Approvals") {
  static readonly layer = Layer.effect(
    Approvals,
    Effect.gen(function* () {
      const grants = yield* GrantsRepo
      const limits = yield* AuthorityLimits
      const repo = yield* ApprovalsRepo
      const steps = yield* PayoutSteps

      const list = Effect.fn("Approvals.list")(function* (
        { statuses }: ListApprovals,
        page: Page.PageRequest
      ) {
        const coverage = yield* grants.coverage("payout.approve")
        const { rows, total } = yield* repo.list({ statuses, coverage, page })
        return Page.make(rows, total, page)
      })

      /** Fails for the person who has asked: another one decides. */
      const otherThan = Effect.fnUntraced(function* ({ requestedBy }: Approval) {
        if (requestedBy === subject(yield* CurrentCaller)) return yield* new SamePerson({})
      })

      const within = Effect.fnUntraced(function* ({ amount, currency, policyId }: Approval) {
        const limited = { action: "payout.approve", kind: "payout", currency } as const
        const limit = yield* limits.on(policyId, limited)
        if (amount > limit) {
          return yield* new AuthorityExceeded({
            authority: "payout",
            currency,
            limit,
            needed: amount
          })
        }
      })

      const decided = <E, R>(
        id: ApprovalId,
        decision: {
          readonly command: "approve" | "reject"
          readonly event: "payout.approved" | "payout.rejected"
          readonly status: "APPROVED" | "REJECTED"
          readonly reason: string | undefined
        },
        check: (approval: Approval) => Effect.Effect<void, E, R>
      ) =>
        Effect.gen(function* () {
          const approval = yield* repo.find(id)
          const { command, event, reason, status } = decision
          const by = subject(yield* CurrentCaller)
          const taken = steps.take({
            id: approval.recordId,
            action: "payout.approve",
            command,
            event,
            approval: { status, by, reason },
            decide: () => Effect.as(Effect.andThen(otherThan(approval), check(approval)), {})
          })
          const { approval: after } = yield* Effect.catchTag(taken, "PayoutNotFound", Effect.die)
          // A payout that has an approval keeps it.
          return after!
        })

      const approve = Effect.fn("Approvals.approve")((id: ApprovalId, { reason }: Approve) =>
        decided(
          id,
          { command: "approve", event: "payout.approved", status: "APPROVED", reason },
          Effect.fnUntraced(function* (approval) {
            yield* within(approval)
            if (approval.reasons.includes("SCREENING_HIT") && reason === undefined) {
              const expected = "why the payee is not the one on the list"
              return yield* new InvalidReference({ field: "reason", value: "", expected })
            }
          })
        )
      )

      const reject = Effect.fn("Approvals.reject")((id: ApprovalId, { reason }: Reject) =>
        decided(
          id,
          { command: "reject", event: "payout.rejected", status: "REJECTED", reason },
          () => Effect.void
        )
      )

      return Approvals.of({ list, approve, reject })
    })
  ).pipe(
    Layer.provide([ApprovalsRepo.layer, AuthorityLimits.layer, GrantsRepo.layer, PayoutSteps.layer])
  )
}
