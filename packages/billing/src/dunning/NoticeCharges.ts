/** What a formal notice costs its payer. */
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import type { StoredNotice } from "@quittance/domain/dunning/DunningRecords"
import type { MakeId } from "@quittance/domain/values/PrefixedId"
import { issueCharge } from "../billing/account/ChargeInvoices.ts"
import type { Issued } from "../billing/account/InvoiceIssuing.ts"

/** Charges the payers of notices that were just sent what one costs them, where the product says so. */
export const chargeNotices = <A extends Issued>(
  result: A,
  notices: ReadonlyArray<StoredNotice>,
  makeId: MakeId
): A => {
  const { policy } = result.account
  const amount = policy.productOf(baseState(policy)).dunning.feesRebilled
  if (amount === 0) return result
  return notices.reduce(
    (sofar, { customerId, id }) =>
      issueCharge(
        sofar,
        { id, componentId: "FORMAL_NOTICE", label: "Formal notice", amount, customerId },
        makeId
      ),
    result
  )
}
