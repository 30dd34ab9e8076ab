/** The invoice of what is charged by hand: at once and by itself, for no planned day may come any more. */
import { termsOf } from "@quittance/billing/NextSteps"
import * as Amount from "@quittance/domain/Amount"
import type { Charge, ChargeId } from "@quittance/domain/Charge"
import type { DocumentLine } from "@quittance/domain/DocumentLine"
import { addDays } from "@quittance/domain/LocalDate"
import { localDate } from "@quittance/domain/TimeZone"
import { type Book, billingView } from "./BillingView.ts"
import { type Issued, issue, type MakeId } from "./Issuing.ts"
import { trunkState } from "./Trunk.ts"

/** Who is charged what. */
export type Charged = Pick<Charge, "amount" | "componentId" | "customerId" | "label"> & {
  readonly id: ChargeId
}

/** Issues the invoice of a charge on a signed policy; its amount is a fee of the component's name. */
export const issueCharge = (book: Book, charge: Charged, makeId: MakeId): Issued => {
  const { componentId, customerId, id, label } = charge
  const view = billingView(book)
  const today = localDate(book.policy.now, view.timeZone)
  const period = { start: today, end: addDays(today, 1) }
  const fee = { id: componentId, chargeType: "SPOT", amount: charge.amount } as const
  const amount = Amount.make(0, [fee], [])
  const line: DocumentLine = {
    componentId,
    label,
    chargeType: "SPOT",
    slice: period,
    amount,
    price: amount,
    // A signed policy has an accepted quote.
    quoteId: trunkState(book.policy).quoteId!
  }
  const term = termsOf(view).findLast(({ start }) => start <= today)?.number ?? 1
  return issue<Issued>(
    { book, lines: new Map(), issued: [], entries: [], ran: [] },
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
