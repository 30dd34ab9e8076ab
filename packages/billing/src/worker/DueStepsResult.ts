/** What was decided about one policy's account, before any of it is written. */
import type { InvoiceSettlement } from "@quittance/domain/billing/StoredInvoice"
import type { NoticeChanges } from "@quittance/domain/dunning/DunningRecords"
import type { Instant } from "@quittance/domain/values/Instant"
import type { Issued } from "../billing/account/InvoiceIssuing.ts"
import type { DunningAccount } from "../dunning/DunningAccount.ts"

/** What was decided: the account as it will be, and what has to be written. */
export interface DueStepsResult extends Issued {
  readonly account: DunningAccount
  /** How invoices stand that were there before and that a credit note settles. */
  readonly settlements: ReadonlyArray<InvoiceSettlement>
  readonly notices: NoticeChanges
  /** When there is something to do next; absent where nothing follows by itself. */
  readonly nextDueAt: Instant | undefined
}
