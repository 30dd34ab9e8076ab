/** What happens to a policy as a contract: cover rests and goes on, it is stopped and taken up again. */
import type { InvoicePreview } from "@quittance/domain/branches/BranchDiff"
import { AnonymousSessionId, CurrentCaller, Forbidden, subject } from "@quittance/domain/requests/Caller"
import { type Change, type ChangeId, ChangeNotFound } from "@quittance/domain/policies/Change"
import * as Contract from "@quittance/domain/policies/LifecycleCommands"
import type { TerminationNotPossible } from "@quittance/domain/dunning/Dunning"
import type { CustomField } from "@quittance/domain/values/CustomField"
import type { Instant } from "@quittance/domain/values/Instant"
import {
  hasBegun,
  type InvalidTransition,
  type Position,
  refusal
} from "@quittance/domain/policies/Lifecycle"
import {
  type DuplicateExternalId,
  InvalidEffectiveDate,
  type InvalidStopReason,
  type Policy,
  requireStopReason
} from "@quittance/domain/policies/Policy"
import type { Decision, Draft } from "@quittance/domain/policies/PolicyCommands"
import type { PolicyState } from "@quittance/domain/policies/PolicyState"
import type { Product } from "@quittance/domain/products/Product"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import type { Action } from "@quittance/domain/access/Grant"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer, Schema } from "effect"
import { BillingBooks } from "../billing/PolicyAccounts.ts"
import { CurrentRequest } from "../requests/CurrentRequest.ts"
import { DueSteps } from "../worker/DueSteps.ts"
import { mayTerminate } from "../dunning/DunningFacts.ts"
import { ExternalIds } from "../policies/ExternalIds.ts"
import { branchesStopped } from "../branches/BranchMerging.ts"
import {
  lineageOf,
  onBranch,
  type OpenPolicy,
  positionOf,
  presentState,
  stateOf,
  withDrafts
} from "../policies/PolicyAggregate.ts"
import type { At } from "../policies/Policies.ts"
import { PolicyAnswers } from "../policies/PolicyAnswers.ts"
import { withinWindow } from "../policies/PolicyChecks.ts"
import { PolicyCommand, type PolicyFailure } from "../policies/PolicyCommand.ts"
import { withinReinstatement, withinTerm } from "./Reinstatement.ts"
import { type RevertFailure, reverted } from "./Reverts.ts"

/** Why a policy rests or ends. */
export interface Reason {
  readonly reason: string
  readonly details?: ReadonlyArray<CustomField>
}

/** A policy after a step; after a dry run also what the step would do to its invoices. */
export type PolicyStep = Policy & { readonly preview?: InvoicePreview }

type Answer<E = never> = Effect.Effect<
  PolicyStep,
  E | InvalidEffectiveDate | InvalidTransition | PolicyFailure,
  CurrentTenant | CurrentCaller | CurrentRequest
>

export class Contracts extends Context.Service<
  Contracts,
  {
    suspend(at: At, reason: Reason): Answer
    reactivate(at: At): Answer
    stop(at: At, reason: Reason): Answer<InvalidStopReason | TerminationNotPossible>
    /** Takes a stop back that has not taken effect; who may reinstate also that of somebody else. */
    withdrawStop(at: At): Answer
    /** Takes a stopped policy up again, with or without cover for the time since the stop. */
    reinstate(at: At, gap: "COVERED" | "NOT_COVERED"): Answer
    /** Takes a recorded change back. */
    revert(at: At & { readonly changeId: ChangeId }): Answer<DuplicateExternalId | RevertFailure>
  }
