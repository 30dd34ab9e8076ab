/** What would be billed of a product's example: an invoice of its price, its credit note, and the instalments. */
import type { Instalment, Invoice } from "@quittance/domain/billing/Invoice"
import type { Policy } from "@quittance/domain/policies/Policy"
import type { Frequency } from "@quittance/domain/products/InvoicingConfig"
import { componentName, type Product } from "@quittance/domain/products/Product"
import { allocate } from "@quittance/domain/values/Allocation"
import { type Amount, make } from "@quittance/domain/values/Amount"
import { addDays, addMonths, type LocalDate } from "@quittance/domain/values/LocalDate"
import { startOfDay } from "@quittance/domain/values/TimeZone"
import { id } from "./NoticeExample.ts"

const nothing = make(0, [], [])

export const exampleInvoice = (product: Product, policy: Policy, startsOn: LocalDate): Invoice => {
  const { quote } = policy
  const period = { start: startsOn, end: addMonths(startsOn, 12) }
  const total = quote?.totalPremium ?? nothing
  return {
    id: id("invoice"),
    type: "INVOICE",
    number: "2027-000456",
    policyId: id("policy"),
    customerId: id("customer"),
    status: "ISSUED",
    issuedAt: startOfDay(startsOn, product.timeZone),
    dueOn: addDays(startsOn, product.invoicing.dueDays),
    period,
    currency: product.currency,
    lines: (quote?.components ?? []).map(({ chargeType, id: componentId, premium }) => ({
      componentId,
      label: componentName(product, componentId),
      chargeType,
      slice: period,
      amount: premium
    })),
    total,
    amountPaid: 0,
    amountDue: total.amountWithFeesAndTaxes
  }
}

/** The same with the other sign. */
const reversed = ({ amountPreFeesAndTaxes, fees, taxes }: Amount): Amount =>
  make(
    0 - amountPreFeesAndTaxes,
    fees.map((fee) => ({ ...fee, amount: 0 - fee.amount })),
    taxes.map((tax) => ({ ...tax, amount: 0 - tax.amount }))
  )

export const credited = (invoice: Invoice): Invoice => ({
  ...invoice,
  id: id("credit_note"),
  type: "CREDIT_NOTE",
  number: "2027-A00007",
  lines: invoice.lines.map((line) => ({ ...line, amount: reversed(line.amount) })),
  total: reversed(invoice.total),
  amountDue: 0,
  creditedInvoiceId: id("invoice")
})

/** The start of the instalment of this number, from 0 on. */
const startsAfter: Record<Frequency, (start: LocalDate, number: number) => LocalDate> = {
  WEEKLY: (start, number) => addDays(start, 7 * number),
  MONTHLY: addMonths,
  QUARTERLY: (start, number) => addMonths(start, 3 * number),
  HALF_YEARLY: (start, number) => addMonths(start, 6 * number),
  YEARLY: (start, number) => addMonths(start, 12 * number),
  BIENNIAL: (start, number) => addMonths(start, 24 * number)
}

/** As often as the product bills by default, so that contract and schedule of the examples agree. */
export const exampleInstalments = (
  { invoicing }: Product,
  { customerId, period, total }: Invoice
): ReadonlyArray<Instalment> => {
  const after = startsAfter[invoicing.default.frequency]
  const starts: Array<LocalDate> = []
  for (let start = period.start; start < period.end; start = after(period.start, starts.length)) {
    starts.push(start)
  }
  const amounts = allocate(
    total.amountWithFeesAndTaxes,
    starts.map(() => 1)
  )
  return starts.map((periodStart, index) => ({
    payerCustomerId: customerId,
    periodStart,
    periodEnd: starts[index + 1] ?? period.end,
    issueOn: periodStart,
    dueOn: addDays(periodStart, invoicing.dueDays),
    amount: make(amounts[index]!, [], []),
    components: []
  }))
}
