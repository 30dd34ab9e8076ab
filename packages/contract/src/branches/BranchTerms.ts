/** What the members of branches, of their differences and their conflicts mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"

export const branchTerms = {
  "Branch.id": "The branch, by its identifier.",
  "Branch.policyId": "The policy that the branch is of.",
  "Branch.name": "What people call the branch.",
  "OpenBranch.name": "What people call the branch; at most 200 characters.",
  "ForkBranch.name": "What people call the branch; at most 200 characters.",
  "OpenBranch.branchType": "`NEW_BUSINESS` for another offer, `MTA` for an endorsement.",
  "Branch.status": "Whether the branch can still be worked on.",
  stage: "How far the sale on the branch has come.",
  "Branch.effectiveAt":
    "From when on the branch takes effect, in UTC; absent where it has no such instant yet.",
  "OpenBranch.effectiveAt":
    "From when on the branch takes effect; absent: `whenAt` of the query, else now.",
  forkedAt: "When the branch left what is in force, in UTC.",
  "Branch.author": "Who opened the branch: a person by identifier, a job by name.",
  mergedAt: "When the branch was merged, in UTC; absent until then.",
  invalidation: "Why and when the branch was invalidated; absent if it was not.",
  "invalidation.reason": "Why the branch was invalidated.",
  invalidatedAt: "When the branch was invalidated, in UTC.",
  "InvalidateBranch.reason": "Why the branch is invalidated.",
  resolutions: "A decision for each conflict; at most 10,000.",
  "Resolution.path": "The path of the conflict.",
  "Resolution.from": "The first instant of the conflict, in UTC.",
  take: "Whose value is to hold: `ours` the branch's, `theirs` that in force.",
  "BranchDiff.changes": "What merging the branch would change, path by path and over time.",
  path: "What it is about, as a JSON pointer into the policy, such as `/customFields/power`.",
  from: "The first instant of the time it is about, in UTC.",
  to: "The first instant after the time it is about, in UTC; absent where it has no end.",
  "Difference.base": "The value in force now; absent where there is none.",
  "Difference.branch": "The value with the branch; absent where there is none.",
  base: "The value in force when the branch forked; absent where there was none.",
  theirs: "The value in force now; absent where there is none.",
  ours: "The value on the branch; absent where there is none.",
  shadowed: "What the branch says and a later change in force ends.",
  by: "The later change.",
  price: "What a whole term costs where the branch takes effect; empty until it is quoted.",
  "price.componentId": "The component, by its identifier in the product.",
  "BranchDiff.invoices":
    "The invoices to come, and credit notes as negative amounts; empty until it is quoted.",
  periodStart: "The first day of the period, in the product's time zone.",
  before: "The amount without it, with fees and taxes, in the minor unit of the currency.",
  after: "The amount with it, with fees and taxes, in the minor unit of the currency.",
  difference: "What is added, in the minor unit of the currency; negative where it is less."
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
