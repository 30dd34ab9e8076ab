/**
 * What facts on bank accounts post to the treasury's journal. A debit is positive, a credit negative. `cash` is
 * the account that policies' books share with it: what both have of one payment cancels out there.
 */
import type { TreasuryEntryKind, TreasuryPosting } from "@quittance/domain/treasury/TreasuryEntry"
import type { BankAccountId } from "@quittance/domain/values/Ids"

/** A fact with its postings, which sum to zero. */
export interface TreasuryFact {
  readonly kind: TreasuryEntryKind
  readonly postings: ReadonlyArray<TreasuryPosting>
}

export const bank = (id: BankAccountId): string => `bank:${id}`
/** What is on the account and not explained yet. */
export const suspense = (id: BankAccountId): string => `suspense:${id}`
export const bankCharges = (id: BankAccountId): string => `bank_charges:${id}`
/** What people have set aside for another reason. */
export const other = (id: BankAccountId): string => `other:${id}`
/** What the account held before its first statement. */
export const opening = (id: BankAccountId): string => `opening:${id}`
/** What accepted statements contradict themselves or each other by. */
export const difference = (id: BankAccountId): string => `difference:${id}`
export const cash = "cash"

/** An entry that nothing explains yet; of one that left the amount is below nothing. */
export const forArrival = (id: BankAccountId, amount: number): TreasuryFact => ({
  kind: "ARRIVAL",
  postings: balanced([
    [bank(id), amount],
    [suspense(id), -amount]
  ])
})

/**
 * Money of ours that the books know of: a collection, a payout, or one that came back.
 *
 * @param charge what the bank kept of it, in minor units
 */
export const forOwn = (id: BankAccountId, amount: number, charge: number): TreasuryFact => ({
  kind: "OWN",
  postings: balanced([
    [bank(id), amount],
    [bankCharges(id), charge],
    [cash, -(amount + charge)]
  ])
})

export const forBankCharge = (id: BankAccountId, amount: number): TreasuryFact => ({
  kind: "BANK_CHARGE",
  postings: balanced([
    [bank(id), amount],
    [bankCharges(id), -amount]
  ])
})

/** What was unexplained is a payment of the books. */
export const forAllocation = (id: BankAccountId, amount: number): TreasuryFact => ({
  kind: "ALLOCATION",
  postings: balanced([
    [suspense(id), amount],
    [cash, -amount]
  ])
})

/** An allocation is undone. */
export const forAllocationUndone = (id: BankAccountId, amount: number): TreasuryFact => ({
  kind: "ALLOCATION_UNDONE",
  postings: balanced([
    [cash, amount],
    [suspense(id), -amount]
  ])
})

/** People set an entry aside; with an amount of the other sign they take that back. */
export const forIgnored = (
  id: BankAccountId,
  amount: number,
  account: "BANK_CHARGES" | "OTHER"
): TreasuryFact => ({
  kind: "SET_ASIDE",
  postings: balanced([
    [suspense(id), amount],
    [account === "OTHER" ? other(id) : bankCharges(id), -amount]
  ])
})

export const forOpening = (id: BankAccountId, amount: number): TreasuryFact => ({
  kind: "OPENING",
  postings: balanced([
    [bank(id), amount],
    [opening(id), -amount]
  ])
})

export const forDifference = (id: BankAccountId, amount: number): TreasuryFact => ({
  kind: "DIFFERENCE",
  postings: balanced([
    [bank(id), amount],
    [difference(id), -amount]
  ])
})

const balanced = (
  amounts: ReadonlyArray<readonly [account: string, amount: number]>
): ReadonlyArray<TreasuryPosting> =>
  // Zero has one form: JSON would tell `-0` apart from `0`.
  amounts.map(([account, amount]) => ({ account, amount: amount === 0 ? 0 : amount }))
