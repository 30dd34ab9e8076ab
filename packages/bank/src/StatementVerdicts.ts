/** What becomes of a statement that was read: whether it is booked, which of its entries are new, what it closes with. */
import type { Balance, StatementHead } from "./BankEntry.ts"
import { type NumberedEntry, numbersOf } from "./EntryNumbers.ts"
import { bookedBalances, heldReasons, type StatementSum } from "./Statements.ts"
import type { HeldReason } from "@quittance/domain/treasury/BankStatement"
import type { LocalDate } from "@quittance/domain/values/LocalDate"

/** What a statement says as a whole, with what its booked entries are known by. */
export interface ScannedStatement {
  readonly head: StatementHead
  readonly balances: ReadonlyArray<Balance>
  readonly sums: StatementSum
  /** Its booked entries, in their order. */
  readonly booked: ReadonlyArray<NumberedEntry>
  readonly lastDay: LocalDate | undefined
}

/** The account that a file is read for. */
export interface ScannedAccount {
  readonly iban: string
  readonly currency: string
}

/** The account's last statement that is booked. */
export interface LastBooked {
  readonly sequence: number | undefined
  readonly closing: number
  readonly closingOn: LocalDate | undefined
}

/** What is known of the account before the statement. */
export interface KnownAccount extends ScannedAccount {
  /** What it held before its first statement, where the tenant has told it; in minor units. */
  readonly openingBalance: number | undefined
  /** What the journal says that it holds. */
  readonly balance: number
  readonly last: LastBooked | undefined
  readonly counts: ReadonlyMap<string, number>
  readonly isKnown: boolean
}

export interface Verdict {
  /** Empty where its entries may be booked. */
  readonly reasons: ReadonlyArray<HeldReason>
  /** Of each booked entry, which of equal ones it is, from 1. */
  readonly numbers: ReadonlyArray<number>
  readonly newEntries: number
  readonly opening: number | undefined
  /** As the bank tells it, else as its entries make it. */
  readonly closing: number
  readonly closingOn: LocalDate | undefined
  /** What the journal lacks of what the account held before its first statement. */
  readonly toOpen: number
  /** What neither its entries nor the journal explain of the account's latest balance. */
  readonly difference: number
}

/** Judges a statement. What is accepted by a person is judged in the same way, and its reasons are known. */
export const judge = (
  { balances, booked, head, lastDay, sums }: ScannedStatement,
  account: KnownAccount
): Verdict => {
  const { counts, isKnown, last, openingBalance } = account
  const known = (likeness: string): number => counts.get(likeness) ?? 0
  const { closing, opening } = bookedBalances(balances)
  const numbers = numbersOf(booked, { known, opening, lastClosing: last?.closing, isKnown })
  const isNew = booked.map(({ likeness }, index) => numbers[index]! > known(likeness))
  const newEntries = isNew.filter(Boolean).length
  const newSum = booked.reduce((sum, { amount }, index) => sum + (isNew[index] ? amount : 0), 0)
  const reasons = heldReasons(
    {
      statement: head,
      balances,
      sums,
      newSum,
      newCount: newEntries,
      last,
      isKnown,
      ...(openingBalance === undefined ? {} : { openingBalance })
    },
    account
  )
  const toOpen = last === undefined ? (openingBalance ?? opening ?? 0) : 0
  const closingOn =
    balances.findLast(({ type }) => type === "CLBD")?.on ?? lastDay ?? last?.closingOn
  const made = account.balance + toOpen + newSum
  const isLatest = !isBefore(last, closingOn, head.sequence)
  const expected = isLatest || last === undefined ? (closing ?? made) : last.closing
  return {
    reasons,
    numbers,
    newEntries,
    opening,
    closing: closing ?? made,
    closingOn,
    toOpen,
    difference: expected - made
  }
}

/** Whether a statement is older than the last one, so that the account's balance is the other's. */
const isBefore = (
  last: LastBooked | undefined,
  closingOn: LocalDate | undefined,
  sequence: number | undefined
): boolean => {
  if (last?.closingOn === undefined || closingOn === undefined) return false
  if (closingOn !== last.closingOn) return closingOn < last.closingOn
  return sequence !== undefined && last.sequence !== undefined && sequence < last.sequence
}
