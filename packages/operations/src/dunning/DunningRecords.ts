/** The records of dunning of many policies, handed to each its own. */
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"
import type { DunningRecords, HoldRow } from "@quittance/persistence/dunning/DunningRepo"
import type { PolicyId } from "@quittance/domain/values/Ids"

/** What of some records is a policy's own, moratoriums over it included. */
export const dunningOf = ({
  allocations,
  dispatch,
  holds,
  notices,
  writeOffs
}: DunningRecords): ((head: PolicyHead) => DunningRecords) => {
  const ownNotices = ofEach(notices)
  const ownAllocations = ofEach(allocations)
  const ownWriteOffs = ofEach(writeOffs)
  return (head) => ({
    dispatch,
    notices: ownNotices(head),
    holds: holds.filter((hold) => isHeld(head, hold)),
    allocations: ownAllocations(head),
    writeOffs: ownWriteOffs(head)
  })
}

const ofEach = <A extends { readonly policyId: PolicyId }>(rows: ReadonlyArray<A>) => {
  const byPolicy = Map.groupBy(rows, ({ policyId }) => policyId)
  return ({ id }: PolicyHead): ReadonlyArray<A> => byPolicy.get(id) ?? []
}

/** Whether a hold is the policy's own, or a moratorium over it. */
const isHeld = ({ id, productId }: PolicyHead, { policyId, productIds }: HoldRow): boolean =>
  policyId === id || (policyId === null && productIds?.includes(productId) !== false)
