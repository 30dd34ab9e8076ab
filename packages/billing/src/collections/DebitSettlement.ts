/** What a debit settles when its collection day begins, and what comes on top. */
import type { Currency } from "@quittance/domain/values/Amount"
import type { Instant } from "@quittance/domain/values/Instant"
import { type OpenInvoice, type Settlement, settleAll } from "../billing/Settlement.ts"
import type { DebitItem } from "./DebitAmount.ts"

export interface CollectedDebit {
  readonly items: readonly [DebitItem, ...ReadonlyArray<DebitItem>]
  /** Their sum, in minor units. */
  readonly amount: number
  readonly currency: Currency
  /** The first instant of its collection day, at its account. */
  readonly settledAt: Instant
}

export interface DebitSettlement extends Settlement {
  /**
   * In minor units, what its own invoices did not ask for any more: a transfer or a credit came while it was
   * in flight. The payer paid twice, and what no other invoice took is their credit.
   */
  readonly doublePayment: number
}

/**
 * Settles each invoice of the debit up to what it still asks for, though a payment of it is in progress; then
 * the payer's oldest unpaid ones of the policy; then their balance.
 *
 * @param invoices those of the policy; those of other payers are left alone
 * @throws Error where an invoice of the debit is not among them
 */
export const settleDebit = (
  { amount, currency, items, settledAt }: CollectedDebit,
  invoices: ReadonlyArray<OpenInvoice>
): DebitSettlement => {
  const [first, ...rest] = items
  const named = [namedBy(first, invoices), ...rest.map((item) => namedBy(item, invoices))] as const
  const settlement = settleAll({ amount, paidAt: settledAt, currency }, named, invoices)
  const own = new Set(named.map(({ id }) => id))
  const taken = settlement.allocations
    .filter(({ invoiceId }) => own.has(invoiceId))
    .reduce((sum, allocation) => sum + allocation.amount, 0)
  return { ...settlement, doublePayment: amount - taken }
}

const namedBy = ({ invoiceId }: DebitItem, invoices: ReadonlyArray<OpenInvoice>): OpenInvoice => {
  const found = invoices.find(({ id }) => id === invoiceId)
  if (found === undefined) throw new Error(`The debit names ${invoiceId}, which its policy lacks.`)
  return found
}