>()("@quittance/operations/Contracts") {
  static readonly layer = Layer.effect(
    Contracts,
    Effect.gen(function* () {
      const answers = yield* PolicyAnswers
      const books = yield* BillingBooks
      const command = yield* PolicyCommand
      const dueSteps = yield* DueSteps
      const externalIds = yield* ExternalIds
      const policies = yield* PoliciesRepo

      const answerOf =
        (before: OpenPolicy) =>
        (after: OpenPolicy): Effect.Effect<PolicyStep, never, CurrentTenant | CurrentRequest> =>
          Effect.gen(function* () {
            const { dryRun } = yield* CurrentRequest
            // Only what was signed has invoices; they are not written yet.
            const isPreviewed = dryRun && before.state.signedAt !== undefined
            const preview = isPreviewed ? yield* books.outlook(before, after) : undefined
            const policy = yield* answers.show(yield* dueSteps.afterCommand(after))
            return preview === undefined ? policy : { ...policy, preview }
          })

      /** A step of the contract at an instant: what it records, if what follows it still makes sense. */
      const step = <E, R>(
        {
          name,
          window = "change"
        }: { readonly name: string; readonly window?: keyof Product["limits"] },
        action: Action,
        { whenAt, ...at }: At,
        decide: (moment: Moment) => Effect.Effect<ReadonlyArray<Draft>, E, R>
      ) =>
        command.run(
          { command: `policy.${name}`, action, ...at },
          Effect.fnUntraced(function* (policy) {
            const effectiveAt = yield* instantOf(policy, name, window, whenAt)
            const drafts = yield* decide(momentOf(policy, effectiveAt))
            const { changes, lineage } = withDrafts(policy, drafts)
            const fault = Contract.contractFault(changes, lineage, {
              final: policy.product.reinstatement === undefined
            })
            if (fault !== undefined) return yield* fault
            const branches = branchesStopped(policy, drafts)
            return { changes: onBranch(policy, drafts), branches, answer: answerOf(policy) }
          })
        )

      const suspend = (at: At, suspension: Reason) =>
        step({ name: "suspend" }, "policy.suspend", at, ({ effectiveAt, state }) =>
          one(Contract.suspend(state, effectiveAt, suspension))
        )

      const reactivate = (at: At) =>
        step({ name: "reactivate" }, "policy.suspend", at, ({ effectiveAt, state }) =>
          one(Contract.reactivate(state, effectiveAt))
        )

      const stop = (at: At, reason: Reason) =>
        step({ name: "stop", window: "stop" }, "policy.stop", at, ({ policy, ...moment }) =>
          Effect.gen(function* () {
            const { now, product } = policy
            yield* mayStop(policy)
            yield* Effect.fromResult(requireStopReason(product.stopReasons, reason.reason))
            const { effectiveAt, state } = moment
            if (state.signedAt !== undefined && reason.reason === product.dunning.stopReason) {
              const [book] = yield* books.open([policy])
              yield* Effect.fromResult(mayTerminate(book!, effectiveAt))
            }
            return yield* Effect.fromResult(
              Contract.stop(state, { effectiveAt, now, stop: { ...reason, createdAt: now } })
            )
          })
        )

      const withdrawStop = (at: At) =>
        step({ name: "withdraw-stop" }, "policy.stop", at, ({ policy }) =>
          Effect.gen(function* () {
            const { branch, branches, changes, now, state } = policy
            const pending = Contract.pendingStop(changes, lineageOf(branches, branch), now)
            if (pending.length === 0) {
              return yield* refusal(positionOf(policy, state), "withdraw-stop")
            }
            yield* mayStop(policy)
            // Who undoes what somebody else has decided takes the policy up again.
            if (yield* isOfOthers(pending)) {
              yield* policies.authorize("policy.suspend", policy.head.id)
            }
            return pending.map(Contract.undo)
          })
        )

      const reinstate = (at: At, gap: "COVERED" | "NOT_COVERED") =>
        step({ name: "reinstate" }, "policy.suspend", at, ({ effectiveAt, policy, state }) =>
          Effect.gen(function* () {
            const from = gap === "COVERED" ? (state.stoppedAt ?? effectiveAt) : effectiveAt
            const { branch, branches, changes } = policy
            const lineage = lineageOf(branches, branch)
            const drafts = yield* Effect.fromResult(
              Contract.reinstate(changes, lineage, state, from)
            )
            yield* withinReinstatement(policy, state, from)
            yield* withinTerm(policy, drafts, from)
            return drafts
          })
        )

      const revert = ({ changeId, whenAt: _whenAt, ...at }: At & { readonly changeId: ChangeId }) =>
        command.run(
          { command: "policy.revert", action: "policy.revert", ...at },
          Effect.fnUntraced(function* (policy) {
            const change = policy.changes.find(({ id }) => id === changeId)
            if (change === undefined) return yield* new ChangeNotFound({ changeId })
            const drafts = yield* Effect.fromResult(reverted(policy, change))
            const restored = Contract.broughtBack(policy.changes, drafts)
            const branches =
              policy.branch.branchType === "BASE" ? branchesStopped(policy, restored) : []
            const recorded = { changes: onBranch(policy, drafts), branches }
            yield* externalIds.settle(policy, recorded)
            return { ...recorded, answer: answerOf(policy) }
          })
        )

      return Contracts.of({ suspend, reactivate, stop, withdrawStop, reinstate, revert })
    })
  ).pipe(
    Layer.provide([
      BillingBooks.layer,
      DueSteps.layer,
      ExternalIds.layer,
      PoliciesRepo.layer,
      PolicyAnswers.layer,
      PolicyCommand.layer
    ])
  )
}

