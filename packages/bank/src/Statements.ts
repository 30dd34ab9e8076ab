/** Whether a statement is sound, follows the last one, and whether its entries may be booked. */
import type { HeldReason } from "@quittance/domain/treasury/BankStatement"
import { entryDay, isBooked, signedAmount } from "./Entries.ts"
import type { Balance, BankEntry, StatementHead } from "./BankEntry.ts"

/** The account that a statement was given for. */
export interface StatementAccount {
  readonly iban: string
  readonly currency: string
}

/** What is told of an account by its last statement that was accepted. */
export interface LastStatement {
  readonly sequence?: number | undefined
  /** In minor units. */
  readonly closing?: number | undefined
}

/** What a statement comes to. */
export interface StatementSum {
  /** Booked entries. */
  readonly booked: number
  /** What they sum to, in minor units. */
  readonly sum: number
  readonly hasOtherCurrency: boolean
  readonly hasInexactAmount: boolean
}

/** Sums a statement entry by entry; only what is booked counts. */
export const addEntry = (
  { booked, hasInexactAmount, hasOtherCurrency, sum }: StatementSum,
  entry: BankEntry,
  currency: string
): StatementSum => {
  if (!isBooked(entry)) return { booked, hasInexactAmount, hasOtherCurrency, sum }
  const amount = signedAmount(entry)
  return {
    booked: booked + 1,
    sum: sum + (amount ?? 0),
    hasOtherCurrency: hasOtherCurrency || entry.moved.currency !== currency,
    hasInexactAmount: hasInexactAmount || amount === undefined || entryDay(entry) === undefined
  }
}

export const nothingSummed: StatementSum = {
  booked: 0,
  sum: 0,
  hasOtherCurrency: false,
  hasInexactAmount: false
}

/**
 * Whether a statement is of the account. One without an account, or whose account has no IBAN, is taken to
 * be: it was given for this one.
 */
export const isOfAccount = ({ iban }: StatementHead, account: StatementAccount): boolean =>
  iban === undefined || iban === account.iban

/** The balances between which a statement's booked entries lie, in minor units; absent where it has none. */
export const bookedBalances = (
  balances: ReadonlyArray<Balance>
): { readonly opening: number | undefined; readonly closing: number | undefined } => {
  const of = (types: ReadonlyArray<string>, last: boolean) => {
    const found = types.flatMap((type) => balances.filter((balance) => balance.type === type))
    const balance = last ? found.at(-1) : found[0]
    if (balance?.amount === undefined) return undefined
    return balance.direction === "DEBIT" ? 0 - balance.amount : balance.amount
  }
  return { opening: of(["OPBD", "PRCD"], false), closing: of(["CLBD"], true) }
}

/** What a statement is judged by, once all of it was read. */
export interface StatementFacts {
  readonly statement: StatementHead
  readonly balances: ReadonlyArray<Balance>
  readonly sums: StatementSum
  /** What those of its booked entries sum to that were not known, in minor units. */
  readonly newSum: number
  readonly newCount: number
  readonly last: LastStatement | undefined
  /** Whether a statement with its id and sequence number was accepted before. */
  readonly isKnown: boolean
  /** The account's balance before its first statement, where the tenant has told it. */
  readonly openingBalance?: number | undefined
}

/**
 * Why a statement is held; empty where its entries may be booked. Balances are compared where it has them. It
 * follows where its opening balance and what it repeats are the last closing balance; one that repeats all of
 * its entries has no gap.
 */
export const heldReasons = (
  facts: StatementFacts,
  account: StatementAccount
): ReadonlyArray<HeldReason> => {
  const { balances, statement, sums } = facts
  const { closing, opening } = bookedBalances(balances)
  const adds = opening === undefined || closing === undefined || opening + sums.sum === closing
  const isOtherCurrency =
    sums.hasOtherCurrency ||
    (statement.currency !== undefined && statement.currency !== account.currency) ||
    balances.some(({ currency }) => currency !== undefined && currency !== account.currency)
  const hasInexactBalance = balances.some(
    ({ amount, type }) => amount === undefined && /^(?:OPBD|PRCD|CLBD)$/u.test(type)
  )
  return [
    ...(isOtherCurrency ? ["CURRENCY" as const] : []),
    ...(sums.hasInexactAmount || hasInexactBalance ? ["AMOUNT" as const] : []),
    ...(adds ? [] : ["DOES_NOT_ADD" as const]),
    ...(hasGap(facts, opening, closing) ? ["GAP" as const] : [])
  ]
}

const hasGap = (
  { isKnown, last, newCount, newSum, openingBalance, statement, sums }: StatementFacts,
  opening: number | undefined,
  closing: number | undefined
): boolean => {
  if (last === undefined) {
    return openingBalance !== undefined && opening !== undefined && opening !== openingBalance
  }
  if (newCount === 0 && (isKnown || sums.booked > 0)) return false
  if (isSequenceLeftOut(statement, last)) return true
  if (last.closing === undefined) return false
  if (opening !== undefined) return opening + (sums.sum - newSum) !== last.closing
  return closing !== undefined && last.closing + newSum !== closing
}

/** Statements are numbered without gaps; a new year may begin with 1. */
const isSequenceLeftOut = (a: StatementHead, b: LastStatement): boolean =>
  a.sequence !== undefined && b.sequence !== undefined && a.sequence > b.sequence + 1
