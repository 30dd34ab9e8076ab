/** Whether what was invoiced of a policy may be wrong by now, and which change has made it so. */
import type { Change } from "@quittance/domain/policies/Change"
import { isByHand } from "@quittance/domain/billing/InvoiceLine"
import type { PolicyAccount } from "./PolicyAccount.ts"
import type { PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { ChangeId } from "@quittance/domain/values/Ids"
import { jobName } from "@quittance/domain/requests/Actor"

/**
 * Whether the base branch has changed since the policy's last invoice in a way that bills depend on. While it
 * has not, what is invoiced is what is due, and the lines need not be read again.
 */
export const mayNeedCorrection = ({ invoices, policy }: PolicyAccount): boolean => {
  const last = invoices.findLast(({ cause }) => !isByHand(cause))
  if (last === undefined) return false
  const change = lastMove(policy)
  // Of one instant either may have been first; then once more is looked at.
  return change !== undefined && change.recordedAt >= last.issuedAt
}

/** The change that made it so, as the cause of what corrects it. */
export const triggeringChange = (policy: PolicyAggregate): ChangeId => {
  const change = lastMove(policy)
  if (change === undefined) throw new Error("Nothing has changed that could be corrected.")
  return change.id
}

const lastMove = ({ changes, head }: PolicyAggregate): Change | undefined =>
  changes.findLast((change) => change.branchId === head.defaultBranchId && moves(change, changes))

/** The steps of a contract that its bills wait for, and that correct none. */
const onTheWay: ReadonlySet<Change["kind"]> = new Set<Change["kind"]>([
  "SIGN",
  "FIRST_PAYMENT",
  "START"
])

/** Cover that is suspended for unpaid premiums is still billed. */
const isRestUnpaid = ({ author, kind }: Change): boolean =>
  author === jobName && (kind === "SUSPEND" || kind === "REACTIVATE")

const moves = (change: Change, changes: PolicyAggregate["changes"]): boolean => {
  if (change.kind === "REVERT") {
    const undone = changes.find(({ id }) => id === change.reverts)
    return undone === undefined || !isRestUnpaid(undone)
  }
  return (
    !onTheWay.has(change.kind) &&
    !isRestUnpaid(change) &&
    change.patch.some(({ path }) => billed.test(path))
  )
}

/** What a base branch's bills depend on. */
const billed =
  /^\/(?:(?:quoteId|contract|stop|suspension|terms|productVersion|startedAt|periodDuration|invoicingConfig|billingAssignment)(?:\/|$)|customers\/[^/]+(?:\/role)?$)/u
