/** What a payment that is undone leaves owed: decided under the lock of its policy's head. */
import { withSettlements } from "@quittance/billing/billing/account/Settlements"
import type { ReturnPayment } from "@quittance/domain/payments/PaymentRequests"
import { largeAmount } from "@quittance/billing/billing/LedgerRoom"
import { notedOf, returnPayment, type ReturnedPayment } from "@quittance/billing/payments/Returns"
import { repayment } from "@quittance/domain/billing/InvoiceLine"
import { largestCharge } from "@quittance/domain/billing/Charge"
import type { Instant } from "@quittance/domain/values/Instant"
import {
  type Payment,
  PaymentNotFound,
  type PaymentReturn
} from "@quittance/domain/payments/Payment"
import {
  InvalidAmount,
  InvalidEffectiveDate,
  InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import { InvoicesRepo } from "@quittance/persistence/billing/InvoicesRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { PaymentsRepo } from "@quittance/persistence/payments/PaymentsRepo"
import { Context, Effect, Layer } from "effect"
import type { Written } from "../billing/BillingCommand.ts"
import type { BillingEvent } from "../billing/BillingDecision.ts"
import { LedgerRoom } from "../billing/LedgerRoom.ts"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import { issueCharge, nothingIssued } from "@quittance/billing/billing/account/ChargeInvoices"
import { reverseFirstPayment } from "@quittance/billing/billing/account/FirstPayment"
import type { MakeId } from "@quittance/domain/values/PrefixedId"
import {
  creditedOf,
  entryRow,
  type Issued,
  openInvoice
} from "@quittance/billing/billing/account/InvoiceIssuing"
import type { InvoiceId, PaymentId } from "@quittance/domain/values/Ids"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

export type UndoFailure = InvalidAmount | InvalidEffectiveDate | InvalidTransition | PaymentNotFound

/** A payment that is undone. */
export interface UndonePayment extends ReturnPayment {
  /** Whether its payer says that they never agreed to it. */
  readonly isDisputed?: boolean
}

export class ReturnDecisions extends Context.Service<
  ReturnDecisions,
  {
    /** Records that a payment is undone; what the policy's book gets is for the caller to write. */
    undo(
      account: PolicyAccount,
      paymentId: PaymentId,
      input: UndonePayment
    ): Effect.Effect<Written<Payment>, UndoFailure, CurrentTenant>
  }
>()("@quittance/operations/ReturnDecisions") {
  static readonly layer = Layer.effect(
    ReturnDecisions,
    Effect.gen(function* () {
      const invoices = yield* InvoicesRepo
      const ids = yield* Ids
      const payments = yield* PaymentsRepo
      const room = yield* LedgerRoom

      const undo = Effect.fn("ReturnDecisions.undo")(function* (
        account: PolicyAccount,
        paymentId: PaymentId,
        input: UndonePayment
      ) {
        const { head, now } = account.policy
        const all = yield* payments.ofPolicies([head.id])
        const payment = all.find(({ id }) => id === paymentId)
        if (payment === undefined) return yield* new PaymentNotFound({ paymentId })
        const returned = yield* returnOf(payment, input, now)
        const lines = yield* invoices.linesOf(account.invoices.map(({ id }) => id))
        const effects = returnPayment(
          {
            payerCustomerId: payment.customerId,
            currency: payment.currency,
            allocations: payment.allocations,
            surplus: payment.creditBalance,
            isDisputed: input.isDisputed === true
          },
          {
            invoices: account.invoices.filter(({ type }) => type === "INVOICE").map(openInvoice),
            settled: settledBy(all),
            balance: account.balances.get(payment.customerId) ?? 0,
            corrected: creditedOf(lines),
            noted: notedOf(
              account.invoices.map(({ id, total }) => ({ total, lines: lines.get(id) ?? [] }))
            )
          },
          returned.returnedAt
        )
        const answer: Payment = { ...payment, returned }
        const charged = chargedFor(account, answer, effects, ids.next)
        const settlements = effects.updates.map(({ amountPaid, invoiceId, paidAt, status }) => ({
          id: invoiceId,
          status,
          paid: amountPaid,
          paidAt: paidAt ?? null
        }))
        const at = { occurredAt: returned.returnedAt, recordedAt: returned.recordedAt }
        const own = effects.entries.map((entry) =>
          entryRow(entry, payment, payment.id, at, ids.next)
        )
        const entries = [...own, ...charged.entries]
        const lacking = yield* room.lacking([{ policyId: head.id, entries }])
        if (lacking.size > 0) {
          return yield* new InvalidAmount({ field: "amount", minimum: 1, maximum: largeAmount - 1 })
        }
        yield* payments.insertReturn(paymentId, returned)
        return {
          after: reverseFirstPayment(
            withSettlements(account, settlements),
            returned.returnedAt,
            ids.next
          ).policy,
          issued: charged.issued,
          entries,
          happened: [
            {
              kind: "payment.returned",
              at: returned.returnedAt,
              payload: { paymentId }
            } satisfies BillingEvent
          ],
          settlements,
          answer: Effect.succeed(answer)
        }
      })

      return ReturnDecisions.of({ undo })
    })
  ).pipe(Layer.provide([InvoicesRepo.layer, LedgerRoom.layer, PaymentsRepo.layer]))
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

/**
 * What the payer is asked for beside the invoices that are owed again, each by an invoice of its own: what
 * was paid back to them of the money, and what the return costs.
 */
const chargedFor = (
  account: PolicyAccount,
  { customerId, returned }: Payment,
  { balanceChange, toRepay }: ReturnedPayment,
  makeId: MakeId
): Issued => {
  const balance = (account.balances.get(customerId) ?? 0) + balanceChange
  const nothing = nothingIssued({
    ...account,
    balances: new Map(account.balances).set(customerId, balance)
  })
  const charges = [
    { componentId: repayment, label: "Refund of a returned payment", amount: toRepay },
    {
      componentId: "RETURNED_PAYMENT",
      label: `Returned payment (${returned?.reasonCode})`,
      amount: returned?.fee ?? 0
    }
  ]
  return charges
    .filter(({ amount }) => amount > 0)
    .reduce(
      (sofar, charge) =>
        issueCharge(sofar, { ...charge, id: makeId("charge"), customerId }, makeId),
      nothing
    )
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
