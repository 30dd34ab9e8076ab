/** A command on one policy: authorized and locked, opened on its branch, decided, recorded, shown. */
import type { BranchClosed, BranchNotFound, InvalidBranch } from "@quittance/domain/policies/Branch"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import type { PolicyNotFound } from "@quittance/domain/policies/Policy"
import type {
  Conflict,
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import { isOnlyData } from "@quittance/domain/policies/Change"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { requestActor } from "../requests/Actor.ts"
import { Command } from "../requests/Command.ts"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { FollowUp } from "./FollowUp.ts"
import {
  etagOf,
  type PolicyAggregate,
  type Recorded
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { PolicyLog } from "./PolicyLog.ts"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"

/** Whom a command is about, and what it needs. */
export interface Subject {
  readonly command: string
  readonly action: Action
  readonly policyId: PolicyId
  readonly branchId?: BranchId | undefined
  /** Further actions that the caller needs because of what the request holds. */
  readonly also?: ReadonlyArray<Action>
}

/** What a decision leads to: what is recorded, and the answer made of the policy once all has followed. */
export interface PolicyDecision<A, E, R> extends Omit<Recorded, "command"> {
  readonly answer: (after: PolicyAggregate) => Effect.Effect<A, E, R>
}

export type PolicyFailure =
  | BranchClosed
  | BranchNotFound
  | Conflict
  | Forbidden
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidBranch
  | PolicyNotFound
  | UserNotFound

export class PolicyCommand extends Context.Service<
  PolicyCommand,
  {
    /**
     * Runs a command on a policy. A subject that depends on what is stored is an effect: it is worked
     * out in the transaction, and not at all for a repetition, which has its answer.
     */
    run<A, E, R, E2, R2, E3 = never, R3 = never>(
      subject: Subject | Effect.Effect<Subject, E3, R3>,
      decide: (policy: PolicyAggregate) => Effect.Effect<PolicyDecision<A, E2, R2>, E, R>
    ): Effect.Effect<
      A,
      E | E2 | E3 | PolicyFailure,
      R | R2 | R3 | CurrentTenant | CurrentCaller | CurrentRequest
    >
    /**
     * Records what another area's command has decided of a policy that its transaction holds, and what
     * follows from it.
     */
    record(
      policy: PolicyAggregate,
      recorded: Recorded
    ): Effect.Effect<PolicyAggregate, never, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/PolicyCommand") {
  static readonly layer = Layer.effect(
    PolicyCommand,
    Effect.gen(function* () {
      const command = yield* Command
      const followUp = yield* FollowUp
      const policies = yield* PoliciesRepo
      const log = yield* PolicyLog

      const authorize = Effect.fnUntraced(function* (subject: Subject) {
        const { action, also = [], policyId } = subject
        for (const further of also) yield* policies.authorize(further, policyId)
        return { subject, authorized: yield* policies.authorize(action, policyId, { lock: true }) }
      })

      const record = Effect.fn("PolicyCommand.record")(function* (
        policy: PolicyAggregate,
        recorded: Recorded
      ) {
        const done = yield* log.record(policy, recorded, yield* requestActor)
        const written = done.changes.slice(policy.changes.length)
        const isSettled = written.every((change) => isOnlyData(change, policy.now))
        return isSettled ? done : yield* followUp.settle(done)
      })

      const run = Effect.fn("PolicyCommand.run")(function* <A, E, R, E2, R2, E3, R3>(
        subject: Subject | Effect.Effect<Subject, E3, R3>,
        decide: (policy: PolicyAggregate) => Effect.Effect<PolicyDecision<A, E2, R2>, E, R>
      ) {
        return yield* command.run({
          authorize: Effect.isEffect(subject)
            ? Effect.flatMap(subject, authorize)
            : authorize(subject),
          decide: Effect.fnUntraced(function* ({ authorized, subject }) {
            const { branchId, command: name } = subject
            const policy = yield* log.open(authorized, branchId)
            const { answer, ...recorded } = yield* decide(policy)
            const after = yield* record(policy, { command: name, ...recorded })
            const request = yield* CurrentRequest
            request.answer.etag = etagOf(after.branch)
            return yield* answer(after)
          })
        })
      })

      return PolicyCommand.of({ run, record })
    })
  ).pipe(Layer.provide([Command.layer, PolicyLog.layer, PoliciesRepo.layer]))
}
