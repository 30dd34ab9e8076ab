/** What lists find a policy by: what it shows at present, kept on its head. */
import type { PolicyId } from "../../values/Ids.ts"
import { type PolicyAggregate, presentState } from "./PolicyAggregate.ts"

/** What lists find and order a policy by, of what it shows at present. */
export interface ShownColumns {
  readonly id: PolicyId
  readonly name: string | undefined
  readonly externalId: string | undefined
  readonly stopReason: string | undefined
}

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
