/** A mandate on the account from which a payer pays, as far as planning a debit needs it. */
import type { DebitScheme, MandateStanding } from "../payments/Mandate.ts"
import type { BankAccountId, MandateId, PaymentMethodId } from "../values/Ids.ts"

/** The place of a debit in the life of its mandate, as banks are told. */
export type DebitSequence = "FRST" | "OOFF" | "RCUR"

export interface PayerMandate extends MandateStanding {
  readonly id: MandateId
  readonly paymentMethodId: PaymentMethodId
  readonly bankAccountId: BankAccountId
  readonly scheme: DebitScheme
  /** Whether it was for one debit, which it has had. */
  readonly isSpent: boolean
}
