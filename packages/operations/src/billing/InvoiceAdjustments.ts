/** What is decided by hand about an invoice: giving up what is owed, taking it back, or dropping a draft. */
import { creditByHand } from "@quittance/billing/billing/CreditByHand"
import { amountDue } from "@quittance/billing/billing/Settlement"
import { forWriteOff } from "@quittance/billing/billing/Postings"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { type Invoice, type InvoiceId, InvoiceNotFound } from "@quittance/domain/billing/Invoice"
import { type InvoiceCommand, permitInvoice } from "@quittance/domain/billing/InvoiceLifecycle"
import type { InvalidTransition } from "@quittance/domain/policies/Lifecycle"
import type { IdempotencyKeyInUse, IdempotencyKeyReused } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { localDate } from "@quittance/domain/values/TimeZone"
import { DocumentsRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer } from "effect"
import { BookCommand } from "./BillingCommand.ts"
import { standingsOf } from "../worker/AdvancePolicy.ts"
import { billingView, type Book, issuedOf } from "./PolicyAccount.ts"
import type { CurrentRequest } from "../requests/CurrentRequest.ts"
import type { Decided } from "./BillingDecision.ts"
import { toInvoice } from "./InvoiceView.ts"
import { entryRow, type Issued, issue, openInvoice } from "./InvoiceIssuing.ts"

/** What these routes take. */
export interface ByHand {
  readonly reason: string
}

export type ReceivableFailure =
  | Forbidden
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidTransition
  | InvoiceNotFound

export class Receivables extends Context.Service<
  Receivables,
  {
    /**
     * `write-off` gives up what is left to pay; `credit` takes back what the invoice still charges, with
     * a credit note; `cancel` drops a draft. Answers the invoice as it is then.
     */
    run(
      command: InvoiceCommand,
      invoiceId: InvoiceId,
      input: ByHand
    ): Effect.Effect<Invoice, ReceivableFailure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/Receivables") {
  static readonly layer = Layer.effect(
    Receivables,
    Effect.gen(function* () {
      const command = yield* BookCommand
      const documents = yield* DocumentsRepo
      const ids = yield* Ids

      const found = Effect.fnUntraced(function* (book: Book, invoiceId: InvoiceId) {
        const invoice = book.documents.find(({ id }) => id === invoiceId)
        if (invoice === undefined) return yield* new InvoiceNotFound({ invoiceId })
        const lines = yield* documents.linesOf(book.documents.map(({ id }) => id))
        const correction = creditByHand(billingView(book), issuedOf(book, lines), invoiceId)
        const issued: Issued = { book, lines, issued: [], entries: [], ran: [] }
        return { issued, invoice, correction }
      })

      const decide = (
        name: InvoiceCommand,
        { correction, invoice, issued }: Effect.Success<ReturnType<typeof found>>
      ): Required<Pick<Decided, "issued" | "entries" | "standings">> => {
        switch (name) {
          case "cancel":
            return { issued: [], entries: [], standings: [{ ...invoice, status: "CANCELLED" }] }
          case "write-off": {
            const { currency, customerId, id } = invoice
            const { now } = issued.book.policy
            const entry = forWriteOff(customerId, amountDue(openInvoice(invoice)), currency)
            const at = { occurredAt: now, recordedAt: now }
            return {
              issued: [],
              entries: [entryRow(entry, invoice, id, at, ids.next)],
              standings: [{ ...invoice, status: "WRITTEN_OFF" }]
            }
          }
          case "credit": {
            const { lines, payerCustomerId, period, term, total } = correction!
            const { policy } = issued.book
            const today = localDate(policy.now, billingView(issued.book).timeZone)
            // Only invoices are named by the path.
            const cause = invoice.id as InvoiceId
            const key = { term, payerCustomerId, periodStart: period.start, cause }
            const planned = { key, period, lines, total, issueOn: today, dueOn: today }
            const after = issue(issued, { ...planned, isFirst: false }, ids.next)
            return { ...after, standings: standingsOf(issued.book, after.book) }
          }
        }
      }

      const run = Effect.fn("Receivables.run")(function* (
        name: InvoiceCommand,
        invoiceId: InvoiceId,
        { reason }: ByHand
      ) {
        return yield* command.run({
          action: `invoice.${name}`,
          authorize: documents.authorize("billing.write", invoiceId, { lock: true }),
          policyOf: ({ policy }) => policy,
          decide: Effect.fnUntraced(function* (book: Book) {
            const opened = yield* found(book, invoiceId)
            const { correction, invoice } = opened
            yield* Effect.fromResult(permitInvoice(invoice.status, name, correction !== undefined))
            const kind = `invoice.${happenedAs[name]}`
            const { entries, issued, standings } = decide(name, opened)
            return {
              entries,
              issued,
              standings,
              happened: [{ kind, at: book.policy.now, payload: { invoiceId }, reason }],
              answer: Effect.map(documents.authorize("billing.write", invoiceId), ({ document }) =>
                toInvoice(document)
              )
            }
          })
        })
      })

      return Receivables.of({ run })
    })
  ).pipe(Layer.provide([BookCommand.layer, DocumentsRepo.layer]))
}

const happenedAs: Readonly<Record<InvoiceCommand, string>> = {
  "write-off": "written_off",
  credit: "credited",
  cancel: "cancelled"
}
