/** The external ids that a policy comes by or gives back with what a command records. */
import { externalIdsOf } from "@quittance/domain/policies/ExternalIds"
import type { DuplicateExternalId } from "@quittance/domain/policies/Policy"
import { ExternalIdsRepo } from "@quittance/persistence/policies/ExternalIdsRepo"
import { Context, Effect, Layer } from "effect"
import {
  lineageOf,
  type PolicyAggregate,
  onto,
  type Recorded,
  withDrafts
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export class ExternalIds extends Context.Service<
  ExternalIds,
  {
    /**
     * Makes the policy the owner of what its default branch will show, and of nothing else; an id that
     * only another branch shows has to be free, and is taken when that is merged. To be called before
     * whatever can move them is recorded, in its transaction.
     */
    settle(
      policy: PolicyAggregate,
      recorded: Omit<Recorded, "command">
    ): Effect.Effect<void, DuplicateExternalId, CurrentTenant>
  }
>()("@quittance/operations/ExternalIds") {
  static readonly layer = Layer.effect(
    ExternalIds,
    Effect.gen(function* () {
      const repo = yield* ExternalIdsRepo

      const settle = Effect.fn("ExternalIds.settle")(function* (
        policy: PolicyAggregate,
        recorded: Omit<Recorded, "command">
      ) {
        const { branch, branches, changes, head } = policy
        const was = externalIdsOf(changes, { branchId: head.defaultBranchId })
        const is = shownBy(policy, recorded)
        const claimed = [...is].filter((id) => !was.has(id))
        const released = [...was].filter((id) => !is.has(id))
        if (claimed.length > 0) yield* repo.claim(head.id, claimed)
        if (released.length > 0) yield* repo.release(head.id, released)
        if (branch.id === head.defaultBranchId || recorded.defaultBranchId !== undefined) return
        const lineage = lineageOf(branches, branch)
        const before = externalIdsOf(changes, lineage)
        const onBranch = withDrafts(policy, draftsOn(recorded, branch.id)).changes
        const entered = [...externalIdsOf(onBranch, lineage)].filter((id) => !before.has(id))
        if (entered.length > 0) yield* repo.requireFree(head.id, entered)
      })

      return ExternalIds.of({ settle })
    })
  ).pipe(Layer.provide(ExternalIdsRepo.layer))
}

const draftsOn = ({ changes }: Pick<Recorded, "changes">, id: PolicyAggregate["branch"]["id"]) =>
  changes.filter(({ branchId }) => branchId === id).map(({ draft }) => draft)

/** What the default branch shows once all is recorded; a signature opens it. */
const shownBy = (
  policy: PolicyAggregate,
  recorded: Omit<Recorded, "command">
): ReadonlySet<string> => {
  const branchId = recorded.defaultBranchId ?? policy.head.defaultBranchId
  const drafts = draftsOn(recorded, branchId)
  const present = policy.branches.some(({ id }) => id === branchId)
  const on = present
    ? onto(policy, branchId)
    : { ...policy, branch: recorded.branches!.find(({ id }) => id === branchId)! }
  return externalIdsOf(withDrafts(on, drafts).changes, { branchId })
}
