/** The invoice of what is charged by itself: at once, for no planned day may come any more. */
import { termsOf } from "../DueSteps.ts"
import * as Amount from "@quittance/domain/values/Amount"
import type { Charge } from "@quittance/domain/billing/Charge"
import type { BilledLine } from "@quittance/domain/billing/InvoiceLine"
import { addDays } from "@quittance/domain/values/LocalDate"
import { localDate } from "@quittance/domain/values/TimeZone"
import { type PolicyAccount, billingView } from "./PolicyAccount.ts"
import type { MakeId } from "@quittance/domain/values/PrefixedId"
import { type Issued, issue } from "./InvoiceIssuing.ts"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import type { ChargeId, FormalNoticeId } from "@quittance/domain/values/Ids"

/** Who is charged what, and for what. */
export type Charged = Pick<Charge, "amount" | "componentId" | "customerId" | "label"> & {
  readonly id: ChargeId | FormalNoticeId
}

/** A book before anything of it is issued. */
export const nothingIssued = (account: PolicyAccount): Issued => ({
  account,
  lines: new Map(),
  issued: [],
  entries: [],
  ran: []
})

/** Issues the invoice of a charge on a signed policy; its amount is a fee of the component's name. */
export const issueCharge = <A extends Issued>(result: A, charge: Charged, makeId: MakeId): A => {
  const { componentId, customerId, id, label } = charge
  const { policy } = result.account
  const view = billingView(result.account)
  const today = localDate(policy.now, view.timeZone)
  const period = { start: today, end: addDays(today, 1) }
  const fee = { id: componentId, chargeType: "SPOT", amount: charge.amount } as const
  const amount = Amount.make(0, [fee], [])
  const line: BilledLine = {
    componentId,
    label,
    chargeType: "SPOT",
    slice: period,
    amount,
    price: amount,
    // A signed policy has an accepted quote.
    quoteId: baseState(policy).quoteId!
  }
  const term = termsOf(view).findLast(({ start }) => start <= today)?.number ?? 1
  return issue(
    result,
    {
      key: { term, payerCustomerId: customerId, periodStart: today, cause: id },
      period,
      issueOn: today,
      dueOn: today,
      isFirst: false,
      lines: [line],
      total: amount
    },
    makeId
  )
}
