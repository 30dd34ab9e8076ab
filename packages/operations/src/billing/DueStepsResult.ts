/** What was decided about one policy's account, before any of it is written. */
import type { Instant } from "@quittance/domain/values/Instant"
import type { EntryRow } from "@quittance/persistence/billing/EntriesRepo"
import type { InvoiceSettlement } from "@quittance/persistence/billing/InvoicesRepo"
import type { NoticeRow } from "@quittance/persistence/dunning/DunningRepo"
import type { Job } from "../policies/Job.ts"
import type { LinesOfInvoices, UnnumberedInvoice } from "./InvoiceIssuing.ts"
import type { PolicyAccount } from "./PolicyAccount.ts"

/** What has to be written of a policy's notices. */
export interface NoticeChanges {
  readonly put: ReadonlyArray<NoticeRow>
  readonly removed: ReadonlyArray<NoticeRow["id"]>
}

/** What was decided: the book as it will be, and what has to be written. */
export interface DueStepsResult {
  readonly account: PolicyAccount
  readonly lines: LinesOfInvoices
  readonly issued: ReadonlyArray<UnnumberedInvoice>
  readonly entries: ReadonlyArray<EntryRow>
  readonly ran: ReadonlyArray<Job>
  /** How invoices stand that were there before and that a credit note settles. */
  readonly settlements: ReadonlyArray<InvoiceSettlement>
  readonly notices: NoticeChanges
  /** When there is something to do next; absent where nothing follows by itself. */
  readonly nextDueAt: Instant | undefined
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
