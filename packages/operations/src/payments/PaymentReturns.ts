/** A payment that the bank took back: what it settled is owed again, from its first issue date on. */
import { takeBack } from "@quittance/billing/payments/Returns"
import { largestCharge } from "@quittance/domain/billing/Charge"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { Instant } from "@quittance/domain/values/Instant"
import type { InvoiceId } from "@quittance/domain/billing/Invoice"
import { InvalidTransition } from "@quittance/domain/policies/Lifecycle"
import {
  InvalidAmount,
  type Payment,
  type PaymentId,
  PaymentNotFound,
  type PaymentReturn
} from "@quittance/domain/payments/Payment"
import { InvalidEffectiveDate } from "@quittance/domain/policies/Policy"
import type { IdempotencyKeyInUse, IdempotencyKeyReused } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { DocumentsRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { PaymentsRepo } from "@quittance/persistence/payments/PaymentsRepo"
import { Context, Effect, identity, Layer } from "effect"
import { BookCommand } from "../billing/BillingCommand.ts"
import { type Book, withStandings } from "../billing/PolicyAccount.ts"
import { issueCharge, nothingIssued } from "../billing/ChargeInvoices.ts"
import type { CurrentRequest } from "../requests/CurrentRequest.ts"
import { closeGate } from "../billing/FirstPayment.ts"
import { creditedOf, entryRow, type MakeId, openInvoice } from "../billing/InvoiceIssuing.ts"

/** What `POST /payments/{paymentId}/return` takes. */
export interface ReturnPayment {
  /** As the bank gives it. */
  readonly reasonCode: string
  /** What the payer is charged for it, in minor units. */
  readonly fee?: number
  /** When the bank took it back; now where it is absent. */
  readonly returnedAt?: Instant
}

export type ReturnFailure =
  | Forbidden
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | InvalidAmount
  | InvalidEffectiveDate
  | InvalidTransition
  | PaymentNotFound

export class PaymentReturns extends Context.Service<
  PaymentReturns,
  {
    /** Undoes what the payment settled; once. */
    record(
      paymentId: PaymentId,
      input: ReturnPayment
    ): Effect.Effect<Payment, ReturnFailure, CurrentTenant | CurrentCaller | CurrentRequest>
  }
>()("@quittance/operations/PaymentReturns") {
  static readonly layer = Layer.effect(
    PaymentReturns,
    Effect.gen(function* () {
      const command = yield* BookCommand
      const documents = yield* DocumentsRepo
      const ids = yield* Ids
      const payments = yield* PaymentsRepo

      const decide = Effect.fnUntraced(function* (
        book: Book,
        paymentId: PaymentId,
        input: ReturnPayment
      ) {
        const { head, now } = book.policy
        const all = yield* payments.ofPolicies([head.id])
        const payment = all.find(({ id }) => id === paymentId)
        if (payment === undefined) return yield* new PaymentNotFound({ paymentId })
        const returned = yield* returnOf(payment, input, now)
        const lines = yield* documents.linesOf(book.documents.map(({ id }) => id))
        const takenBack = takeBack(
          {
            payerCustomerId: payment.customerId,
            currency: payment.currency,
            allocations: payment.allocations,
            surplus: payment.creditBalance
          },
          {
            invoices: book.documents.filter(({ type }) => type === "INVOICE").map(openInvoice),
            settled: settledBy(all),
            balance: book.balances.get(payment.customerId) ?? 0,
            corrected: creditedOf(lines)
          },
          returned.returnedAt
        )
        const answer: Payment = { ...payment, returned }
        const fee = feeOf(book, answer, takenBack.balanceChange, ids.next)
        const standings = takenBack.updates.map(({ amountPaid, invoiceId, paidAt, status }) => ({
          id: invoiceId,
          status,
          paid: amountPaid,
          paidAt: paidAt ?? null
        }))
        yield* payments.insertReturn(paymentId, returned)
        const at = { occurredAt: returned.returnedAt, recordedAt: returned.recordedAt }
        const own = takenBack.entries.map((entry) =>
          entryRow(entry, payment, payment.id, at, ids.next)
        )
        return {
          after: closeGate(withStandings(book, standings), returned.returnedAt, ids.next).policy,
          issued: fee.issued,
          entries: [...own, ...fee.entries],
          happened: [{ kind: "payment.returned", at: returned.returnedAt, payload: { paymentId } }],
          standings,
          answer: Effect.succeed(answer)
        }
      })

      const record = Effect.fn("PaymentReturns.record")(function* (
        paymentId: PaymentId,
        input: ReturnPayment
      ) {
        return yield* command.run({
          action: "payment.return",
          authorize: payments.authorize("payment.write", paymentId, { lock: true }),
          policyOf: identity,
          decide: (book) => decide(book, paymentId, input)
        })
      })

      return PaymentReturns.of({ record })
    })
  ).pipe(Layer.provide([BookCommand.layer, DocumentsRepo.layer, PaymentsRepo.layer]))
}

/** What the return is recorded as; once, not before the payment, and not from the future. */
const returnOf = Effect.fnUntraced(function* (
  payment: Payment,
  { fee, reasonCode, returnedAt: given }: ReturnPayment,
  now: Instant
) {
  if (payment.returned !== undefined) {
    return yield* new InvalidTransition({ status: "RETURNED", command: "return", allowed: [] })
  }
  if (fee !== undefined && !(fee >= 1 && fee <= largestCharge)) {
    return yield* new InvalidAmount({ field: "fee", minimum: 1, maximum: largestCharge })
  }
  const returnedAt = given ?? now
  if (returnedAt > now || returnedAt < payment.paidAt) {
    return yield* new InvalidEffectiveDate({
      field: "returnedAt",
      earliest: payment.paidAt,
      latest: now
    })
  }
  const returned: PaymentReturn = {
    reasonCode,
    ...(fee === undefined ? {} : { fee }),
    returnedAt,
    recordedAt: now
  }
  return returned
})

/** What the payer is charged for the return: an invoice of its own. */
const feeOf = (book: Book, payment: Payment, balanceChange: number, makeId: MakeId) => {
  const { customerId, returned } = payment
  if (returned?.fee === undefined) return { issued: [], entries: [] }
  const balance = (book.balances.get(customerId) ?? 0) + balanceChange
  const after = { ...book, balances: new Map(book.balances).set(customerId, balance) }
  const charge = {
    id: makeId("charge"),
    componentId: "RETURNED_PAYMENT",
    label: `Returned payment (${returned.reasonCode})`,
    amount: returned.fee,
    customerId
  }
  return issueCharge(nothingIssued(after), charge, makeId)
}

/** What payments that stand have settled of each invoice. */
const settledBy = (payments: ReadonlyArray<Payment>): ReadonlyMap<InvoiceId, number> => {
  const settled = new Map<InvoiceId, number>()
  for (const { allocations, returned } of payments) {
    if (returned !== undefined) continue
    for (const { amount, invoiceId } of allocations) {
      settled.set(invoiceId, (settled.get(invoiceId) ?? 0) + amount)
    }
  }
  return settled
}
