/** What a branch of a policy still needs before it is sold. */
import { Schema } from "effect"
import type { StoredBranch } from "../policies/aggregate/StoredBranch.ts"
import { needsSignature, type Product } from "../products/Product.ts"
import { Needs } from "../products/sale/Needs.ts"
import { BranchId, PolicyId } from "../values/Ids.ts"
import { Gate } from "./Gate.ts"
import type { GatedStep } from "./Gates.ts"

/** The steps ahead of a branch, each with its gates; none of a branch that is closed or in force. */
export const PolicyCompliance = Schema.Struct({
  policyId: PolicyId,
  branchId: BranchId,
  steps: Schema.Array(
    Schema.Struct({
      step: Schema.Literals(["CONFIRM", "ACCEPT", "SIGN", "MERGE"]),
      gates: Schema.Array(Gate)
    })
  ),
  /** What the customer is asked about their needs, by the branch's version of the product. */
  questionnaire: Schema.optionalKey(Needs.fields.questionnaire)
}).annotate({ identifier: "PolicyCompliance" })
export type PolicyCompliance = typeof PolicyCompliance.Type

/** The steps that have gates and lie ahead of a branch. */
export const stepsAhead = (
  { branchType, stage, status }: Pick<StoredBranch, "branchType" | "stage" | "status">,
  product: Product
): ReadonlyArray<GatedStep> => {
  if (branchType === "BASE" || status !== "OPEN") return []
  const isSigned = branchType === "NEW_BUSINESS" || needsSignature(product, branchType)
  const last = isSigned ? "SIGN" : "MERGE"
  if (stage === "CONFIRMED") return [last]
  return [branchType === "RENEWAL" && !isSigned ? "ACCEPT" : "CONFIRM", last]
}
