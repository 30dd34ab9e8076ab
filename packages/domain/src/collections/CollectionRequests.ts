/** What requests about debits say. */
import { Schema } from "effect"
import { PaymentFileStatus } from "./PaymentFile.ts"
import { DebitStatus } from "../payments/DebitLifecycle.ts"
import { BankAccountId, PolicyId } from "../values/Ids.ts"
import { LocalDate } from "../values/LocalDate.ts"

/** Which debits are asked for. */
export const debitFilter = {
  statuses: Schema.optionalKey(Schema.Array(DebitStatus)),
  collectOnFrom: Schema.optionalKey(LocalDate),
  collectOnTo: Schema.optionalKey(LocalDate),
  policyId: Schema.optionalKey(PolicyId),
  bankAccountId: Schema.optionalKey(BankAccountId)
}
const Debits = Schema.Struct(debitFilter)
export type DebitFilter = typeof Debits.Type

/** Which payment files are asked for. */
export const paymentFileFilter = {
  statuses: Schema.optionalKey(Schema.Array(PaymentFileStatus)),
  bankAccountId: Schema.optionalKey(BankAccountId)
}
const PaymentFiles = Schema.Struct(paymentFileFilter)
export type PaymentFileFilter = typeof PaymentFiles.Type

/** Collects a planned debit later. */
export const PostponeDebit = Schema.Struct({ collectOn: LocalDate }).annotate({
  identifier: "PostponeDebit"
})
export type PostponeDebit = typeof PostponeDebit.Type
