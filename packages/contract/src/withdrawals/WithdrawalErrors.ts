/** The errors of withdrawals on the wire. The last argument of each shows its details. */
import * as Withdrawal from "@quittance/domain/withdrawals/Withdrawal"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const withdrawalErrors = {
  WithdrawalNotFound: wireError(
    Withdrawal.WithdrawalNotFound,
    404,
    "WITHDRAWAL_NOT_FOUND",
    "The tenant has no such withdrawal.",
    { withdrawalId: id("withdrawal") }
  ),
  WithdrawalOver: wireError(
    Withdrawal.WithdrawalOver,
    409,
    "WITHDRAWAL_OVER",
    "The right of withdrawal is over since `details.until`, or the contract has none.",
    { policyId: id("policy"), until: "2026-04-15T22:00:00.000Z" }
  )
} as const
