/** A bank refuses a debit or takes it back: once, and what follows from its reason. */
import { settledAt } from "@quittance/bank/DebitDays"
import { type DebitFailure, failureOf } from "@quittance/billing/collections/DebitFailures"
import { freed } from "@quittance/billing/collections/DebitReversal"
import { amendmentsRejected } from "@quittance/billing/collections/DebitSequence"
import type { PolicyAccount } from "@quittance/billing/billing/account/PolicyAccount"
import type { InvoiceCollection } from "@quittance/domain/billing/InvoiceCollection"
import type { Debit, DebitId } from "@quittance/domain/collections/Debit"
import type { BankAccountSettings } from "@quittance/domain/payments/BankAccount"
import { refusalOf } from "@quittance/domain/payments/DebitLifecycle"
import { blockedBy, type StoredMandate } from "@quittance/domain/payments/MandateRecord"
import type { Payment } from "@quittance/domain/payments/Payment"
import { isSuccess } from "@quittance/domain/payments/ReturnReason"
import { baseState } from "@quittance/domain/policies/aggregate/BaseTimeline"
import type { DirectDebitTerms } from "@quittance/domain/products/payments/ProductPayments"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { type Instant, max, min } from "@quittance/domain/values/Instant"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import { localDate, startOfDay } from "@quittance/domain/values/TimeZone"
import { DebitsRepo } from "@quittance/persistence/collections/DebitsRepo"
import { BankAccountsRepo } from "@quittance/persistence/payments/BankAccountsRepo"
import { MandatesRepo } from "@quittance/persistence/payments/MandatesRepo"
import { PaymentsRepo } from "@quittance/persistence/payments/PaymentsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { BillingCommand, type Written } from "../billing/BillingCommand.ts"
import { MandateEnds } from "../payments/MandateEnds.ts"
import { ReturnDecisions } from "../payments/ReturnDecisions.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { worker } from "./DebitFilling.ts"
import { DebitSettling } from "./DebitSettling.ts"
import { Retries } from "./Retries.ts"

/** That a bank does not collect a debit, or has given its money back. */
export interface Refusal {
  readonly debitId: DebitId
  /** As the bank gives it; absent where it gives none. */
  readonly reasonCode: string | undefined
  /** The day of its statement; absent: now. */
  readonly on: LocalDate | undefined
}

/** A refused debit whose policy, mandate and row are locked. */
interface Refused {
  readonly debit: Debit
  readonly mandate: StoredMandate
  readonly bank: BankAccountSettings
  readonly now: Instant
  /** As the bank gives it. */
  readonly reasonCode: string | undefined
  /** The same, or what stands for none: a code that no bank has, of no known class. */
  readonly code: string
  readonly failedOn: LocalDate
  /** When its money went back. */
  readonly failedAt: Instant
}

const noReason = "NONE"

/** Of a product that no longer says how debits are tried again. */
const notAgain = { maxAttempts: 1, afterDays: 1 }

