/** The two sides of an endorsement: the policy without it and with it, at the time from which it is in force. */
import { billedView } from "@quittance/domain/policies/aggregate/BilledBranch"
import {
  lineageOf,
  onto,
  type PolicyAggregate,
  shownAt,
  stateOf
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer } from "effect"
import { PolicyAccounts } from "../billing/PolicyAccounts.ts"
import type { PolicyView } from "../policies/PolicyReader.ts"
import type { DocumentSource } from "./DocumentInputs.ts"
import { KnownPolicies } from "./KnownPolicies.ts"

export interface EndorsementSides {
  readonly effectiveAt: Instant
  readonly before: PolicyView
  readonly after: PolicyView
  /** What the change costs over the agreed terms, in minor units; below 0 it is given back. */
  readonly restOfTerm: number
}

export class EndorsementInputs extends Context.Service<
  EndorsementInputs,
  {
    /** By what was known then; a branch beside the base branch is told apart from what it has forked from. */
    of(
      document: Pick<DocumentSource, "branchId" | "knownAt" | "policyId">
    ): Effect.Effect<EndorsementSides, never, CurrentTenant>
  }
>()("@quittance/operations/EndorsementInputs") {
  static readonly layer = Layer.effect(
    EndorsementInputs,
    Effect.gen(function* () {
      const accounts = yield* PolicyAccounts
      const policies = yield* KnownPolicies

      const of = Effect.fn("EndorsementInputs.of")(function* (
        document: Parameters<EndorsementInputs["Service"]["of"]>[0]
      ) {
        const policy = yield* policies.open(document)
        const before = withoutBranch(policy)
        const whenAt = shownAt(
          policy.changes,
          policy.branch,
          policy.branch.effectiveAt ?? policy.now
        )
        const outlook = yield* accounts.outlook(before, billedView(policy, undefined))
        return {
          effectiveAt: policy.branch.effectiveAt ?? policy.now,
          before: viewOf(
            before,
            stateOf(before.changes, { branchId: before.branch.id }, whenAt),
            whenAt
          ),
          after: viewOf(policy, policy.state, whenAt),
          restOfTerm: outlook.invoices.reduce((sum, { difference }) => sum + difference, 0)
        }
      })

      return EndorsementInputs.of({ of })
    })
  ).pipe(Layer.provide([KnownPolicies.layer, PolicyAccounts.layer]))
}

/** The base branch as far as the endorsement has forked from it. */
const withoutBranch = (policy: PolicyAggregate): PolicyAggregate => {
  const { base } = lineageOf(policy.branches, policy.branch)
  const on = onto(policy, base?.branchId ?? policy.branch.id)
  const seq = base?.seq ?? policy.head.changeSeq
  return {
    ...on,
    head: { ...on.head, defaultBranchId: on.branch.id },
    changes: on.changes.filter((change) => change.branchId !== on.branch.id || change.seq <= seq)
  }
}

const viewOf = (
  { branch, head, now, productOf }: PolicyAggregate,
  state: PolicyView["state"],
  whenAt: Instant
): PolicyView => ({ head, now, whenAt, product: productOf(state), branch, state })
