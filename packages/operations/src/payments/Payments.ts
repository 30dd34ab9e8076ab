/** Money received: recorded on an invoice, settled, posted, and what it sets in motion. */
import { withSettlements } from "@quittance/billing/billing/account/Settlements"
import type { InvoiceSettlement, InvoiceSummary } from "@quittance/domain/billing/StoredInvoice"
import type { RecordPayment } from "@quittance/domain/payments/PaymentRequests"
import { type OpenInvoice, type Settlement, settle } from "@quittance/billing/billing/Settlement"
import { largestPrice } from "@quittance/domain/values/Amount"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { type Instant, max } from "@quittance/domain/values/Instant"
import { InvoiceNotFound } from "@quittance/domain/billing/Invoice"
import * as Page from "@quittance/domain/values/Page"
import type { Payment } from "@quittance/domain/payments/Payment"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidAmount,
  InvalidEffectiveDate
} from "@quittance/domain/requests/RequestErrors"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { PaymentsRepo } from "@quittance/persistence/payments/PaymentsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { BillingCommand } from "../billing/BillingCommand.ts"
import type { BillingEvent } from "../billing/BillingDecision.ts"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { recordFirstPayment } from "@quittance/billing/billing/account/FirstPayment"
import { entryRow, openInvoice } from "@quittance/billing/billing/account/InvoiceIssuing"
import type { AccessFailure } from "../policies/PolicyReader.ts"
import type { InvoiceId, PolicyId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

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
      const command = yield* BillingCommand
      const invoices = yield* InvoicesRepo
      const ids = yield* Ids
      const payments = yield* PaymentsRepo
      const policies = yield* PoliciesRepo

      const decide = Effect.fnUntraced(function* (
        account: PolicyAccount,
        invoiceId: InvoiceId,
        input: RecordPayment
      ) {
        const { now } = account.policy
        const named = account.invoices.find(({ id }) => id === invoiceId)
        if (named === undefined) return yield* new InvoiceNotFound({ invoiceId })
        const paidAt = input.paidAt ?? now
        if (paidAt > now || paidAt < named.issuedAt) {
          return yield* new InvalidEffectiveDate({
            field: "paidAt",
            earliest: named.issuedAt,
            latest: now
          })
        }
        const maximum = most(account)
        if (!(input.amount >= 1 && input.amount <= maximum)) {
          return yield* new InvalidAmount({ field: "amount", minimum: 1, maximum })
        }
        const received = { amount: input.amount, paidAt, currency: named.currency }
        const isPartial = account.invoices.some(({ status }) => status === "PARTIALLY_PAID")
        const lastPaidAt = lastPayments(
          isPartial ? yield* payments.ofPolicies([account.policy.head.id]) : []
        )
        const open = (invoice: InvoiceSummary): OpenInvoice => ({
          ...openInvoice(invoice),
          lastPaidAt: lastPaidAt.get(invoice.id)
        })
        const invoices = account.invoices.filter(({ type }) => type === "INVOICE").map(open)
        const settlement = settle(received, open(named), invoices)
        const payment = paymentOf(ids.next("payment"), named, input, settlement, paidAt, now)
        yield* payments.insert(payment)
        const settlements = settlementsOf(settlement)
        const at = { occurredAt: paidAt, recordedAt: now }
        const payload = { paymentId: payment.id }
        return {
          after: recordFirstPayment(withSettlements(account, settlements), ids.next).policy,
          entries: settlement.entries.map((entry) =>
            entryRow(entry, payment, payment.id, at, ids.next)
          ),
          happened: [{ kind: "payment.recorded", at: paidAt, payload } satisfies BillingEvent],
          settlements,
          answer: Effect.succeed(payment)
        }
      })

      const record = Effect.fn("Payments.record")(function* (
        invoiceId: InvoiceId,
        input: RecordPayment
      ) {
        return yield* command.run({
          action: "payment.record",
          authorize: invoices.authorize("payment.write", invoiceId, { lock: true }),
          policyOf: ({ policy }) => policy,
          decide: (account) => decide(account, invoiceId, input)
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
    Layer.provide([
      BillingCommand.layer,
      InvoicesRepo.layer,
      PaymentsRepo.layer,
      PoliciesRepo.layer
    ])
  )
}

/**
 * What more can be paid at once: what came in so far is an exact integer with it, and so is every balance,
 * whether or not some of it was paid out.
 */
const most = ({ balances, invoices }: PolicyAccount): number => {
  const amounts = [
    ...[...balances.values()].map((balance) => Math.max(0, balance)),
    ...invoices.map(({ paid }) => paid)
  ]
  const settled = amounts.reduce((sum, amount) => sum + BigInt(amount), 0n)
  const left = Number(BigInt(Number.MAX_SAFE_INTEGER) - settled)
  return Math.max(0, Math.min(largestPrice, left))
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
  named: InvoiceSummary,
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

const settlementsOf = ({ updates }: Settlement): ReadonlyArray<InvoiceSettlement> =>
  updates.map(({ amountPaid, invoiceId, paidAt, status }) => ({
    id: invoiceId,
    status,
    paid: amountPaid,
    paidAt: paidAt ?? null
  }))
