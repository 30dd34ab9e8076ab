/** What follows from a change of a policy. Areas above this one bring it about; `main` provides them. */
import { Context, type Effect } from "effect"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Actor } from "../requests/Actor.ts"
import type { PolicyId } from "@quittance/domain/values/Ids"
import type { PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"

export class FollowUp extends Context.Service<
  FollowUp,
  {
    /**
     * Part of a command's transaction, which holds the policy's head: corrects what was invoiced, runs
     * what is due now and stores when the policy is due next. Answers the policy as it is then, on the
     * branch of the command. A policy that is parked or not signed stays as it is; so does one whose
     * endorsement the command changed.
     */
    settle(policy: PolicyAggregate): Effect.Effect<PolicyAggregate, never, CurrentTenant>
  }
>()("@quittance/operations/FollowUp") {}

/** The stored views of other areas that are made of policies and their invoices. */
export class PolicyProjections extends Context.Service<
  PolicyProjections,
  {
    /** Part of the transaction that changed these policies: makes their rows again. */
    refresh(policyIds: ReadonlyArray<PolicyId>): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/PolicyProjections") {}

/** The signatures that are waited for. */
export class OpenSignatures extends Context.Service<
  OpenSignatures,
  {
    /** Part of a command's transaction: voids those of branches that it has changed or closed. */
    outdate(
      before: PolicyAggregate,
      after: PolicyAggregate,
      by: { readonly actor: Actor; readonly command: string }
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/OpenSignatures") {}
