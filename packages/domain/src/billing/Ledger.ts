/** The books of one policy, as the wire shows them. */
import { Schema } from "effect"
import { Money } from "../values/Amount.ts"
import { Account, Entry } from "./Entry.ts"
import { Instant } from "../values/Instant.ts"
import { Page } from "../values/Page.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { CustomerId } from "../values/Ids.ts"

/** An entry with what it posts: whom it concerns, and the invoice, payment or refund behind it. */
export const LedgerEntry = Schema.Struct({
  id: PrefixedId.schema("entry"),
  ...Entry.fields,
  customerId: CustomerId,
  sourceId: Schema.String,
  occurredAt: Instant,
  recordedAt: Instant
}).annotate({ identifier: "LedgerEntry" })
export type LedgerEntry = typeof LedgerEntry.Type

/** What an account of the policy sums to: debits positive, in minor units. */
export const AccountBalance = Schema.Struct({ account: Account, balance: Money }).annotate({
  identifier: "AccountBalance"
})
export type AccountBalance = typeof AccountBalance.Type

/** A page of entries, the newest first, and the balances of all. */
export const Ledger = Schema.Struct({
  ...Page(LedgerEntry).fields,
  balances: Schema.Array(AccountBalance)
}).annotate({ identifier: "Ledger" })
export type Ledger = typeof Ledger.Type
