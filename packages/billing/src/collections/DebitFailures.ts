/** What follows when a bank says that a debit failed: for the debit, its invoices, its mandate, and a retry. */
import { type DebitStatus, refusalOf } from "@quittance/domain/payments/DebitLifecycle"
import {
  isDispute,
  isSuccess,
  type ReasonClass,
  reasonClassOf
} from "@quittance/domain/payments/ReturnReason"
import {
  addDays,
  addMonths,
  daysBetween,
  type LocalDate,
  monthLength,
  toCivil
} from "@quittance/domain/values/LocalDate"

/** When money that was lacking is tried again. */
export interface DebitRetry {
  /** How often it is tried in all, the first time included. */
  readonly maxAttempts: number
  /** So many days after the failure. */
  readonly afterDays: number
  /** The day of a month on which the payer has money; in a shorter month its last one. */
  readonly payDay?: number | undefined
}

/** A debit as far as a bank's refusal concerns it. */
export interface RefusedDebit {
  readonly status: DebitStatus
  /** From 1: how often its money was tried, itself included. */
  readonly attempt: number
}

export interface DebitFailure {
  /** Before its settlement it was rejected, and no entry was made; after it, it is returned. */
  readonly step: "reject" | "return"
  readonly reasonClass: ReasonClass
  /** What its invoices become where they are owed. */
  readonly invoiceStatus: "PAYMENT_DISPUTED" | "PAYMENT_FAILED"
  /** Whether nothing more may be collected by its mandate: other planned debits of it go, too. */
  readonly blocksMandate: boolean
  /** The first day on which it is collected once more; `undefined` where the payer is to transfer. */
  readonly retryFrom: LocalDate | undefined
  /** Whether people have to mend what was sent; the payer then hears nothing. */
  readonly isOurs: boolean
}

/**
 * `undefined` where a message changes nothing: the debit has failed already, or the code says that nothing
 * went wrong. A late code counts as well: what a bank says has happened.
 *
 * @param failedOn the local day of the bank's message, at the account
 */
export const failureOf = (
  debit: RefusedDebit,
  reasonCode: string,
  failedOn: LocalDate,
  retry: DebitRetry
): DebitFailure | undefined => {
  const step = isSuccess(reasonCode) ? undefined : refusalOf(debit.status)
  if (step === undefined) return undefined
  const reasonClass = reasonClassOf(reasonCode)
  return {
    step,
    reasonClass,
    invoiceStatus: isDispute(reasonCode) ? "PAYMENT_DISPUTED" : "PAYMENT_FAILED",
    blocksMandate: reasonClass === "BLOCK",
    retryFrom:
      reasonClass === "RETRY" && debit.attempt < retry.maxAttempts
        ? retryFrom(failedOn, retry)
        : undefined,
    isOurs: reasonClass === "FILE"
  }
}

/** `afterDays` later, or on the next day of the month on which the payer has money. */
const retryFrom = (failedOn: LocalDate, { afterDays, payDay }: DebitRetry): LocalDate => {
  if (payDay === undefined) return addDays(failedOn, afterDays)
  const first = addDays(failedOn, 1 - toCivil(failedOn).day)
  const inMonth = (month: LocalDate): LocalDate => {
    const { month: number, year } = toCivil(month)
    return addDays(month, Math.min(payDay, monthLength(year, number)) - 1)
  }
  const here = inMonth(first)
  return daysBetween(failedOn, here) > 0 ? here : inMonth(addMonths(first, 1))
}
