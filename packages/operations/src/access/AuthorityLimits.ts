/** How far callers may go alone on a policy, by the authority of their roles. */
import { limitOf } from "@quittance/auth/Authority"
import * as Grants from "@quittance/auth/Grants"
import type { AuthorityKind } from "@quittance/domain/access/Authority"
import type { Action } from "@quittance/domain/requests/Action"
import { CurrentCaller, subject } from "@quittance/domain/requests/Caller"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Currency } from "@quittance/domain/values/Amount"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { GrantsRepo, type SubjectId } from "@quittance/persistence/access/GrantsRepo"
import { RecordTargets } from "@quittance/persistence/access/RecordTargets"
import { Context, Effect, Layer } from "effect"

/** An action with a limit. */
export interface LimitedAction {
  readonly action: Action
  readonly kind: AuthorityKind
  readonly currency: Currency
}

export class AuthorityLimits extends Context.Service<
  AuthorityLimits,
  {
    /** Up to which amount, in minor units, the caller may do the action on the policy; clients not at all. */
    on(
      policyId: PolicyId,
      limited: LimitedAction
    ): Effect.Effect<number, never, CurrentTenant | CurrentCaller>
  }
>()("@quittance/operations/AuthorityLimits") {
  static readonly layer = Layer.effect(
    AuthorityLimits,
    Effect.gen(function* () {
      const grants = yield* GrantsRepo
      const targets = yield* RecordTargets

      const on = Effect.fn("AuthorityLimits.on")(function* (
        policyId: PolicyId,
        limited: LimitedAction
      ) {
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return 0
        // The id of a client was ruled out above.
        const stored = yield* grants.heldBy(subject(caller) as SubjectId)
        const target = (yield* targets.find([policyId])).get(policyId) ?? Grants.tenantWide
        return limitOf(Grants.effective(caller, stored), limited, target)
      })

      return AuthorityLimits.of({ on })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
