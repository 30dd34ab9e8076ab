/** Double entry: what an invoice, a payment or a use of credit moves between accounts. */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"
import type { CustomerId, PolicyId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"
import type { Id } from "../values/PrefixedId.ts"

/**
 * An account of the tenant's books. The chart is in `docs/billing.md`:
 * `receivable:<customer>`, `balance:<customer>`, `cash`, `premium`, `write_off`, `fee:<fee>`,
 * `fee:<fee>:<firm>`, `tax:<tax>`.
 */
export const Account = Schema.String.check(
  Schema.isPattern(/^(?:cash|premium|write_off|(?:receivable|balance|tax|fee):.+)$/u)
).annotate({ identifier: "Account" })
export type Account = typeof Account.Type

/** A debit is positive, a credit negative. */
export const Posting = Schema.Struct({ account: Account, amount: Money }).annotate({
  identifier: "Posting"
})
export type Posting = typeof Posting.Type

export const EntryKind = Schema.Literals([
  "DOCUMENT",
  "PAYMENT",
  "BALANCE_USED",
  "RETURN",
  "BALANCE_RESTORED",
  "WRITE_OFF",
  "WRITE_OFF_REVERSED",
  "REFUND",
  "REFUND_RETURNED"
])
export type EntryKind = typeof EntryKind.Type

/** Postings that sum to zero, written once and never changed. */
export const Entry = Schema.Struct({
  kind: EntryKind,
  currency: Currency,
  postings: Schema.Array(Posting).check(
    Schema.makeFilter(
      (postings) => postings.reduce((sum, { amount }) => sum + BigInt(amount), 0n) === 0n,
      { message: "Expected postings that sum to zero" }
    )
  )
}).annotate({ identifier: "Entry" })
export type Entry = typeof Entry.Type

/** A posting as the ledger keeps it: an amount for each account, debits positive, in minor units. */
export interface StoredEntry {
  readonly id: Id<"entry">
  readonly policyId: PolicyId
  readonly customerId: CustomerId
  readonly kind: EntryKind
  /** The invoice or payment that it posts. */
  readonly sourceId: string
  readonly occurredAt: Instant
  readonly recordedAt: Instant
  readonly currency: Currency
  readonly accounts: ReadonlyArray<string>
  readonly amounts: ReadonlyArray<number>
}

/** What an account of a policy sums to, exactly: old books may hold more than an amount may be. */
export interface AccountSum {
  readonly policyId: PolicyId
  readonly account: string
  readonly sum: bigint
}
