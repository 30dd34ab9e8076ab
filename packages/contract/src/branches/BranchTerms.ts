/** What the members of branches, of their differences and their conflicts mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"

export const branchTerms = {
  "Branch.id": "The branch, by its identifier.",
  "Branch.policyId": "The policy that the branch is of.",
  "Branch.name": "The name of the branch.",
  "OpenBranch.name": "The name of the branch; at most 200 characters.",
  "ForkBranch.name": "The name of the branch; at most 200 characters.",
  "OpenBranch.branchType": "`NEW_BUSINESS` for another offer, `MTA` for an endorsement.",
  "Branch.status": "Whether the branch can still be worked on.",
  stage: "The status of the sale on the branch.",
  "Branch.effectiveAt":
    "When the branch takes effect, in UTC; absent where it has no such instant yet.",
  "OpenBranch.effectiveAt":
    "When the branch takes effect; absent: `whenAt` of the query, else now.",
  forkedAt: "When the branch left what is in force, in UTC.",
  "Branch.author": "The author of the branch: a person by identifier, a job by name.",
  mergedAt: "When the branch was merged, in UTC; absent until then.",
  invalidation: "Why and when the branch was invalidated; absent if it was not.",
  "invalidation.reason": "Why the branch was invalidated.",
  invalidatedAt: "When the branch was invalidated, in UTC.",
  "InvalidateBranch.reason": "Why the branch is invalidated.",
  resolutions: "A decision for each conflict; at most 10,000.",
  "Resolution.path": "The path of the conflict.",
  "Resolution.from": "The first instant of the conflict, in UTC.",
  take: "The value to keep: `ours` is the branch's, `theirs` the one in force.",
  "BranchDiff.changes":
    "The changes that a merge of the branch would make, path by path and over time.",
  path: "The part of the policy that it is about, as a JSON pointer such as `/customFields/power`.",
  from: "The first instant of the time it is about, in UTC.",
  to: "The first instant after the time it is about, in UTC; absent where it has no end.",
  "Difference.base": "The value in force now; absent where there is none.",
  "Difference.branch": "The value with the branch; absent where there is none.",
  base: "The value in force when the branch forked; absent where there was none.",
  theirs: "The value in force now; absent where there is none.",
  ours: "The value on the branch; absent where there is none.",
  shadowed: "Values of the branch that a later change in force ends.",
  by: "The later change.",
  price: "The price of a whole term where the branch takes effect; empty until it is quoted.",
  "price.componentId": "The component, by its identifier in the product.",
  "BranchDiff.invoices":
    "The invoices to come, and credit notes as negative amounts; empty until it is quoted.",
  periodStart: "The first day of the period, in the product's time zone.",
  before: "The amount without it, with fees and taxes, in the minor unit of the currency.",
  after: "The amount with it, with fees and taxes, in the minor unit of the currency.",
  difference: "The difference, in the minor unit of the currency; negative where it is less."
}

/** What the parameters of this area mean. */
export const branchParameters: ParameterTerms = {
  "branches.open.branchId": {
    means:
      "Before the signature, the offer whose data the new branch begins with; default: the sale."
  },
  "branches.open.whenAt": {
    means: "When the branch takes effect, unless the body says `effectiveAt`; default: now."
  }
}
