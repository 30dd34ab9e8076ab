/** What money received settles of a policy, and what it posts: decided under the lock of its head. */
import { withSettlements } from "@quittance/billing/billing/account/Settlements"
import type { InvoiceSettlement, InvoiceSummary } from "@quittance/domain/billing/StoredInvoice"
import type { RecordPayment } from "@quittance/domain/payments/PaymentRequests"
import { type OpenInvoice, type Settlement, settle } from "@quittance/billing/billing/Settlement"
import { largestPrice } from "@quittance/domain/values/Amount"
import { type Instant, max } from "@quittance/domain/values/Instant"
import { InvoiceNotFound } from "@quittance/domain/billing/Invoice"
import type { Payment } from "@quittance/domain/payments/Payment"
import { InvalidAmount, InvalidEffectiveDate } from "@quittance/domain/requests/RequestErrors"
import { Ids } from "@quittance/persistence/sql/Ids"
import { PaymentsRepo } from "@quittance/persistence/payments/PaymentsRepo"
import { Context, Effect, Layer } from "effect"
import type { Written } from "../billing/BillingCommand.ts"
import type { BillingEvent } from "../billing/BillingDecision.ts"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import { recordFirstPayment } from "@quittance/billing/billing/account/FirstPayment"
import { entryRow, openInvoice } from "@quittance/billing/billing/account/InvoiceIssuing"
import type { InvoiceId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export type ReceiptFailure = InvalidAmount | InvalidEffectiveDate | InvoiceNotFound

/** Money that came by debit. */
export interface CollectedPayment {
  readonly invoiceId: InvoiceId
  /** In minor units. */
  readonly amount: number
  readonly reference: string
  readonly paidAt: Instant
}

export class PaymentReceipts extends Context.Service<
  PaymentReceipts,
  {
    /** Records a payment on an invoice of the policy; what the policy's book gets is for the caller to write. */
    receive(
      account: PolicyAccount,
      invoiceId: InvoiceId,
      input: RecordPayment
    ): Effect.Effect<Written<Payment>, ReceiptFailure, CurrentTenant>
    /** Records what a debit has collected of invoices of the policy, of which the first is named. */
    collect<S extends Settlement>(
      account: PolicyAccount,
      collected: CollectedPayment,
      settleIt: (invoices: ReadonlyArray<OpenInvoice>) => S
    ): Effect.Effect<
      { readonly written: Written<Payment>; readonly payment: Payment; readonly settlement: S },
      never,
      CurrentTenant
    >
  }
>()("@quittance/operations/PaymentReceipts") {
  static readonly layer = Layer.effect(
    PaymentReceipts,
    Effect.gen(function* () {
      const ids = yield* Ids
      const payments = yield* PaymentsRepo

      const receive = Effect.fn("PaymentReceipts.receive")(function* (
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
        const invoices = yield* openOf(account)
        // It is an invoice of the policy, and no credit note is paid.
        const open = invoices.find(({ id }) => id === invoiceId) ?? openInvoice(named)
        const settlement = settle(received, open, invoices)
        return (yield* recorded(account, named, input, settlement, paidAt)).written
      })

      const openOf = Effect.fnUntraced(function* (account: PolicyAccount) {
        const isPartial = account.invoices.some(({ status }) => status === "PARTIALLY_PAID")
        const lastPaidAt = lastPayments(
          isPartial ? yield* payments.ofPolicies([account.policy.head.id]) : []
        )
        const open = (invoice: InvoiceSummary): OpenInvoice => ({
          ...openInvoice(invoice),
          lastPaidAt: lastPaidAt.get(invoice.id)
        })
        return account.invoices.filter(({ type }) => type === "INVOICE").map(open)
      })

      const recorded = Effect.fnUntraced(function* (
        account: PolicyAccount,
        named: InvoiceSummary,
        input: RecordPayment,
        settlement: Settlement,
        paidAt: Instant
      ) {
        const { now } = account.policy
        const payment = paymentOf(ids.next("payment"), named, input, settlement, paidAt, now)
        yield* payments.insert(payment)
        const settlements = settlementsOf(settlement)
        const at = { occurredAt: paidAt, recordedAt: now }
        const payload = { paymentId: payment.id }
        const written: Written<Payment> = {
          after: recordFirstPayment(withSettlements(account, settlements), ids.next).policy,
          entries: settlement.entries.map((entry) =>
            entryRow(entry, payment, payment.id, at, ids.next)
          ),
          happened: [{ kind: "payment.recorded", at: paidAt, payload } satisfies BillingEvent],
          settlements,
          answer: Effect.succeed(payment)
        }
        return { written, payment }
      })

      const collect: PaymentReceipts["Service"]["collect"] = Effect.fn("PaymentReceipts.collect")(
        function* (account, { amount, invoiceId, paidAt, reference }, settleIt) {
          const settlement = settleIt(yield* openOf(account))
          // A debit names invoices of its policy, which are never deleted.
          const named = account.invoices.find(({ id }) => id === invoiceId)!
          const input = { amount, method: "DIRECT_DEBIT", reference } as const
          const made = yield* recorded(account, named, input, settlement, paidAt)
          return { ...made, settlement }
        }
      )

      return PaymentReceipts.of({ receive, collect })
    })
  ).pipe(Layer.provide(PaymentsRepo.layer))
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
