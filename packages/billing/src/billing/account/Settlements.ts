/** How the invoices of an account stand, before and after. */
import type { InvoiceSettlement } from "@quittance/domain/billing/StoredInvoice"
import type { PolicyAccount } from "./PolicyAccount.ts"

/** An account with invoices as they stand by now. */
export const withSettlements = (
  account: PolicyAccount,
  settlements: ReadonlyArray<InvoiceSettlement>
): PolicyAccount => {
  const byId = new Map(settlements.map(({ id, ...standing }) => [id, standing]))
  return {
    ...account,
    invoices: account.invoices.map((invoice) => ({ ...invoice, ...byId.get(invoice.id) }))
  }
}

/** What became of the invoices that were there before. */
export const settlementsOf = (
  before: PolicyAccount,
  after: PolicyAccount
): ReadonlyArray<InvoiceSettlement> =>
  before.invoices.flatMap((invoice, index) => {
    // Invoices are only added, behind those that are there.
    const { id, paid, paidAt, status } = after.invoices[index]!
    return paid === invoice.paid && status === invoice.status ? [] : [{ id, status, paid, paidAt }]
  })
