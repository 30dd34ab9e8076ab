/** A command on one policy: authorized and locked, opened on its branch, decided, recorded, shown. */
import type {
  BranchClosed,
  BranchId,
  BranchNotFound,
  InvalidBranch
} from "@quittance/domain/policies/Branch"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import type { Action } from "@quittance/domain/access/Grant"
import type { PolicyId, PolicyNotFound } from "@quittance/domain/policies/Policy"
import type {
  Conflict,
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { requestActor } from "../requests/Actor.ts"
import { Command } from "../requests/Command.ts"
import { CurrentRequest } from "../requests/CurrentRequest.ts"
import { etagOf, type OpenPolicy, type Recorded } from "./PolicyAggregate.ts"
import { PolicyLog } from "./PolicyLog.ts"

/** Whom a command is about, and what it needs. */
export interface Subject {
  readonly command: string
  readonly action: Action
  readonly policyId: PolicyId
  readonly branchId?: BranchId | undefined
  /** Further actions that the caller needs because of what the request holds. */
  readonly also?: ReadonlyArray<Action>
}

/** What a decision leads to: what is recorded, and the answer made from the policy as it is then. */
export interface Decided<A, E, R> extends Omit<Recorded, "command"> {
  readonly answer: (after: OpenPolicy) => Effect.Effect<A, E, R>
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
    run<A, E, R, E2, R2>(
      subject: Subject,
      decide: (policy: OpenPolicy) => Effect.Effect<Decided<A, E2, R2>, E, R>
    ): Effect.Effect<
      A,
      E | E2 | PolicyFailure,
      R | R2 | CurrentTenant | CurrentCaller | CurrentRequest
    >
  }
>()("@quittance/operations/PolicyCommand") {
  static readonly layer = Layer.effect(
    PolicyCommand,
    Effect.gen(function* () {
      const command = yield* Command
      const policies = yield* PoliciesRepo
      const log = yield* PolicyLog

      const run = Effect.fn("PolicyCommand.run")(function* <A, E, R, E2, R2>(
        { action, also = [], branchId, command: name, policyId }: Subject,
        decide: (policy: OpenPolicy) => Effect.Effect<Decided<A, E2, R2>, E, R>
      ) {
        return yield* command.run({
          authorize: Effect.gen(function* () {
            for (const further of also) yield* policies.authorize(further, policyId)
            return yield* policies.authorize(action, policyId, { lock: true })
          }),
          decide: Effect.fnUntraced(function* (authorized) {
            const policy = yield* log.open(authorized, branchId)
            const { answer, ...recorded } = yield* decide(policy)
            const actor = yield* requestActor
            const after = yield* log.record(policy, { command: name, ...recorded }, actor)
            const request = yield* CurrentRequest
            request.answer.etag = etagOf(after.branch)
            return yield* answer(after)
          })
        })
      })

      return PolicyCommand.of({ run })
    })
  ).pipe(Layer.provide([Command.layer, PolicyLog.layer, PoliciesRepo.layer]))
}