/** A policy at the instant at which a step takes effect. */
interface Moment {
  readonly policy: OpenPolicy
  readonly effectiveAt: Instant
  readonly state: PolicyState & Pick<Position, "final" | "gated">
}

const momentOf = (policy: OpenPolicy, effectiveAt: Instant): Moment => {
  const { branch, branches, changes } = policy
  const state =
    branch.branchType === "BASE"
      ? stateOf(changes, lineageOf(branches, branch), effectiveAt)
      : policy.state
  const { final, gated } = positionOf(policy, state)
  return { policy, effectiveAt, state: { ...state, final, gated } }
}

/** When a step takes effect; the contract's steps are taken on what is in force, after its signature. */
const instantOf = Effect.fnUntraced(function* (
  policy: OpenPolicy,
  name: string,
  window: keyof Product["limits"],
  whenAt: Instant | undefined
): Effect.fn.Return<Instant, InvalidEffectiveDate | InvalidTransition> {
  const { branch, branches, now, product, state } = policy
  if (lineageOf(branches, branch).base !== undefined) {
    return yield* refusal(positionOf(policy, state), name)
  }
  // A sale that is given up has no time of its own yet.
  if (whenAt === undefined || state.signedAt === undefined) return now
  yield* withinWindow(product, window, "whenAt", whenAt, now)
  if (whenAt < state.signedAt) {
    return yield* new InvalidEffectiveDate({ field: "whenAt", earliest: state.signedAt })
  }
  return whenAt
})

const one = <E>(decision: Decision<Draft, E>): Effect.Effect<ReadonlyArray<Draft>, E> =>
  Effect.map(Effect.fromResult(decision), (draft) => [draft])

/**
 * An anonymous session may give up what has not started by now, whatever time it asks for; from then on
 * somebody has to know who asks.
 */
const mayStop = Effect.fnUntraced(function* (policy: OpenPolicy) {
  const caller = yield* CurrentCaller
  if (caller._tag === "Anonymous" && hasBegun(presentState(policy))) {
    return yield* new Forbidden({})
  }
})

/**
 * Whether a stop was announced by somebody other than the caller; what a visitor has announced is as much
 * the policyholder's, who may have signed in since.
 */
const isOfOthers = Effect.fnUntraced(function* (stop: ReadonlyArray<Change>) {
  const caller = subject(yield* CurrentCaller)
  return stop.some(({ author }) => author !== caller && !isSession(author))
})

const isSession = Schema.is(AnonymousSessionId)
