/** What people do about the money of one policy, whatever it is: one frame for all of it. */
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import type { AuthorizedPolicy } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { requestActor } from "../requests/Actor.ts"
import { PolicyAccounts } from "./PolicyAccounts.ts"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import { Command } from "../requests/Command.ts"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { BillingDecision } from "./BillingDecision.ts"
import { FollowUp } from "../policies/FollowUp.ts"
import type { PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** What is to be written of the policy, and what the command answers once it is. */
export interface Written<A, E = never, R = never> extends Partial<
  Pick<BillingDecision, "entries" | "happened" | "issued" | "settlements">
> {
  /** The policy with what was recorded; as it is, where this is absent. */
  readonly after?: PolicyAggregate
  /** What the area of the command writes beside it. */
  readonly beside?: Effect.Effect<void, never, CurrentTenant>
  readonly answer: Effect.Effect<A, E, R>
}

interface Steps<Target, A, E, R, E2, R2, E3, R3> {
  /** What the audit record calls it. */
  readonly action: string
  /** Checks who asks, and locks the policy's head. */
  readonly authorize: Effect.Effect<Target, E, R>
  readonly policyOf: (target: Target) => Pick<AuthorizedPolicy, "head" | "now">
  /** Decides under the lock of the head: the one after the other. */
  readonly decide: (
    account: PolicyAccount,
    target: Target
  ) => Effect.Effect<Written<A, E3, R3>, E2, R2>
}

export class BillingCommand extends Context.Service<
  BillingCommand,
  {
    /** Opens the policy's book, writes what is decided on it, and runs what follows from it by now. */
    run<Target, A, E, R, E2, R2, E3, R3>(
      steps: Steps<Target, A, E, R, E2, R2, E3, R3>
    ): Effect.Effect<
      A,
      E | E2 | E3 | IdempotencyKeyInUse | IdempotencyKeyReused,
      R | R2 | R3 | CurrentCaller | CurrentRequest | CurrentTenant
    >
  }
>()("@quittance/operations/BillingCommand") {
  static readonly layer = Layer.effect(
    BillingCommand,
    Effect.gen(function* () {
      const accounts = yield* PolicyAccounts
      const command = yield* Command
      const followUp = yield* FollowUp

      const run = <Target, A, E, R, E2, R2, E3, R3>(
        steps: Steps<Target, A, E, R, E2, R2, E3, R3>
      ) =>
        command.run({
          authorize: steps.authorize,
          decide: Effect.fnUntraced(function* (target: Target) {
            const { head, now } = steps.policyOf(target)
            const [opened] = yield* accounts.openHeads([head], now)
            const { policy: before } = opened!
            const {
              after = before,
              answer,
              beside,
              ...written
            } = yield* steps.decide(opened!, target)
            const { action } = steps
            const nothing = { issued: [], entries: [], nextDueAt: undefined }
            const decided = { ...nothing, ...written, before, after, action }
            const [moved] = yield* accounts.write([decided], yield* requestActor, beside)
            yield* followUp.settle({ ...after, head: moved! })
            return yield* answer
          })
        })

      return BillingCommand.of({ run })
    })
  ).pipe(Layer.provide([PolicyAccounts.layer, Command.layer]))
}
