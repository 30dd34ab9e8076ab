/**
 * Withdrawals from contracts: a request shows what it would do, its confirmation stops the contract. The letter
 * that acknowledges it, and a look at its refund after the last day for it, follow from the same transaction.
 */
import {
  applied,
  baseBranch,
  type PolicyAggregate,
  positionOf
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { salesChannelOf } from "@quittance/domain/policies/aggregate/SalesChannels"
import { refusal } from "@quittance/domain/policies/Lifecycle"
import * as Contract from "@quittance/domain/policies/LifecycleCommands"
import type { PolicyNotFound } from "@quittance/domain/policies/Policy"
import { inOrder } from "@quittance/domain/policies/PolicyState"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { InvalidReference, type InvalidTransition } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { addDays } from "@quittance/domain/values/LocalDate"
import * as Page from "@quittance/domain/values/Page"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import {
  type Withdrawal,
  type WithdrawalId,
  type WithdrawalNotFound,
  WithdrawalOver,
  type WithdrawalRight
} from "@quittance/domain/withdrawals/Withdrawal"
import { rightOf } from "@quittance/domain/withdrawals/WithdrawalPeriod"
import type { RequestWithdrawal } from "@quittance/domain/withdrawals/WithdrawalRequests"
import { GivenDocumentsRepo } from "@quittance/persistence/compliance/GivenDocumentsRepo"
import { CustomersRepo } from "@quittance/persistence/customers/CustomersRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { DueItemsRepo } from "@quittance/persistence/tenants/DueItemsRepo"
import { WithdrawalsRepo } from "@quittance/persistence/withdrawals/WithdrawalsRepo"
import { Context, Effect, Layer } from "effect"
import { PolicyAccounts } from "../billing/PolicyAccounts.ts"
import { contractSteps } from "../lifecycle/ContractSteps.ts"
import { momentOf } from "../lifecycle/LifecycleInstant.ts"
import { PolicyCommand, type PolicyFailure } from "../policies/PolicyCommand.ts"
import { PolicyLog } from "../policies/PolicyLog.ts"
import { PolicyReader } from "../policies/PolicyReader.ts"
import { requestActor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"

type Asked = CurrentTenant | CurrentCaller
type Scoped = Asked | CurrentRequest

export class Withdrawals extends Context.Service<
  Withdrawals,
  {
    /** Until when a policy can be withdrawn from. */
    right(
      policyId: PolicyId
    ): Effect.Effect<WithdrawalRight, Forbidden | PolicyNotFound | UserNotFound, Scoped>
    /** Those of a policy, the latest first. */
    list(
      policyId: PolicyId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Withdrawal>, Forbidden | PolicyNotFound | UserNotFound, Asked>
    /** Asks for a withdrawal: what it would do. Nothing happens until it is confirmed. */
    request(
      policyId: PolicyId,
      input: RequestWithdrawal
    ): Effect.Effect<
      Withdrawal,
      InvalidReference | InvalidTransition | PolicyFailure | WithdrawalOver,
      Scoped
    >
    /** Stops the contract at once. */
    confirm(
      id: WithdrawalId
    ): Effect.Effect<
      Withdrawal,
      InvalidTransition | PolicyFailure | WithdrawalNotFound | WithdrawalOver,
      Scoped
    >
  }
>()("@quittance/operations/Withdrawals") {
  static readonly layer = Layer.effect(
    Withdrawals,
    Effect.gen(function* () {
      const accounts = yield* PolicyAccounts
      const audit = yield* AuditTrail
      const command = yield* Command
      const customers = yield* CustomersRepo
      const documents = yield* GivenDocumentsRepo
      const due = yield* DueItemsRepo
      const ids = yield* Ids
      const log = yield* PolicyLog
      const policies = yield* PoliciesRepo
      const policyCommand = yield* PolicyCommand
      const reader = yield* PolicyReader
      const repo = yield* WithdrawalsRepo

      /** The right that a contract has now. */
      const rightNow = Effect.fnUntraced(function* (policy: PolicyAggregate) {
        const { branches, head, now, product, state } = policy
        const { withdrawal } = product
        if (withdrawal === undefined) return { status: "NONE" } as const
        const holderIds = inOrder(state.customers).flatMap(([id, { role }]) =>
          role === "POLICYHOLDER" ? [id] : []
        )
        const sale = branches.find(
          ({ branchType, status }) => branchType === "NEW_BUSINESS" && status === "MERGED"
        )
        const looksAtTerms = withdrawal.from !== "CONCLUSION" && sale !== undefined
        return rightOf({
          product,
          now,
          signedAt: state.signedAt,
          salesChannel: salesChannelOf(policy),
          holders: yield* customers.findMany(holderIds, { _tag: "Tenant" }),
          documents: looksAtTerms ? yield* documents.ofBranch(head.id, sale.id) : []
        })
      })

      /** The stop of a contract that may be withdrawn from, and what it would credit. */
      const stopOf = Effect.fnUntraced(function* (policy: PolicyAggregate) {
        const { head, now, product, state } = policy
        if (state.signedAt === undefined) {
          return yield* refusal(positionOf(policy, state), "withdraw")
        }
        const { status, until } = yield* rightNow(policy)
        const { withdrawal } = product
        if (withdrawal === undefined || status !== "OPEN") {
          const over = until === undefined ? {} : { until }
          return yield* new WithdrawalOver({ policyId: head.id, ...over })
        }
        const stop = { reason: withdrawal.stopReason, createdAt: now }
        const moment = momentOf(policy, now)
        const drafts = yield* Effect.fromResult(
          Contract.stop(moment.state, { effectiveAt: now, now, stop })
        )
        const recorded = yield* contractSteps(policy, drafts)
        const name = "policy.stop"
        const after = applied(policy, { command: name, ...recorded }, name, () =>
          ids.next("change")
        )
        const { refund } = yield* accounts.outlook(policy, after)
        return { recorded, refund, withdrawal }
      })

      const right = Effect.fn("Withdrawals.right")(function* (policyId: PolicyId) {
        const policy = yield* reader.open("compliance.read", { policyId }).pipe(
          // They are answered of branches and instants, and none is named.
          Effect.catchTag(["BranchNotFound", "InvalidBranch", "InvalidEffectiveDate"], Effect.die)
        )
        const exercisedAt = yield* repo.exercisedAt(policyId)
        const { withdrawal } = policy.product
        return {
          policyId,
          ...(yield* rightNow(policy)),
          ...(exercisedAt === undefined ? {} : { exercisedAt }),
          ...(withdrawal === undefined ? {} : { source: withdrawal.source })
        }
      })

      const list = Effect.fn("Withdrawals.list")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        yield* policies.authorize("compliance.read", policyId)
        const { rows, total } = yield* repo.list(policyId, page)
        return Page.make(rows, total, page)
      })

      const request = Effect.fn("Withdrawals.request")(
        (policyId: PolicyId, { email, name, policyNumber }: RequestWithdrawal) =>
          command.run({
            authorize: policies.authorize("policy.stop", policyId, { lock: true }),
            decide: Effect.fnUntraced(function* (authorized) {
              const policy = yield* log.open(authorized, undefined)
              const { head, now, product, state } = policy
              const numbers = [String(head.incrementalId), state.externalId]
              if (policyNumber !== undefined && !numbers.includes(policyNumber)) {
                return yield* new InvalidReference({ field: "policyNumber", value: policyNumber })
              }
              const { refund } = yield* stopOf(policy)
              const { id: author } = yield* requestActor
              const { address, userAgent } = yield* CurrentRequest
              const asked = {
                id: ids.next("withdrawal"),
                policyId,
                name,
                email,
                requestedAt: now,
                endsAt: now,
                refund,
                currency: product.currency
              }
              yield* repo.insert({ ...asked, policyNumber, author, address, userAgent })
              const withdrawal: Withdrawal = { ...asked, status: "DRAFT" }
              yield* audit.record({
                action: "withdrawal.request",
                recordId: asked.id,
                after: withdrawal,
                detail: { policyId },
                businessAt: now
              })
              return withdrawal
            })
          })
      )

      const confirm = Effect.fn("Withdrawals.confirm")((id: WithdrawalId) =>
        policyCommand.run(
          Effect.map(repo.find(id), ({ policyId }) => ({
            command: "policy.stop",
            action: "policy.stop" as const,
            policyId
          })),
          Effect.fnUntraced(function* (policy) {
            const { now, product, state } = policy
            // Read again: another request may have confirmed it before this one had the policy.
            const draft = yield* repo.find(id)
            if (draft.status !== "DRAFT" || policy.branch !== baseBranch(policy)) {
              return yield* refusal(positionOf(policy, state), "withdraw")
            }
            const { recorded, refund, withdrawal } = yield* stopOf(policy)
            const refundDueOn = addDays(
              localDate(now, product.timeZone),
              withdrawal.refundWithinDays
            )
            const confirmed = { confirmedAt: now, endsAt: now, refund, refundDueOn }
            yield* repo.confirm({ id, ...confirmed })
            yield* due.schedule([
              {
                kind: "watchRefunds",
                recordId: id,
                dueAt: startOfDay(addDays(refundDueOn, 1), product.timeZone)
              }
            ])
            const after: Withdrawal = { ...draft, ...confirmed, status: "CONFIRMED" }
            yield* audit.record({
              action: "withdrawal.confirm",
              recordId: id,
              before: draft,
              after,
              detail: { policyId: draft.policyId },
              businessAt: now
            })
            return { ...recorded, answer: () => Effect.succeed(after) }
          })
        )
      )

      return Withdrawals.of({ right, list, request, confirm })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      CustomersRepo.layer,
      DueItemsRepo.layer,
      GivenDocumentsRepo.layer,
      PoliciesRepo.layer,
      PolicyAccounts.layer,
      PolicyCommand.layer,
      PolicyLog.layer,
      PolicyReader.layer,
      WithdrawalsRepo.layer
    ])
  )
}
