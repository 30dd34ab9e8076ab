/** What merging a branch would do to the invoices of its policy. */
import type { InvoiceDifference } from "@quittance/domain/branches/BranchDiff"
import type { Change } from "@quittance/domain/policies/Change"
import { Effect, Result } from "effect"
import type { PolicyAccounts } from "../billing/PolicyAccounts.ts"
import { mergedEndorsement } from "@quittance/domain/branches/BranchMerging"
import { applied, type PolicyAggregate } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** The invoices to come without and with the branch; none where it cannot be merged as it is. */
export const invoicesOnMerge = Effect.fnUntraced(function* (
  accounts: PolicyAccounts["Service"],
  policy: PolicyAggregate,
  nextId: () => Change["id"]
): Effect.fn.Return<ReadonlyArray<InvoiceDifference>, never, CurrentTenant> {
  const { branch } = policy
  const merged = mergedEndorsement(policy)
  if (branch.status !== "OPEN" || Result.isFailure(merged)) return []
  const recorded = { command: "branch.diff", ...merged.success.recorded }
  const after = applied(policy, recorded, branch.author, nextId)
  if (baseState(after).quoteId === undefined) return []
  return (yield* accounts.outlook(policy, after)).invoices
})
