/** The notices and holds of many policies, handed to each its own. */
import type { DunningRecords, StoredHold } from "@quittance/domain/dunning/DunningRecords"
import type { PolicyHead } from "@quittance/domain/policies/PolicyHead"

/** What of some records is a policy's own, moratoriums over it included. */
export const dunningOf = ({
  awaited,
  dispatch,
  holds,
  notices
}: DunningRecords): ((head: PolicyHead) => DunningRecords) => {
  const byPolicy = Map.groupBy(notices, ({ policyId }) => policyId)
  return (head) => ({
    dispatch,
    notices: byPolicy.get(head.id) ?? [],
    holds: holds.filter((hold) => isHeld(head, hold)),
    awaited: awaited.filter(({ policyId }) => policyId === head.id)
  })
}

/** Whether a hold is the policy's own, or a moratorium over it. */
const isHeld = ({ id, productId }: PolicyHead, { policyId, productIds }: StoredHold): boolean =>
  policyId === id || (policyId === null && productIds?.includes(productId) !== false)
