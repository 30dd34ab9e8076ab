/** Payouts that are asked for: checked, taken from the balance at once, and approved or not. */
import { forRefund } from "@quittance/billing/billing/Postings"
import { entryRow } from "@quittance/billing/billing/account/InvoiceIssuing"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import { refundable } from "@quittance/billing/payments/Refunds"
import { numberText } from "@quittance/bank/References"
import { approvalReasons } from "@quittance/domain/payouts/Approval"
import { newPayout } from "@quittance/domain/payouts/NewPayout"
import type { RequestPayout } from "@quittance/domain/payouts/PayoutRequests"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import { CurrentCaller, subject } from "@quittance/domain/requests/Caller"
import { localDate } from "@quittance/domain/values/TimeZone"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { PaymentMethodsRepo } from "@quittance/persistence/payments/PaymentMethodsRepo"
import { PaymentNumbersRepo } from "@quittance/persistence/payments/PaymentNumbersRepo"
import { RefundsRepo } from "@quittance/persistence/payments/RefundsRepo"
import { ApprovalsRepo } from "@quittance/persistence/payouts/ApprovalsRepo"
import { PayoutsRepo } from "@quittance/persistence/payouts/PayoutsRepo"
import { TreasuryLedgerRepo } from "@quittance/persistence/treasury/TreasuryLedgerRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Effect, Layer } from "effect"
import { AuthorityLimits } from "../access/AuthorityLimits.ts"
import type { BillingEvent } from "../billing/BillingDecision.ts"
import { PayeeChecks } from "./PayeeChecks.ts"
import { payoutEnds } from "./PayoutEnds.ts"
import { Screening } from "./Screening.ts"

/** Checks the payee of a payout, and says why another person has to agree. */
const judgements = Effect.gen(function* () {
  const { payable, paying } = yield* payoutEnds
  const limits = yield* AuthorityLimits
  const payees = yield* PayeeChecks
  const screening = yield* Screening

  return Effect.fnUntraced(function* ({ balances, policy }: PolicyAccount, input: RequestPayout) {
    const { head, now } = policy
    const { amount, customerId: named, paymentMethodId } = input
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
    return { account, currency, customerId, method, payeeCheck, reasons, screened }
  })
})

/** Decides on a payout that is asked for, under the lock of its policy. */
export const payoutRequests = Effect.gen(function* () {
  const approvals = yield* ApprovalsRepo
  const ids = yield* Ids
  const judge = yield* judgements
  const numbers = yield* PaymentNumbersRepo
  const payouts = yield* PayoutsRepo
  const refunds = yield* RefundsRepo
  const treasury = yield* TreasuryLedgerRepo

  return Effect.fnUntraced(function* (policyAccount: PolicyAccount, input: RequestPayout) {
    const { head, now } = policyAccount.policy
    const judged = yield* judge(policyAccount, input)
    const endToEndId = numberText("PO", yield* numbers.next("PO"))
    const refund = {
      id: ids.next("refund"),
      policyId: head.id,
      customerId: judged.customerId,
      amount: input.amount,
      currency: judged.currency,
      method: "BANK_TRANSFER",
      reference: endToEndId,
      recordedAt: now
    } as const
    const { approval, payout } = newPayout({
      id: ids.next("payout"),
      approvalId: ids.next("approval"),
      kind: input.kind,
      refund,
      bankAccountId: judged.account.id,
      payee: { holderName: judged.method.holderName, paymentMethodId: input.paymentMethodId },
      payeeCheck: judged.payeeCheck,
      screening: judged.screened,
      endToEndId,
      remittance: input.remittance,
      requestedBy: subject(yield* CurrentCaller),
      requestedAt: now,
      reasons: judged.reasons
    })
    yield* refunds.insert(refund)
    yield* treasury.expectOn(refund.id, judged.account.id)
    if (approval !== undefined) yield* approvals.insert(approval)
    yield* payouts.insert(payout)
    const entry = forRefund(refund.customerId, refund.amount, refund.currency)
    const at = { occurredAt: now, recordedAt: now }
    const happened: ReadonlyArray<BillingEvent> = [
      { kind: "payout.requested", at: now, payload: { payoutId: payout.id } },
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
  Screening.layer,
  TreasuryLedgerRepo.layer
)
