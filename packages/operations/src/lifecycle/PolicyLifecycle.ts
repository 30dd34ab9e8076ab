/** What happens to a signed policy: it is suspended, reactivated, stopped and reinstated. */
import type {
  PolicyReason,
  Reinstate,
  StopPolicy
} from "@quittance/domain/lifecycle/LifecycleRequests"
import type { InvoicePreview } from "@quittance/domain/branches/BranchDiff"
import {
  AnonymousSessionId,
  CurrentCaller,
  Forbidden,
  subject
} from "@quittance/domain/requests/Caller"
import { type Change, ChangeNotFound } from "@quittance/domain/policies/Change"
import * as Contract from "@quittance/domain/policies/LifecycleCommands"
import { reinstate } from "@quittance/domain/policies/Reinstating"
import type { TerminationNotPossible } from "@quittance/domain/dunning/Dunning"
import type { StopNotPossible } from "@quittance/domain/lifecycle/StopRules"
import { hasBegun, refusal } from "@quittance/domain/policies/Lifecycle"
import {
  type DuplicateExternalId,
  type InvalidStopReason,
  type Policy,
  requireStopReason
} from "@quittance/domain/policies/Policy"
import type { Decision, Draft } from "@quittance/domain/policies/PolicyCommands"
import type { Product } from "@quittance/domain/products/Product"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { PolicyAccounts } from "../billing/PolicyAccounts.ts"
import { DunningAccounts } from "../dunning/DunningAccounts.ts"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { mayTerminate } from "@quittance/billing/dunning/DunningFacts"
import { ExternalIds } from "../policies/ExternalIds.ts"
import { branchesStopped } from "@quittance/domain/policies/aggregate/InvalidatedBranches"
import {
  applied,
  lineageOf,
  onBranch,
  type PolicyAggregate,
  positionOf,
  presentState,
  type Recorded
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { CommandTarget } from "../policies/Policies.ts"
import { PolicyAnswers } from "../policies/PolicyAnswers.ts"
import { PolicyCommand, type PolicyFailure } from "../policies/PolicyCommand.ts"
import { contractSteps } from "./ContractSteps.ts"
import { lawfulEnd } from "./LawfulEnd.ts"
import { instantOf, type LifecycleInstant, momentOf } from "./LifecycleInstant.ts"
import { withinReinstatement, withinTerm } from "./Reinstatement.ts"
import { type RevertFailure, reverted } from "@quittance/domain/lifecycle/Reverts"
import type { ChangeId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type {
  InvalidEffectiveDate,
  InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import type { Action } from "@quittance/domain/requests/Action"

/** A policy after a step; after a dry run also what the step would do to its invoices. */
export type PolicyStep = Policy & { readonly preview?: InvoicePreview }

type Answer<E = never> = Effect.Effect<
  PolicyStep,
  E | InvalidEffectiveDate | InvalidTransition | PolicyFailure,
  CurrentTenant | CurrentCaller | CurrentRequest
>

export class PolicyLifecycle extends Context.Service<
  PolicyLifecycle,
  {
    suspend(at: CommandTarget, reason: PolicyReason): Answer
    reactivate(at: CommandTarget): Answer
    stop(
      at: CommandTarget,
      reason: StopPolicy
    ): Answer<InvalidStopReason | StopNotPossible | TerminationNotPossible>
    /**
     * Withdraws a stop that has not taken effect; another caller's stop needs the permission to reinstate.
     */
    withdrawStop(at: CommandTarget): Answer
    /** Takes a stopped policy up again, with or without cover for the time since the stop. */
    reinstate(at: CommandTarget, input: Reinstate): Answer
    /** Takes a recorded change back. */
    revert(
      at: CommandTarget & { readonly changeId: ChangeId }
    ): Answer<DuplicateExternalId | RevertFailure>
  }
>()("@quittance/operations/PolicyLifecycle") {
  static readonly layer = Layer.effect(
    PolicyLifecycle,
    Effect.gen(function* () {
      const answers = yield* PolicyAnswers
      const accounts = yield* PolicyAccounts
      const dunned = yield* DunningAccounts
      const command = yield* PolicyCommand
      const externalIds = yield* ExternalIds
      const ids = yield* Ids
      const policies = yield* PoliciesRepo

      /** What a command records, with its answer; a dry run of a signed policy has a preview besides. */
      const answered = Effect.fnUntraced(function* (
        before: PolicyAggregate,
        command: string,
        recorded: Omit<Recorded, "command">
      ) {
        const { dryRun } = yield* CurrentRequest
        const answer = (preview?: InvoicePreview) => (after: PolicyAggregate) =>
          Effect.map(answers.show(after), (policy): PolicyStep =>
            preview === undefined ? policy : { ...policy, preview }
          )
        // Only what was signed has invoices.
        if (!dryRun || before.state.signedAt === undefined) return { ...recorded, answer: answer() }
        const after = applied(before, { command, ...recorded }, command, () => ids.next("change"))
        return { ...recorded, answer: answer(yield* accounts.outlook(before, after)) }
      })

      /** A step of the contract at an instant: what it records, if what follows it still makes sense. */
      const step = <E, R>(
        {
          name,
          window = "change"
        }: { readonly name: string; readonly window?: keyof Product["limits"] },
        action: Action,
        { whenAt, ...at }: CommandTarget,
        decide: (moment: LifecycleInstant) => Effect.Effect<ReadonlyArray<Draft>, E, R>
      ) =>
        command.run(
          { command: `policy.${name}`, action, ...at },
          Effect.fnUntraced(function* (policy) {
            const effectiveAt = yield* instantOf(policy, name, window, whenAt)
            const drafts = yield* decide(momentOf(policy, effectiveAt))
            const recorded = yield* contractSteps(policy, drafts)
            return yield* answered(policy, `policy.${name}`, recorded)
          })
        )

      const suspend = (at: CommandTarget, suspension: PolicyReason) =>
        step({ name: "suspend" }, "policy.suspend", at, ({ effectiveAt, state }) =>
          one(Contract.suspend(state, effectiveAt, suspension))
        )

      const reactivate = (at: CommandTarget) =>
        step({ name: "reactivate" }, "policy.suspend", at, ({ effectiveAt, state }) =>
          one(Contract.reactivate(state, effectiveAt))
        )

      const stop = (at: CommandTarget, { receivedAt, ...reason }: StopPolicy) =>
        step({ name: "stop", window: "stop" }, "policy.stop", at, (asked) =>
          Effect.gen(function* () {
            const { policy } = asked
            const { now, product } = policy
            yield* mayStop(policy)
            yield* Effect.fromResult(requireStopReason(product.stopReasons, reason.reason))
            const { effectiveAt, state } = yield* lawfulEnd(asked, at.whenAt, reason, receivedAt)
            if (state.signedAt !== undefined && reason.reason === product.dunning.stopReason) {
              const [account] = yield* dunned.open([policy])
              yield* Effect.fromResult(mayTerminate(account!, effectiveAt))
            }
            return yield* Effect.fromResult(
              Contract.stop(state, { effectiveAt, now, stop: { ...reason, createdAt: now } })
            )
          })
        )

      const withdrawStop = (at: CommandTarget) =>
        step({ name: "withdraw-stop" }, "policy.stop", at, ({ policy }) =>
          Effect.gen(function* () {
            const { branch, branches, changes, now, state } = policy
            const pending = Contract.pendingStop(changes, lineageOf(branches, branch), now)
            if (pending.length === 0) {
              return yield* refusal(positionOf(policy, state), "withdraw-stop")
            }
            yield* mayStop(policy)
            // Reverting another caller's stop counts as reinstating the policy.
            if (yield* isOfOthers(pending)) {
              yield* policies.authorize("policy.suspend", policy.head.id)
            }
            return pending.map(Contract.undo)
          })
        )

      const takeUp = (at: CommandTarget, { gap }: Reinstate) =>
        step({ name: "reinstate" }, "policy.suspend", at, ({ effectiveAt, policy, state }) =>
          Effect.gen(function* () {
            const from = gap === "COVERED" ? (state.stoppedAt ?? effectiveAt) : effectiveAt
            const { branch, branches, changes } = policy
            const lineage = lineageOf(branches, branch)
            const drafts = yield* Effect.fromResult(reinstate(changes, lineage, state, from))
            yield* withinReinstatement(policy, state, from)
            yield* withinTerm(policy, drafts, from)
            return drafts
          })
        )

      const revert = ({
        changeId,
        whenAt: _whenAt,
        ...at
      }: CommandTarget & { readonly changeId: ChangeId }) =>
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
            return yield* answered(policy, "policy.revert", recorded)
          })
        )

      return PolicyLifecycle.of({
        suspend,
        reactivate,
        stop,
        withdrawStop,
        reinstate: takeUp,
        revert
      })
    })
  ).pipe(
    Layer.provide([
      PolicyAccounts.layer,
      DunningAccounts.layer,
      ExternalIds.layer,
      PoliciesRepo.layer,
      PolicyAnswers.layer,
      PolicyCommand.layer
    ])
  )
}

const one = <E>(decision: Decision<Draft, E>): Effect.Effect<ReadonlyArray<Draft>, E> =>
  Effect.map(Effect.fromResult(decision), (draft) => [draft])

/**
 * An anonymous session may stop a policy that has not started by now, whatever time it asks for. A started
 * policy needs a known caller.
 */
const mayStop = Effect.fnUntraced(function* (policy: PolicyAggregate) {
  const caller = yield* CurrentCaller
  if (caller._tag === "Anonymous" && hasBegun(presentState(policy))) {
    return yield* new Forbidden({})
  }
})

/**
 * Whether a stop was announced by another caller; what a visitor has announced is as much
 * the policyholder's, who may have signed in since.
 */
const isOfOthers = Effect.fnUntraced(function* (stop: ReadonlyArray<Change>) {
  const caller = subject(yield* CurrentCaller)
  return stop.some(({ author }) => author !== caller && !isSession(author))
})

const isSession = Schema.is(AnonymousSessionId)
