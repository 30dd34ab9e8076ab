/** What merging a branch would do to the invoices of its policy. */
import type { InvoiceDifference } from "@quittance/domain/BranchDiff"
import type { Change } from "@quittance/domain/Change"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { Effect, Result } from "effect"
import type { BillingBooks } from "./BillingBooks.ts"
import { mergedEndorsement } from "./Merging.ts"
import { applied, type OpenPolicy } from "./OpenPolicy.ts"
import { trunkState } from "./Trunk.ts"

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