export class DebitRefusing extends Context.Service<
  DebitRefusing,
  {
    /**
     * Rejects a debit, or undoes its payment where it has settled, within a transaction. Which message tells it and
     * how late makes no difference, and a second one does nothing. It locks its head, and so comes first.
     */
    refuse(refusal: Refusal): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/DebitRefusing") {
  static readonly layer = Layer.effect(
    DebitRefusing,
    Effect.gen(function* () {
      const accounts = yield* BankAccountsRepo
      const audit = yield* AuditTrail
      const command = yield* BillingCommand
      const debits = yield* DebitsRepo
      const ends = yield* MandateEnds
      const mandates = yield* MandatesRepo
      const payments = yield* PaymentsRepo
      const policies = yield* PoliciesRepo
      const retries = yield* Retries
      const returns = yield* ReturnDecisions
      const settling = yield* DebitSettling

      /** Locks it with its policy and its mandate. One whose day has begun has settled, however late that is seen. */
      const hold = Effect.fnUntraced(function* (id: DebitId) {
        const { bankAccountId, mandateId, policyId } = yield* debits.find(id)
        const { now } = yield* policies.hold(policyId)
        const { settings: bank } = yield* accounts.find(bankAccountId)
        const { collectOn, status } = yield* debits.find(id)
        if (status === "SUBMITTED" && settledAt(collectOn, bank) <= now) yield* settling.settle(id)
        const held = yield* policies.hold(policyId)
        const { mandate } = yield* mandates.hold(mandateId)
        return { held, mandate, bank, debit: yield* debits.hold(id) }
      })

      /** What its payment leaves owed; nothing where people have recorded the return already. */
      const undone = Effect.fnUntraced(function* (
        account: PolicyAccount,
        { code, debit, failedAt }: Refused,
        { invoiceStatus, isOurs }: DebitFailure,
        terms: DirectDebitTerms | undefined
      ): Effect.fn.Return<Partial<Written<Payment>>, never, CurrentTenant> {
        const [payment] = yield* payments.findMany([debit.paymentId!])
        if (payment!.returned !== undefined) return {}
        // The payer does not pay for what is ours to mend.
        const fee = isOurs ? undefined : terms?.returnFee
        return yield* Effect.orDie(
          returns.undo(account, payment!.id, {
            reasonCode: code,
            returnedAt: max(payment!.paidAt, failedAt),
            isDisputed: invoiceStatus === "PAYMENT_DISPUTED",
            ...(fee === undefined ? {} : { fee })
          })
        )
      })

      /** What its bank has not learnt is told again; a reason may end the mandate, and what is planned on it. */
      const judged = Effect.fnUntraced(function* (
        { bank, code, mandate, now }: Refused,
        { blocksMandate, step }: DebitFailure
      ) {
        const told =
          step === "reject"
            ? { ...mandate, amendments: amendmentsRejected(mandate.amendments) }
            : mandate
        const today = localDate(now, bank.timeZone)
        const after = blocksMandate ? blockedBy(told, { reasonCode: code, at: now }, today) : told
        if (after !== mandate) yield* mandates.update(after)
        if (after === told) return
        const { id: recordId } = mandate
        yield* audit.recordAll(worker, [
          { action: "mandate.block", recordId, before: mandate, after, businessAt: now }
        ])
        yield* ends.ended(recordId, worker)
      })

      /** What is written of the debit, and of all that hangs on it. */
      const followed = Effect.fnUntraced(function* (
        refused: Refused,
        failure: DebitFailure,
        terms: DirectDebitTerms | undefined
      ) {
        const { bank, debit, failedOn, now, reasonCode } = refused
        const after: Debit = {
          ...debit,
          status: failure.step === "reject" ? "REJECTED" : "RETURNED",
          failedOn,
          ...(reasonCode === undefined ? {} : { reasonCode })
        }
        yield* debits.update(after)
        yield* judged(refused, failure)
        const instead = insteadOf(failure)
        if (instead !== undefined) yield* debits.setCollection(debit, instead)
        if (failure.retryFrom === undefined || terms === undefined) return
        yield* retries.plan({ debit: after, from: failure.retryFrom, terms, bank, now })
      })

      const decide = Effect.fnUntraced(function* (account: PolicyAccount, refused: Refused) {
        const { code, debit, failedAt, failedOn } = refused
        const terms = account.policy.productOf(baseState(account.policy)).payments?.directDebit
        // Whether it can still fail was looked at under the same locks.
        const failure = failureOf(debit, code, failedOn, terms?.retry ?? notAgain)!
        const written =
          failure.step === "return"
            ? yield* undone(account, refused, failure, terms)
            : { settlements: freed(debit.items, account.invoices, failure.invoiceStatus) }
        return {
          ...written,
          happened: [
            ...(written.happened ?? []),
            { kind: eventOf[failure.step], at: failedAt, payload: { debitId: debit.id } }
          ],
          beside: followed(refused, failure, terms),
          answer: Effect.void
        }
      })

      const refuse = Effect.fn("DebitRefusing.refuse")(function* (refusal: Refusal) {
        const { debitId, on, reasonCode } = refusal
        const code = reasonCode ?? noReason
        if (isSuccess(code)) return
        const { held, ...found } = yield* hold(debitId)
        const step = refusalOf(found.debit.status)
        if (step === undefined) return
        const { now } = held
        const { timeZone } = found.bank
        const failedAt = on === undefined ? now : min(now, startOfDay(on, timeZone))
        const failedOn = on ?? localDate(now, timeZone)
        const refused: Refused = { ...found, now, reasonCode, code, failedOn, failedAt }
        yield* command.write({ ...held, action: eventOf[step], actor: worker }, (account) =>
          decide(account, refused)
        )
      })

      return DebitRefusing.of({ refuse })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      BankAccountsRepo.layer,
      BillingCommand.layer,
      DebitsRepo.layer,
      DebitSettling.layer,
      MandatesRepo.layer,
      PaymentsRepo.layer,
      PoliciesRepo.layer,
      Retries.layer,
      ReturnDecisions.layer
    ])
  )
}

const eventOf = { reject: "debit.rejected", return: "debit.returned" } as const

/** How its invoices are to be paid instead; absent where it is collected again, or ours to mend. */
const insteadOf = ({
  blocksMandate,
  isOurs,
  retryFrom
}: DebitFailure): InvoiceCollection | undefined => {
  if (blocksMandate) return { mode: "BANK_TRANSFER", because: "MANDATE_NOT_USABLE" }
  return isOurs || retryFrom !== undefined ? undefined : { mode: "BANK_TRANSFER" }
}
