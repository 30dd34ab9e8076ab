/**
 * Whether the treasury's journal agrees with what banks have told: with balances of statements, with entries that
 * nothing explains yet, and with the books of policies that it shares `cash` with.
 */
import type { TreasuryPosting } from "@quittance/domain/treasury/TreasuryEntry"
import type { BankAccountId } from "@quittance/domain/values/Ids"
import { bank, difference, opening, suspense } from "../treasury/TreasuryPostings.ts"
import type { Difference } from "./Reconciliation.ts"

/** What is known of a bank account; amounts in minor units. */
export interface BankBooks {
  readonly id: BankAccountId
  readonly name: string
  /** What each account of its journal sums to. */
  readonly balances: ReadonlyArray<TreasuryPosting>
  /** The closing balance of its last booked statement; absent before the first. */
  readonly closing: number | undefined
  /** What all of its entries come to, and what of them is not explained. */
  readonly moved: number
  readonly open: number
}

/** The first difference of an account's journal; `undefined` where it agrees. */
export const bankDifference = ({
  balances,
  closing = 0,
  id,
  moved,
  name,
  open
}: BankBooks): Difference | undefined => {
  const sumOf = (account: string) =>
    balances.find((posting) => posting.account === account)?.amount ?? 0
  const held = sumOf(bank(id))
  // What an account held before its first statement, and what statements contradict each other by, has no entry.
  const entered = held + sumOf(opening(id)) + sumOf(difference(id))
  const compared = [
    { field: "balance of the last statement", expected: closing, found: held },
    { field: "entries of statements", expected: moved, found: entered },
    { field: "entries that nothing explains", expected: open, found: 0 - sumOf(suspense(id)) }
  ]
  const other = compared.find(({ expected, found }) => expected !== found)
  return other === undefined
    ? undefined
    : {
        record: `bank account ${name}`,
        field: other.field,
        expected: String(other.expected),
        found: String(other.found)
      }
}
