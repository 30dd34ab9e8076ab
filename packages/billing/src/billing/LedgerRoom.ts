/**
 * Whether a policy's books can take what is about to be posted, so that each of their accounts sums to an
 * exact integer, within ±(2^53−1). Large amounts bring no account beyond half of that, and of those that
 * are not large it takes more than four million on one account to make the other half: no policy has so
 * many entries. One price brings at most `largestPrice`, so that 450 terms of it have room.
 */
import type { Account } from "@quittance/domain/billing/Entry"

/** The most to which large amounts bring an account of a policy, either way, in minor units. */
export const largestSum = 2 ** 52

/** An amount from which on the sums of a policy are looked at before it is posted. */
export const largeAmount = 1_000_000_000

/** What is posted: accounts with an amount each, debits positive. */
export interface Posted {
  readonly accounts: ReadonlyArray<Account>
  readonly amounts: ReadonlyArray<number>
}

/** Whether what is posted is large enough to look at the sums that it leads to. */
export const isLarge = (posted: ReadonlyArray<Posted>): boolean =>
  posted.some(({ amounts }) => amounts.some((amount) => Math.abs(amount) >= largeAmount))

/** The first account that would hold more than it may, after these entries; `undefined` where none does. */
export const overfull = (
  sums: ReadonlyMap<Account, bigint>,
  posted: ReadonlyArray<Posted>
): Account | undefined => {
  const after = new Map(sums)
  for (const { accounts, amounts } of posted) {
    accounts.forEach((account, index) => {
      after.set(account, (after.get(account) ?? 0n) + BigInt(amounts[index]!))
    })
  }
  // One that is too full already may come down.
  for (const [account, sum] of after) {
    if (size(sum) > largestSum && size(sum) > size(sums.get(account) ?? 0n)) return account
  }
  return undefined
}

const size = (sum: bigint): bigint => (sum < 0n ? -sum : sum)
