/** Identifiers of records, one brand for each kind. */
import * as PrefixedId from "./PrefixedId.ts"
import { Schema } from "effect"

export const CustomerId = PrefixedId.schema("customer")

export type CustomerId = typeof CustomerId.Type

export const PaymentMethodId = PrefixedId.schema("payment_method")

export type PaymentMethodId = typeof PaymentMethodId.Type

export const MandateId = PrefixedId.schema("mandate")

export type MandateId = typeof MandateId.Type

export const BankAccountId = PrefixedId.schema("bank_account")

export type BankAccountId = typeof BankAccountId.Type

export const BankStatementId = PrefixedId.schema("bank_statement")

export type BankStatementId = typeof BankStatementId.Type

export const BankEntryId = PrefixedId.schema("bank_entry")

export type BankEntryId = typeof BankEntryId.Type

export const BankTransferId = PrefixedId.schema("bank_transfer")

export type BankTransferId = typeof BankTransferId.Type

export const AssetId = PrefixedId.schema("asset")

export type AssetId = typeof AssetId.Type

export const PolicyId = PrefixedId.schema("policy")

export type PolicyId = typeof PolicyId.Type

export const BranchId = PrefixedId.schema("branch")

export type BranchId = typeof BranchId.Type

export const BrokerageFirmId = PrefixedId.schema("brokerage_firm")

export type BrokerageFirmId = typeof BrokerageFirmId.Type

export const QuoteId = PrefixedId.schema("quote")

export type QuoteId = typeof QuoteId.Type

export const SignatureId = PrefixedId.schema("signature")

export type SignatureId = typeof SignatureId.Type

export const SignerId = PrefixedId.schema("signer")

export type SignerId = typeof SignerId.Type

export const InvoiceId = PrefixedId.schema("invoice")

export type InvoiceId = typeof InvoiceId.Type

export const CreditNoteId = PrefixedId.schema("credit_note")

export type CreditNoteId = typeof CreditNoteId.Type

/** An invoice or a credit note. */
export const AnyInvoiceId = Schema.Union([InvoiceId, CreditNoteId])

export type AnyInvoiceId = typeof AnyInvoiceId.Type

export const FormalNoticeId = PrefixedId.schema("formal_notice")

export type FormalNoticeId = typeof FormalNoticeId.Type

export const HoldId = PrefixedId.schema("hold")

export type HoldId = typeof HoldId.Type

export const ChargeId = PrefixedId.schema("charge")

export type ChargeId = typeof ChargeId.Type

export const ChangeId = PrefixedId.schema("change")

export type ChangeId = typeof ChangeId.Type

export const PaymentId = PrefixedId.schema("payment")

export type PaymentId = typeof PaymentId.Type

export const WebhookId = PrefixedId.schema("webhook")

export type WebhookId = typeof WebhookId.Type

export const ReplayId = PrefixedId.schema("replay")

export type ReplayId = typeof ReplayId.Type

/**
 * Why an invoice was made: empty on the grid, the first payment, or the change whose merge, stop or
 * revert made what was invoiced wrong, or what was done beside it: the invoice credited, the charge, the
 * formal notice that costs something.
 */
export const InvoiceCause = Schema.Union([
  Schema.Literals(["", "FIRST_PAYMENT"]),
  ChangeId,
  ChargeId,
  FormalNoticeId,
  InvoiceId
])

export type InvoiceCause = typeof InvoiceCause.Type
