/** The treasury's journal: what moves on bank accounts, beside the books of policies. */
import { Schema } from "effect"
import { Currency, Money } from "../values/Amount.ts"
import { BankAccountId, BankEntryId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"
import { Page } from "../values/Page.ts"
import * as PrefixedId from "../values/PrefixedId.ts"

/**
 * `OPENING`: what was there before; `ARRIVAL`: an entry that nothing explains yet; `OWN`: a collection or a
 * payout of ours, or one that came back; `BANK_CHARGE`; `ALLOCATION` and `ALLOCATION_UNDONE`: an entry that is
 * a payment, or no longer; `SET_ASIDE`: by people; `DIFFERENCE`: what accepted statements do not explain.
 */
export const TreasuryEntryKind = Schema.Literals([
  "OPENING",
  "ARRIVAL",
  "OWN",
  "BANK_CHARGE",
  "ALLOCATION",
  "ALLOCATION_UNDONE",
  "SET_ASIDE",
  "DIFFERENCE"
]).annotate({ identifier: "TreasuryEntryKind" })
export type TreasuryEntryKind = typeof TreasuryEntryKind.Type

/** An account of the journal, such as `bank:<id>`, and what it is debited (positive) or credited. */
export const TreasuryPosting = Schema.Struct({ account: Schema.String, amount: Money }).annotate({
  identifier: "TreasuryPosting"
})
export type TreasuryPosting = typeof TreasuryPosting.Type

/** Postings that sum to zero, written once and never changed. */
export const TreasuryEntry = Schema.Struct({
  id: PrefixedId.schema("entry"),
  bankAccountId: BankAccountId,
  kind: TreasuryEntryKind,
  /** The entry of a statement that it posts. */
  bankEntryId: Schema.optionalKey(BankEntryId),
  /** The payment, debit, file or payout that its cash is of. */
  recordId: Schema.optionalKey(Schema.String),
  bookedOn: LocalDate,
  recordedAt: Instant,
  currency: Currency,
  postings: Schema.Array(TreasuryPosting)
}).annotate({ identifier: "TreasuryEntry" })
export type TreasuryEntry = typeof TreasuryEntry.Type

/** A page of the journal of an account, the newest first, and what its accounts sum to. */
export const TreasuryLedger = Schema.Struct({
  ...Page(TreasuryEntry).fields,
  balances: Schema.Array(TreasuryPosting)
}).annotate({ identifier: "TreasuryLedger" })
export type TreasuryLedger = typeof TreasuryLedger.Type
