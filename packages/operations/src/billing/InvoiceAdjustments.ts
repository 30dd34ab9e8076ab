/** Manual decisions about an invoice: to write it off or reverse that, to credit it, or to cancel a draft. */
import { settlementsOf, withSettlements } from "@quittance/billing/billing/account/Settlements"
import type { InvoiceReason } from "@quittance/domain/billing/BillingRequests"
import { creditByHand } from "@quittance/billing/billing/CreditByHand"
import { recordFirstPayment } from "@quittance/billing/billing/account/FirstPayment"
import {
  reverseWriteOff,
  writeOff,
  type WriteOffResult
} from "@quittance/billing/billing/WriteOffs"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { type Invoice, InvoiceNotFound } from "@quittance/domain/billing/Invoice"
import { type InvoiceCommand, permitInvoice } from "@quittance/domain/billing/InvoiceLifecycle"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import type { EventKind } from "@quittance/domain/EventType"
import { localDate } from "@quittance/domain/values/TimeZone"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer } from "effect"
import { BillingCommand } from "./BillingCommand.ts"
import {
  billingView,
  type PolicyAccount,
  issuedOf
} from "@quittance/billing/billing/account/PolicyAccount"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { BillingDecision } from "./BillingDecision.ts"
import { toInvoice } from "@quittance/domain/billing/InvoiceView"
import {
  entryRow,
  type Issued,
  issue,
  creditedOf
} from "@quittance/billing/billing/account/InvoiceIssuing"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export type ReceivableFailure =
  | Forbidden
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidTransition
  | InvoiceNotFound

export class InvoiceAdjustments extends Context.Service<
  InvoiceAdjustments,
  {
    /**
     * `write-off` writes off what is left to pay, `reverse-write-off` makes it owed again; `credit` credits
     * what the invoice still charges, with a credit note; `cancel` deletes a draft. Answers the invoice
     * after that.
     */
    run(
      command: InvoiceCommand,
      invoiceId: InvoiceId,
      input: InvoiceReason
    ): Effect.Effect<Invoice, ReceivableFailure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/InvoiceAdjustments") {
  static readonly layer = Layer.effect(
    InvoiceAdjustments,
    Effect.gen(function* () {
      const command = yield* BillingCommand
      const invoicesRepo = yield* InvoicesRepo
      const ids = yield* Ids

      const found = Effect.fnUntraced(function* (account: PolicyAccount, invoiceId: InvoiceId) {
        const invoice = account.invoices.find(({ id }) => id === invoiceId)
        if (invoice === undefined) return yield* new InvoiceNotFound({ invoiceId })
        const lines = yield* invoicesRepo.linesOf(account.invoices.map(({ id }) => id))
        const correction = creditByHand(billingView(account), issuedOf(account, lines), invoiceId)
        const issued: Issued = { account, lines, issued: [], entries: [], ran: [] }
        return { issued, invoice, correction }
      })

      const decide = (
        name: InvoiceCommand,
        { correction, invoice, issued }: Effect.Success<ReturnType<typeof found>>
      ): Pick<BillingDecision, "issued" | "entries" | "settlements"> &
        Partial<Pick<BillingDecision, "after">> => {
        const { account, lines } = issued
        const { now } = account.policy
        const posted = ({ entries, settlements }: WriteOffResult) => {
          const at = { occurredAt: now, recordedAt: now }
          return {
            after: recordFirstPayment(withSettlements(account, settlements), ids.next).policy,
            issued: [],
            entries: entries.map((entry) => entryRow(entry, invoice, invoice.id, at, ids.next)),
            settlements
          }
        }
        switch (name) {
          case "cancel":
            return { issued: [], entries: [], settlements: [{ ...invoice, status: "CANCELLED" }] }
          case "write-off":
            return posted(writeOff(invoice))
          case "reverse-write-off":
            return posted(reverseWriteOff(account, invoice, creditedOf(lines)))
          case "credit": {
            const { lines, payerCustomerId, period, term, total } = correction!
            const { policy } = issued.account
            const today = localDate(policy.now, billingView(issued.account).timeZone)
            // Only invoices are named by the path.
            const cause = invoice.id as InvoiceId
            const key = { term, payerCustomerId, periodStart: period.start, cause }
            const planned = { key, period, lines, total, issueOn: today, dueOn: today }
            const done = issue(issued, { ...planned, isFirst: false }, ids.next)
            return {
              issued: done.issued,
              entries: done.entries,
              settlements: settlementsOf(issued.account, done.account)
            }
          }
        }
      }

      const run = Effect.fn("InvoiceAdjustments.run")(function* (
        name: InvoiceCommand,
        invoiceId: InvoiceId,
        { reason }: InvoiceReason
      ) {
        return yield* command.run({
          action: `invoice.${name}`,
          authorize: invoicesRepo.authorize("billing.write", invoiceId, { lock: true }),
          policyOf: ({ policy }) => policy,
          decide: Effect.fnUntraced(function* (account: PolicyAccount) {
            const opened = yield* found(account, invoiceId)
            const { correction, invoice } = opened
            yield* Effect.fromResult(permitInvoice(invoice.status, name, correction !== undefined))
            const kind = eventKinds[name]
            return {
              ...decide(name, opened),
              happened: [{ kind, at: account.policy.now, payload: { invoiceId }, reason }],
              answer: Effect.map(
                invoicesRepo.authorize("billing.write", invoiceId),
                ({ invoice }) => toInvoice(invoice)
              )
            }
          })
        })
      })

      return InvoiceAdjustments.of({ run })
    })
  ).pipe(Layer.provide([BillingCommand.layer, InvoicesRepo.layer]))
}

const eventKinds = {
  "write-off": "invoice.written_off",
  "reverse-write-off": "invoice.write_off_reversed",
  credit: "invoice.credited",
  cancel: "invoice.cancelled"
} as const satisfies Readonly<Record<InvoiceCommand, EventKind>>
