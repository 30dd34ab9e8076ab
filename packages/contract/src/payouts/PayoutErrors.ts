/** The errors of payouts and approvals on the wire. The last argument of each shows its details. */
import * as Authority from "@quittance/domain/access/Authority"
import * as Approval from "@quittance/domain/payouts/Approval"
import * as Payout from "@quittance/domain/payouts/Payout"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const payoutErrors = {
  ApprovalNotFound: wireError(
    Approval.ApprovalNotFound,
    404,
    "APPROVAL_NOT_FOUND",
    "The tenant has no such approval.",
    { approvalId: id("approval") }
  ),
  NotScreened: wireError(
    Payout.NotScreened,
    409,
    "NOT_SCREENED",
    "No list of asset freezes is loaded, without which nothing is paid out in production."
  ),
  PayoutNotFound: wireError(
    Payout.PayoutNotFound,
    404,
    "PAYOUT_NOT_FOUND",
    "The tenant has no such payout.",
    { payoutId: id("payout") }
  ),
  SamePerson: wireError(
    Authority.SamePerson,
    409,
    "SAME_PERSON",
    "Who has asked for something can't decide on it."
  )
} as const
