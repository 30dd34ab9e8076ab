/** Money received: recorded on an invoice, settled, posted, and what it sets in motion. */
import { type OpenInvoice, type Settlement, settle } from "@quittance/billing/billing/Settlement"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { type Instant, max } from "@quittance/domain/values/Instant"
import { type InvoiceId, InvoiceNotFound } from "@quittance/domain/billing/Invoice"
import * as Page from "@quittance/domain/values/Page"
import { InvalidAmount, type Payment, type PaymentMethod } from "@quittance/domain/payments/Payment"
import { InvalidEffectiveDate, type PolicyId } from "@quittance/domain/policies/Policy"
import type { IdempotencyKeyInUse, IdempotencyKeyReused } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import {
  type DocumentHead,
  DocumentsRepo,
  type Standing
} from "@quittance/persistence/billing/InvoicesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { PaymentsRepo } from "@quittance/persistence/payments/PaymentsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { BookCommand } from "../billing/BillingCommand.ts"
import { type Book, withStandings } from "../billing/PolicyAccount.ts"
import type { CurrentRequest } from "../requests/CurrentRequest.ts"
import { openGate } from "../billing/FirstPayment.ts"
import { entryRow, openInvoice } from "../billing/InvoiceIssuing.ts"
import type { AccessFailure } from "../policies/PolicyReader.ts"

/** What `POST /payments/invoices/{invoiceId}` takes. */
export interface RecordPayment {
  /** In minor units. */
  readonly amount: number
  readonly method: PaymentMethod
  readonly reference: string
  /** When the money came; now where it is absent. */
  readonly paidAt?: Instant
}

export type PaymentFailure =
  | Forbidden
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidAmount
  | InvalidEffectiveDate
  | InvoiceNotFound

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest

export class Payments extends Context.Service<
  Payments,
  {
    /** Settles the invoice, then the payer's oldest unpaid ones of the policy, then the balance. */
    record(
      invoiceId: InvoiceId,
      input: RecordPayment
    ): Effect.Effect<Payment, PaymentFailure, Scoped>
    /** The payments of a policy, the newest first. */
    listByPolicy(
      policyId: PolicyId,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Payment>, AccessFailure, Scoped>
  }
>()("@quittance/operations/Payments") {
  static readonly layer = Layer.effect(
    Payments,
    Effect.gen(function* () {
      const command = yield* BookCommand
      const documents = yield* DocumentsRepo
      const ids = yield* Ids
      const payments = yield* PaymentsRepo
      const policies = yield* PoliciesRepo

      const decide = Effect.fnUntraced(function* (
        book: Book,
        invoiceId: InvoiceId,
        input: RecordPayment
      ) {
        const { now } = book.policy
        const named = book.documents.find(({ id }) => id === invoiceId)
        if (named === undefined) return yield* new InvoiceNotFound({ invoiceId })
        const paidAt = input.paidAt ?? now
        if (paidAt > now || paidAt < named.issuedAt) {
          return yield* new InvalidEffectiveDate({
            field: "paidAt",
            earliest: named.issuedAt,
            latest: now
          })
        }
        const maximum = most(book)
        if (!(input.amount >= 1 && input.amount <= maximum)) {
          return yield* new InvalidAmount({ field: "amount", minimum: 1, maximum })
        }
        const received = { amount: input.amount, paidAt, currency: named.currency }
        const isPartial = book.documents.some(({ status }) => status === "PARTIALLY_PAID")
        const lastPaidAt = lastPayments(
          isPartial ? yield* payments.ofPolicies([book.policy.head.id]) : []
        )
        const open = (invoice: DocumentHead): OpenInvoice => ({
          ...openInvoice(invoice),
          lastPaidAt: lastPaidAt.get(invoice.id)
        })
        const invoices = book.documents.filter(({ type }) => type === "INVOICE").map(open)
        const settlement = settle(received, open(named), invoices)
        const payment = paymentOf(ids.next("payment"), named, input, settlement, paidAt, now)
        yield* payments.insert(payment)
        const standings = standingsOf(settlement)
        const at = { occurredAt: paidAt, recordedAt: now }
        const payload = { paymentId: payment.id }
        return {
          after: openGate(withStandings(book, standings), ids.next).policy,
          entries: [entryRow(settlement.entry, payment, payment.id, at, ids.next)],
          happened: [{ kind: "payment.recorded", at: paidAt, payload }],
          standings,
          answer: Effect.succeed(payment)
        }
      })

      const record = Effect.fn("Payments.record")(function* (
        invoiceId: InvoiceId,
        input: RecordPayment
      ) {
        return yield* command.run({
          action: "payment.record",
          authorize: documents.authorize("payment.write", invoiceId, { lock: true }),
          policyOf: ({ policy }) => policy,
          decide: (book) => decide(book, invoiceId, input)
        })
      })

      const listByPolicy = Effect.fn("Payments.listByPolicy")(function* (
        policyId: PolicyId,
        page: Page.PageRequest
      ) {
        yield* policies.authorize("payment.read", policyId)
        const { rows, total } = yield* payments.listByPolicy(policyId, page)
        return Page.make(rows, total, page)
      })

      return Payments.of({ record, listByPolicy })
    })
  ).pipe(
    Layer.provide([BookCommand.layer, DocumentsRepo.layer, PaymentsRepo.layer, PoliciesRepo.layer])
  )
}

/** What more can be paid: what came in so far is an exact integer with it, and so is every balance. */
const most = ({ balances, documents }: Book): number => {
  const kept = [...balances.values()].reduce((sum, balance) => sum + Math.max(0, balance), 0)
  const settled = documents.reduce((sum, { paid }) => sum + paid, kept)
  return Math.max(0, Number.MAX_SAFE_INTEGER - settled)
}

/** When the latest payment came that settled some of each invoice, and that the bank left alone. */
const lastPayments = (recorded: ReadonlyArray<Payment>): ReadonlyMap<string, Instant> => {
  const last = new Map<string, Instant>()
  for (const { allocations, paidAt, returned } of recorded) {
    if (returned !== undefined) continue
    for (const { invoiceId } of allocations)
      last.set(invoiceId, max(paidAt, last.get(invoiceId) ?? paidAt))
  }
  return last
}

const paymentOf = (
  id: Payment["id"],
  named: DocumentHead,
  { amount, method, reference }: RecordPayment,
  { allocations, creditBalance }: Settlement,
  paidAt: Instant,
  now: Instant
): Payment => ({
  id,
  policyId: named.policyId,
  customerId: named.customerId,
  // Only invoices are paid; credit notes were left out.
  invoiceId: named.id as InvoiceId,
  amount,
  currency: named.currency,
  method,
  reference,
  paidAt,
  recordedAt: now,
  allocations,
  creditBalance
})

const standingsOf = ({ updates }: Settlement): ReadonlyArray<Standing> =>
  updates.map(({ amountPaid, invoiceId, paidAt, status }) => ({
    id: invoiceId,
    status,
    paid: amountPaid,
    paidAt: paidAt ?? null
  }))
