/** What a debit tells of its mandate: its place in the sequence, and what has changed since the last one. */
import type { DebitSequence } from "@quittance/domain/collections/PayerMandate"
import type { BankProfile } from "@quittance/domain/payments/BankAccount"
import type { MandateType } from "@quittance/domain/payments/Mandate"
import type { MandateAmendment } from "@quittance/domain/payments/MandateRecord"

/**
 * `OOFF` of a mandate for one debit; else `RCUR`. Where the bank still wants `FRST`, that is told until a debit
 * of the mandate was not rejected before its settlement.
 */
export const sequenceOf = (
  type: MandateType,
  profile: BankProfile["sequence"],
  wasCollected: boolean
): DebitSequence => {
  if (type === "ONE_OFF") return "OOFF"
  return profile === "FRST_RCUR" && !wasCollected ? "FRST" : "RCUR"
}

/** Amendments once a debit carries those that no bank was told of. */
export const amendmentsSent = (
  amendments: ReadonlyArray<MandateAmendment>
): ReadonlyArray<MandateAmendment> => moved(amendments, "PENDING", "SENT")

/** Amendments once the debit that carried them was rejected: the next one carries them again. */
export const amendmentsRejected = (
  amendments: ReadonlyArray<MandateAmendment>
): ReadonlyArray<MandateAmendment> => moved(amendments, "SENT", "PENDING")

/** Amendments once the debit that carried them has settled: the debtor's bank knows. */
export const amendmentsDone = (
  amendments: ReadonlyArray<MandateAmendment>
): ReadonlyArray<MandateAmendment> => moved(amendments, "SENT", "DONE")

type Status = MandateAmendment["status"]

const moved = (
  amendments: ReadonlyArray<MandateAmendment>,
  from: Status,
  to: Status
): ReadonlyArray<MandateAmendment> =>
  amendments.map((one) => (one.status === from ? { ...one, status: to } : one))
