/** A text of a product that was accepted before a step of the sale, beside the one that is signed. */
import { Schema } from "effect"
import { BranchId, PolicyId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"

/** The first acceptance of a text in exactly this wording on a branch; it never changes. */
export const AcceptedText = Schema.Struct({
  policyId: PolicyId,
  branchId: BranchId,
  textId: Schema.String,
  textHash: Schema.String,
  acceptedAt: Instant,
  author: Schema.String
}).annotate({ identifier: "AcceptedText" })
export type AcceptedText = typeof AcceptedText.Type
