/** What merging a branch would do to the invoices of its policy. */
import type { InvoiceDifference } from "@quittance/domain/branches/BranchDiff"
import type { Change } from "@quittance/domain/policies/Change"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { Effect, Result } from "effect"
import type { BillingBooks } from "../billing/PolicyAccounts.ts"
import { mergedEndorsement } from "./BranchMerging.ts"
import { applied, type OpenPolicy } from "../policies/PolicyAggregate.ts"
import { trunkState } from "../policies/BaseTimeline.ts"

/** The documents to come without and with the branch; none where it cannot be merged as it is. */
export const invoicesOnMerge = Effect.fnUntraced(function* (
  books: BillingBooks["Service"],
  policy: OpenPolicy,
  nextId: () => Change["id"]
): Effect.fn.Return<ReadonlyArray<InvoiceDifference>, never, CurrentTenant> {
  const { branch } = policy
  const merged = mergedEndorsement(policy)
  if (branch.status !== "OPEN" || Result.isFailure(merged)) return []
  const recorded = { command: "branch.diff", ...merged.success.recorded }
  const after = applied(policy, recorded, branch.author, nextId)
  if (trunkState(after).quoteId === undefined) return []
  return (yield* books.outlook(policy, after)).invoices
})
