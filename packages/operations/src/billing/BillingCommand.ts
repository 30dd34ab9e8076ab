/** What people do about the money of one policy, whatever it is: one frame for all of it. */
import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import type { IdempotencyKeyInUse, IdempotencyKeyReused } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import type { AuthorizedPolicy } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { requestActor } from "../requests/Actor.ts"
import { BillingBooks } from "./PolicyAccounts.ts"
import type { Book } from "./PolicyAccount.ts"
import { Command } from "../requests/Command.ts"
import type { CurrentRequest } from "../requests/CurrentRequest.ts"
import type { Decided } from "./BillingDecision.ts"
import { DueSteps } from "../worker/DueSteps.ts"
import type { OpenPolicy } from "../policies/PolicyAggregate.ts"

/** What is to be written of the policy, and what the command answers once it is. */
export interface Written<A, E = never, R = never> extends Partial<
  Pick<Decided, "entries" | "happened" | "issued" | "notices" | "standings">
> {
  /** The policy with what was recorded; as it is, where this is absent. */
  readonly after?: OpenPolicy
  readonly answer: Effect.Effect<A, E, R>
}

interface Steps<Target, A, E, R, E2, R2, E3, R3> {
  /** What the audit record calls it. */
  readonly action: string
  /** Checks who asks, and locks the policy's head. */
  readonly authorize: Effect.Effect<Target, E, R>
  readonly policyOf: (target: Target) => Pick<AuthorizedPolicy, "head" | "now">
  /** Decides under the lock of the head: the one after the other. */
  readonly decide: (book: Book, target: Target) => Effect.Effect<Written<A, E3, R3>, E2, R2>
}

export class BookCommand extends Context.Service<
  BookCommand,
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
>()("@quittance/operations/BookCommand") {
  static readonly layer = Layer.effect(
    BookCommand,
    Effect.gen(function* () {
      const books = yield* BillingBooks
      const command = yield* Command
      const dueSteps = yield* DueSteps

      const run = <Target, A, E, R, E2, R2, E3, R3>(
        steps: Steps<Target, A, E, R, E2, R2, E3, R3>
      ) =>
        command.run({
          authorize: steps.authorize,
          decide: Effect.fnUntraced(function* (target: Target) {
            const { head, now } = steps.policyOf(target)
            const [opened] = yield* books.openHeads([head], now)
            const { policy: before } = opened!
            const { after = before, answer, ...written } = yield* steps.decide(opened!, target)
            const { action } = steps
            const nothing = { issued: [], entries: [], nextDueAt: undefined }
            const decided = { ...nothing, ...written, before, after, action }
            const [moved] = yield* books.write([decided], yield* requestActor)
            yield* dueSteps.afterCommand({ ...after, head: moved! })
            return yield* answer
          })
        })

      return BookCommand.of({ run })
    })
  ).pipe(Layer.provide([BillingBooks.layer, Command.layer, DueSteps.layer]))
}
