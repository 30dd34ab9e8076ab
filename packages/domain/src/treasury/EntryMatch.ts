/** By which rule, or by whom, an entry of a statement was matched, and what rules know of invoices. */
import { Schema } from "effect"
import type { Currency } from "../values/Amount.ts"
import type { CustomerId, InvoiceId, PaymentId, PolicyId } from "../values/Ids.ts"
import type { LocalDate } from "../values/LocalDate.ts"

/**
 * `OWN_DEBIT`, `OWN_FILE`, `OWN_PAYOUT`: a number of ours; `RECORDED`: a payment that people had recorded;
 * `BANK_CHARGE`: the bank's own; `REFERENCE`, `INVOICE_NUMBER`: what the payer wrote; `ACCOUNT_AND_AMOUNT`: who
 * paid and how much; `BY_HAND`: people.
 */
export const MatchRule = Schema.Literals([
  "OWN_DEBIT",
  "OWN_FILE",
  "OWN_PAYOUT",
  "RECORDED",
  "BANK_CHARGE",
  "REFERENCE",
  "INVOICE_NUMBER",
  "ACCOUNT_AND_AMOUNT",
  "BY_HAND"
]).annotate({ identifier: "MatchRule" })
export type MatchRule = typeof MatchRule.Type

/** Why an invoice is suggested for an entry. */
export const SuggestionReason = Schema.Literals([
  "REFERENCE",
  "INVOICE_NUMBER",
  "ACCOUNT",
  "EXACT_AMOUNT",
  "ALL_OWED",
  "NAME"
]).annotate({ identifier: "SuggestionReason" })
export type SuggestionReason = typeof SuggestionReason.Type

/** An invoice that an entry may be for. */
export interface PayableInvoice {
  readonly invoiceId: InvoiceId
  readonly policyId: PolicyId
  readonly customerId: CustomerId
  /** Without its hyphen: `INV000042`. */
  readonly number: string
  readonly currency: Currency
  /** What it still asks for, in minor units. */
  readonly due: number
  readonly isWrittenOff: boolean
  /** A payment that people have recorded on it, which no statement has shown yet. */
  readonly recorded: ReadonlyArray<RecordedPayment>
}

export interface RecordedPayment {
  readonly paymentId: PaymentId
  readonly amount: number
  readonly paidOn: LocalDate
}

/** Whose an account is. */
export interface AccountOwners {
  readonly customerIds: ReadonlyArray<CustomerId>
  /** Of all policies of the customer; none where the account has several customers. */
  readonly open: ReadonlyArray<PayableInvoice>
}
