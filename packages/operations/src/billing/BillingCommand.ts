/** What people do about the money of one policy, whatever it is: one frame for all of it. */
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused
} from "@quittance/domain/requests/RequestErrors"
import type { AuthorizedPolicy } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { type Actor, requestActor } from "../requests/Actor.ts"
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

/** What is written of a policy whose head the transaction holds, and in whose name. */
export interface HeldPolicy extends Pick<AuthorizedPolicy, "head" | "now"> {
  /** What the audit record calls it. */
  readonly action: string
  readonly actor: Actor
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
    /** The same within a transaction that holds the policy's head, for what was authorized otherwise. */
    write<A, E, R, E2, R2>(
      held: HeldPolicy,
      decide: (account: PolicyAccount) => Effect.Effect<Written<A, E2, R2>, E, R>
    ): Effect.Effect<A, E | E2, R | R2 | CurrentTenant>
  }
>()("@quittance/operations/BillingCommand") {
  static readonly layer = Layer.effect(
    BillingCommand,
    Effect.gen(function* () {
      const accounts = yield* PolicyAccounts
      const command = yield* Command
      const followUp = yield* FollowUp

      const write = Effect.fnUntraced(function* <A, E, R, E2, R2>(
        { action, actor, head, now }: HeldPolicy,
        decide: (account: PolicyAccount) => Effect.Effect<Written<A, E2, R2>, E, R>
      ) {
        const [opened] = yield* accounts.openHeads([head], now)
        const { policy: before } = opened!
        const { after = before, answer, beside, ...written } = yield* decide(opened!)
        const nothing = { issued: [], entries: [], nextDueAt: undefined }
        const decided = { ...nothing, ...written, before, after, action }
        const [moved] = yield* accounts.write([decided], actor, beside)
        yield* followUp.settle({ ...after, head: moved! })
        return yield* answer
      })

      const run = <Target, A, E, R, E2, R2, E3, R3>(
        steps: Steps<Target, A, E, R, E2, R2, E3, R3>
      ) =>
        command.run({
          authorize: steps.authorize,
          decide: Effect.fnUntraced(function* (target: Target) {
            const { head, now } = steps.policyOf(target)
            const held = { action: steps.action, actor: yield* requestActor, head, now }
            return yield* write(held, (account) => steps.decide(account, target))
          })
        })

      return BillingCommand.of({ run, write })
    })
  ).pipe(Layer.provide([PolicyAccounts.layer, Command.layer]))
}
