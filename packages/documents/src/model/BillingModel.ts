/** Invoices, instalments and formal notices, as documents show them: what was issued, nothing recomputed. */
import type { Instalment, Invoice } from "@quittance/domain/billing/Invoice"
import type {
  DocumentModel,
  ModelInvoice,
  ModelNotice,
  ModelParty
} from "@quittance/domain/documents/DocumentModel"
import type { FormalNotice } from "@quittance/domain/dunning/Dunning"
import type { Product } from "@quittance/domain/products/Product"
import { addDays, type LocalDate } from "@quittance/domain/values/LocalDate"
import { localDate } from "@quittance/domain/values/TimeZone"
import { leviesOf, sumsOf } from "./PriceModel.ts"

/** Who is named by an identifier; invoices and notices are of payers who are on the policy, or were. */
export type PartyById = (id: string) => ModelParty

/** Half-open days as their first and last one; an empty range is one day. */
const periodOf = ({ end, start }: { readonly start: LocalDate; readonly end: LocalDate }) => ({
  periodStart: start,
  periodEnd: end > start ? addDays(end, -1) : start
})

export const invoiceOf = (
  product: Product,
  invoice: Invoice,
  party: PartyById,
  creditedNumber?: string
): ModelInvoice => ({
  id: invoice.id,
  type: invoice.type,
  number: invoice.number,
  issuedOn: localDate(invoice.issuedAt, product.timeZone),
  dueOn: invoice.dueOn,
  ...periodOf(invoice.period),
  payer: party(invoice.customerId),
  onePeriod: invoice.lines.every(
    ({ slice }) => slice.start === invoice.period.start && slice.end === invoice.period.end
  ),
  lines: invoice.lines.map(({ amount, label, slice }) => ({
    label,
    ...periodOf(slice),
    ...sumsOf(amount)
  })),
  ...sumsOf(invoice.total),
  feeList: leviesOf(product, invoice.total.fees),
  taxList: leviesOf(product, invoice.total.taxes),
  paid: invoice.amountPaid,
  due: invoice.amountDue,
  payment: invoice.amountDue === 0 ? "NOTHING_DUE" : party(invoice.customerId).paymentMode,
  ...(creditedNumber === undefined ? {} : { creditedNumber })
})

export const scheduleOf = (
  instalments: ReadonlyArray<Instalment>,
  party: PartyById
): NonNullable<DocumentModel["schedule"]> => ({
  instalments: instalments.map((instalment, index) => ({
    number: index + 1,
    payer: party(instalment.payerCustomerId).name,
    issueOn: instalment.issueOn,
    dueOn: instalment.dueOn,
    ...periodOf({ start: instalment.periodStart, end: instalment.periodEnd }),
    amount: instalment.amount.amountWithFeesAndTaxes
  })),
  total: instalments.reduce((sum, { amount }) => sum + amount.amountWithFeesAndTaxes, 0)
})

/** A notice with the invoices that it is about, as they stand when it is written. */
export const noticeOf = (
  product: Product,
  notice: FormalNotice,
  invoices: ReadonlyArray<Invoice>,
  party: PartyById
): ModelNotice => {
  const { timeZone } = product
  const about = invoices.filter(({ id }) => notice.invoiceIds.some((invoice) => invoice === id))
  return {
    id: notice.id,
    writtenOn: localDate(notice.createdAt, timeZone),
    channel: notice.channel,
    payer: party(notice.payerCustomerId),
    invoices: about.map((invoice) => ({
      number: invoice.number,
      issuedOn: localDate(invoice.issuedAt, timeZone),
      dueOn: invoice.dueOn,
      ...periodOf(invoice.period),
      total: invoice.total.amountWithFeesAndTaxes,
      due: invoice.amountDue
    })),
    due: about.reduce((sum, { amountDue }) => sum + amountDue, 0),
    cost: product.dunning.feesRebilled,
    ...(notice.suspendedAt === undefined
      ? {}
      : { suspendsOn: localDate(notice.suspendedAt, timeZone) }),
    ...(notice.terminableAt === undefined
      ? {}
      : { terminableOn: localDate(notice.terminableAt, timeZone) }),
    announcesTermination: notice.announcesTermination
  }
}
