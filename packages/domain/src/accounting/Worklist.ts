/** What people have to do about money: found in one place, each with the command that does it. */
import { Schema } from "effect"
import { Currency } from "../values/Amount.ts"
import { CustomerId, PolicyId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { Page } from "../values/Page.ts"

/**
 * `NOTICE_TO_SEND`: a formal notice that may go, and that no hold keeps back. `BALANCE_TO_PAY_BACK`: a credit
 * balance. `PARKED_POLICY`: a policy or an offer that the worker has put aside. `SMALL_BALANCE`: an invoice of
 * which no more is left than the product's `dunning.tolerance`. `DEBIT_TO_ANNOUNCE`: a debit whose payer no letter
 * reaches; it is not collected before people tell them.
 */
export const worklistKinds = [
  "NOTICE_TO_SEND",
  "BALANCE_TO_PAY_BACK",
  "PARKED_POLICY",
  "SMALL_BALANCE",
  "DEBIT_TO_ANNOUNCE"
] as const
export const WorklistKind = Schema.Literals(worklistKinds)
export type WorklistKind = typeof WorklistKind.Type

/** One thing to do, as it is found. */
export const WorklistTask = Schema.Struct({
  kind: WorklistKind,
  policyId: PolicyId,
  /** The customer who owes or is owed; absent where the task is about no money of one customer. */
  customerId: Schema.optionalKey(CustomerId),
  /** The notice, the offer, the invoice or the debit that it is about; absent where it is about the policy. */
  recordId: Schema.optionalKey(Schema.String),
  /** In minor units: what is to be paid back, is left of the invoice, or is debited. */
  amount: Schema.optionalKey(Schema.Int),
  currency: Schema.optionalKey(Currency),
  /** Since when it can be done. */
  since: Instant,
  /** By when the law wants it done, as a local day of the product. */
  dueOn: Schema.optionalKey(LocalDate),
  reason: Schema.optionalKey(Schema.String),
  /** Whether the caller may do it on this policy. */
  permitted: Schema.Boolean
})
export type WorklistTask = typeof WorklistTask.Type

/** The request that does a task, and the permission that it needs on the policy. */
export const WorklistCommand = Schema.Struct({
  method: Schema.Literal("POST"),
  path: Schema.String,
  action: Schema.Literals(["billing.write", "payment.write", "collection.write"])
}).annotate({ identifier: "WorklistCommand" })
type WorklistCommand = typeof WorklistCommand.Type

export const WorklistItem = Schema.Struct({
  ...WorklistTask.fields,
  command: WorklistCommand
}).annotate({ identifier: "WorklistItem" })
export type WorklistItem = typeof WorklistItem.Type

/** How many tasks of each kind the caller may see, whichever kinds the page is of. */
export const WorklistCounts = Schema.Struct({
  NOTICE_TO_SEND: Schema.Int,
  BALANCE_TO_PAY_BACK: Schema.Int,
  PARKED_POLICY: Schema.Int,
  SMALL_BALANCE: Schema.Int,
  DEBIT_TO_ANNOUNCE: Schema.Int
}).annotate({ identifier: "WorklistCounts" })
export type WorklistCounts = typeof WorklistCounts.Type

export const Worklist = Schema.Struct({
  ...Page(WorklistItem).fields,
  counts: WorklistCounts
}).annotate({ identifier: "Worklist" })
export type Worklist = typeof Worklist.Type

/** Which permission a task of the kind needs. */
export const actionOf = (kind: WorklistKind): WorklistCommand["action"] => {
  if (kind === "BALANCE_TO_PAY_BACK") return "payment.write"
  return kind === "DEBIT_TO_ANNOUNCE" ? "collection.write" : "billing.write"
}

/** The task with the request that does it. */
export const withCommand = (task: WorklistTask): WorklistItem => ({
  ...task,
  command: { method: "POST", path: pathOf(task), action: actionOf(task.kind) }
})

const pathOf = ({ kind, policyId, recordId }: WorklistTask): string => {
  switch (kind) {
    case "NOTICE_TO_SEND":
      return `/billing/policies/${policyId}/formal-notices`
    case "BALANCE_TO_PAY_BACK":
      return `/payments/policies/${policyId}/refunds`
    case "PARKED_POLICY":
      return `/billing/parked/${policyId}/retry`
    case "SMALL_BALANCE":
      return `/billing/invoices/${recordId!}/write-off`
    case "DEBIT_TO_ANNOUNCE":
      return `/debits/${recordId!}/notification`
  }
}
