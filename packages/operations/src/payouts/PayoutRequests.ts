/** Payouts that are asked for: checked, taken from the balance at once, and approved or not. */
import { forRefund } from "@quittance/billing/billing/Postings"
import { entryRow } from "@quittance/billing/billing/account/InvoiceIssuing"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import { refundable } from "@quittance/billing/payments/Refunds"
import { numberText } from "@quittance/bank/References"
import { InvalidPaymentMethod } from "@quittance/domain/customers/InvalidPaymentMethod"
import { accountFor } from "@quittance/domain/payments/BankAccount"
import { type Approval, approvalReasons } from "@quittance/domain/payouts/Approval"
import type { Payout } from "@quittance/domain/payouts/Payout"
import type { RequestPayout } from "@quittance/domain/payouts/PayoutRequests"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import { CurrentCaller, subject } from "@quittance/domain/requests/Caller"
import { InvalidReference } from "@quittance/domain/requests/RequestErrors"
import type { Currency } from "@quittance/domain/values/Amount"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PaymentMethodId } from "@quittance/domain/values/Ids"
import { localDate } from "@quittance/domain/values/TimeZone"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { PaymentMethodsRepo } from "@quittance/persistence/payments/PaymentMethodsRepo"
import { PaymentNumbersRepo } from "@quittance/persistence/payments/PaymentNumbersRepo"
import { RefundsRepo } from "@quittance/persistence/payments/RefundsRepo"
import { ApprovalsRepo } from "@quittance/persistence/payouts/ApprovalsRepo"
import { PayoutsRepo } from "@quittance/persistence/payouts/PayoutsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Effect, Layer } from "effect"
import { AuthorityLimits } from "../access/AuthorityLimits.ts"
import type { BillingEvent } from "../billing/BillingDecision.ts"
import { PayeeChecks } from "./PayeeChecks.ts"
import { Screening } from "./Screening.ts"

/** Decides on a payout that is asked for, under the lock of its policy. */
export const payoutRequests = Effect.gen(function* () {
  const accounts = yield* BankAccountsRepo
  const approvals = yield* ApprovalsRepo
  const ids = yield* Ids
  const limits = yield* AuthorityLimits
  const methods = yield* PaymentMethodsRepo
  const numbers = yield* PaymentNumbersRepo
  const payees = yield* PayeeChecks
  const payouts = yield* PayoutsRepo
  const refunds = yield* RefundsRepo
  const screening = yield* Screening

  /** The account that pays out for a product. */
  const paying = Effect.fnUntraced(function* (productId: string, currency: Currency, now: Instant) {
    const serving = (yield* accounts.all).map((account) => ({
      id: account.id,
      name: account.name,
      ...account.settings
    }))
    const account = accountFor(serving, "PAY_OUT", productId, now)
    if (account === undefined || account.currency !== currency || currency !== "EUR") {
      const expected = "a product for which an account of the tenant pays out EUR"
      return yield* new InvalidReference({ field: "productId", value: productId, expected })
    }
    return account
  })

  /** A payment method that the caller may see and that can be paid to. */
  const payable = Effect.fnUntraced(function* (id: PaymentMethodId) {
    const refused = new InvalidPaymentMethod({ reason: "NOT_THEIRS" })
    const method = yield* Effect.mapError(
      methods.authorize("payment_method.read", id),
      () => refused
    )
    return method.status === "ACTIVE" ? method : yield* refused
  })

  return Effect.fnUntraced(function* ({ balances, policy }: PolicyAccount, input: RequestPayout) {
    const { head, now } = policy
    const { amount, customerId: named, paymentMethodId, remittance } = input
    const customerId = yield* Effect.fromResult(refundable(balances, amount, named))
    const { currency } = policy.productOf(baseState(policy))
    const account = yield* paying(head.productId, currency, now)
    const method = yield* payable(paymentMethodId)
    const payeeCheck = yield* payees.of(method, { now, timeZone: account.timeZone })
    const screened = yield* screening.screen(method.holderName, now)
    const limited = { action: "payout.request", kind: "payout", currency } as const
    const reasons = approvalReasons({
      amount,
      limit: yield* limits.on(head.id, limited),
      method: {
        isTheirs: method.customerId === customerId,
        addedOn: localDate(method.createdAt, account.timeZone)
      },
      payee: payeeCheck.result,
      screening: screened.result,
      today: localDate(now, account.timeZone)
    })
    const endToEndId = numberText("PO", yield* numbers.next("PO"))
    const refund = {
      id: ids.next("refund"),
      policyId: head.id,
      customerId,
      amount,
      currency,
      method: "BANK_TRANSFER",
      reference: endToEndId,
      recordedAt: now
    } as const
    const requested = { requestedBy: subject(yield* CurrentCaller), requestedAt: now }
    const id = ids.next("payout")
    const approval: Approval = {
      id: ids.next("approval"),
      kind: "PAYOUT",
      recordId: id,
      policyId: head.id,
      amount,
      currency,
      reasons,
      ...requested,
      status: "PENDING"
    }
    const payout: Payout = {
      id,
      kind: input.kind,
      policyId: head.id,
      customerId,
      refundId: refund.id,
      bankAccountId: account.id,
      payee: { name: method.holderName, paymentMethodId },
      amount,
      currency,
      status: reasons.length === 0 ? "APPROVED" : "AWAITING_APPROVAL",
      endToEndId,
      remittance: remittance ?? endToEndId,
      ...requested,
      payeeCheck,
      screening: screened,
      ...(reasons.length === 0 ? {} : { approvalId: approval.id })
    }
    yield* refunds.insert(refund)
    if (reasons.length > 0) yield* approvals.insert(approval)
    yield* payouts.insert(payout)
    const entry = forRefund(customerId, amount, currency)
    const at = { occurredAt: now, recordedAt: now }
    const happened: ReadonlyArray<BillingEvent> = [
      { kind: "payout.requested", at: now, payload: { payoutId: id } },
      { kind: "payment.refunded", at: now, payload: { refundId: refund.id } }
    ]
    return {
      entries: [entryRow(entry, refund, refund.id, at, ids.next)],
      happened,
      answer: Effect.succeed(payout)
    }
  })
})

export const layer = Layer.mergeAll(
  ApprovalsRepo.layer,
  AuthorityLimits.layer,
  BankAccountsRepo.layer,
  PayeeChecks.layer,
  PaymentMethodsRepo.layer,
  PaymentNumbersRepo.layer,
  PayoutsRepo.layer,
  RefundsRepo.layer,
  Screening.layer
)
