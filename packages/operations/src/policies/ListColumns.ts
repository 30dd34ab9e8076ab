/** What lists find a policy by: what it shows at present, kept on its head. */
import type { ShownColumns } from "@quittance/persistence/policies/PoliciesRepo"
import {
  type PolicyAggregate,
  presentState
} from "@quittance/domain/policies/aggregate/PolicyAggregate"

export const shownColumns = (policy: PolicyAggregate): ShownColumns => {
  const { externalId, name, stop } = presentState(policy)
  return { id: policy.head.id, name, externalId, stopReason: stop?.reason }
}

/** The same where it may have changed: by a step that was recorded, or as time went on. */
export const movedColumns = ({
  after,
  before
}: {
  readonly before: PolicyAggregate
  readonly after: PolicyAggregate
}): ReadonlyArray<ShownColumns> => {
  const { defaultBranchId, lastModifiedAt } = before.head
  const hasMoved = after.changes.some(
    ({ branchId, effectiveAt, kind, patch }, index) =>
      branchId === defaultBranchId &&
      (index >= before.changes.length
        ? kind === "STOP" || kind === "REVERT"
        : effectiveAt > lastModifiedAt &&
          effectiveAt <= after.now &&
          patch.some(({ path }) => path === "/name" || path === "/externalId"))
  )
  return hasMoved ? [shownColumns(after)] : []
}
