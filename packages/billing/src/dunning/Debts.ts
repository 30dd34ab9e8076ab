/** Which invoices of a policy are debts to dunning, and in which times. */
import type { InvoiceSummary } from "@quittance/domain/billing/StoredInvoice"
import type { StoredWriteOff } from "@quittance/domain/billing/SettlementRecords"
import { unpaidStatuses } from "@quittance/domain/billing/Invoice"
import { isCharge, noticeCharged } from "@quittance/domain/billing/InvoiceLine"
import { stateOf } from "@quittance/domain/policies/aggregate/PolicyAggregate"
import type { Product } from "@quittance/domain/products/Product"
import { jobName } from "@quittance/domain/requests/Actor"
import { InvoiceId } from "@quittance/domain/values/Ids"
import { earliest, type Instant } from "@quittance/domain/values/Instant"
import { Schema } from "effect"
import { owedTimes } from "./DebtPeriods.ts"
import type { DunningAccount } from "./DunningAccount.ts"
import type { Debt } from "./DunningTimeline.ts"

const isInvoiceId = Schema.is(InvoiceId)
const unpaid: ReadonlySet<string> = new Set(unpaidStatuses)

/** An invoice of premium as a debt, or of what a notice cost, once more for each return that opened it again. */
export const debtsOf = (
  { dunning, invoices, policy, settled }: DunningAccount,
  product: Product,
  {
    cause,
    customerId,
    dueOn,
    id,
    isFirst,
    issuedAt,
    paid,
    paidAt,
    status,
    total,
    type
  }: InvoiceSummary
): ReadonlyArray<Debt> => {
  if (type !== "INVOICE" || !isInvoiceId(id) || status === "DRAFTED" || status === "CANCELLED") {
    return []
  }
  const costOf = noticeCharged(cause)
  // A charge by hand, or the fee of a return, is no premium.
  if (isCharge(cause) && costOf === undefined) return []
  const { tolerance = 0 } = product.dunning
  if (tolerance > 0 && total <= tolerance) return []
  const credits = invoices.filter((other) => other.type === "CREDIT_NOTE")
  // A credit settles the invoice that it corrects first: one that left some of that unpaid has settled
  // nothing else.
  const isUsedUp = ({ creditedInvoiceId }: InvoiceSummary, by: InvoiceSummary["id"]) =>
    creditedInvoiceId !== by &&
    invoices.some((other) => other.id === creditedInvoiceId && unpaid.has(other.status))
  const isUnpaid = unpaid.has(status)
  const own = settled.allocations.filter(({ invoiceId }) => invoiceId === id)
  const writeOffs = settled.writeOffs
    .filter(({ invoiceId }) => invoiceId === id)
    .map((one, index, all) => ({
      at: one.at,
      // Where a bank returns a payment, what was written off beside it is owed again, too.
      endedAt:
        reversalOf(one, all.slice(0, index)) ??
        earliest(
          own.flatMap(({ returnedAt }) =>
            returnedAt === null || returnedAt <= one.at ? [] : [returnedAt]
          )
        ),
      settles: !waitsForPayment(policy, product, isFirst, one.at)
    }))
  const writeOff = writeOffs.findLast(({ endedAt }) => endedAt === undefined)
  // What was credited of it later was no longer owed.
  const endsWithWriteOff =
    writeOff !== undefined &&
    (status !== "PAID" || (writeOff.settles && (paidAt ?? issuedAt) >= writeOff.at))
  const settledAt = endsWithWriteOff ? writeOff.at : (paidAt ?? issuedAt)
  const times = owedTimes(
    {
      total,
      amountPaid: paid,
      tolerance,
      settledAt: isUnpaid ? undefined : settledAt,
      notes: credits
        .filter(({ creditedInvoiceId }) => creditedInvoiceId === id)
        .map((note) => ({ amount: -note.total, issuedAt: note.issuedAt }))
    },
    [
      ...own.map(({ amount, paidAt, returnedAt }) => ({
        amount,
        paidAt,
        returnedAt: returnedAt ?? undefined
      })),
      ...writeOffs.flatMap(({ at, endedAt: returnedAt, settles }) =>
        returnedAt === undefined || !settles
          ? []
          : [{ amount: total, paidAt: at, returnedAt, waived: true }]
      )
    ]
  )
  return times.map(({ toleratedBy, ...time }, index) => ({
    ...time,
    invoiceId: id,
    payerCustomerId: customerId,
    dueOn,
    askedAt: issuedAt,
    awaitedUntil: dunning.awaited.find(({ invoiceId }) => invoiceId === id)?.until,
    followsPayment: isOfUndoneEnd(policy, cause),
    costOf,
    // Where a product waits for the first payment, cover has not begun that could rest.
    isFirst: isFirst && product.activation.firstPayment !== "GATE",
    isWrittenOff:
      toleratedBy === undefined && index === times.length - 1 && status === "WRITTEN_OFF",
    waived:
      time.waived === true ||
      toleratedBy === "CREDIT" ||
      (toleratedBy === undefined &&
        index === times.length - 1 &&
        !isUnpaid &&
        (status !== "PAID" ||
          endsWithWriteOff ||
          credits.some(
            (note) =>
              note.customerId === customerId && note.issuedAt === paidAt && !isUsedUp(note, id)
          )))
  }))
}

/** When a write-off was reversed by hand. Of one instant, each reversal belongs to the first that has none. */
const reversalOf = (
  { at, reversals }: StoredWriteOff,
  before: ReadonlyArray<StoredWriteOff>
): Instant | undefined => {
  const atOnce = reversals.filter((reversal) => reversal === at).length
  return before.filter((other) => other.at === at).length < atOnce
    ? at
    : reversals.find((reversal) => reversal > at)
}

/**
 * Whether a payment after the write-off still matters: where cover begins with the first premium, and where
 * the contract had ended by then, which a payment in time reverses. Otherwise nothing was owed from the
 * write-off on, and nothing more follows from the payment.
 */
const waitsForPayment = (
  { changes, head }: DunningAccount["policy"],
  { dunning }: Product,
  isFirst: boolean,
  writtenOffAt: Instant
): boolean => {
  if (isFirst && dunning.firstPremium === "NO_COVER") return true
  const known = changes.filter(({ recordedAt }) => recordedAt <= writtenOffAt)
  return stateOf(known, { branchId: head.defaultBranchId }, writtenOffAt).contract === "STOPPED"
}

/** Whether an invoice charges the days after an end that dunning reverted, which only a payment causes. */
const isOfUndoneEnd = (
  { changes }: DunningAccount["policy"],
  cause: InvoiceSummary["cause"]
): boolean =>
  changes.some(({ author, id, kind }) => id === cause && kind === "REVERT" && author === jobName)
