/**
 * Which of equal entries is which. Likeness (`Entries.ts`) and number together are the identity of an entry:
 * two equal payments stay two, and an entry that comes again is the one that is known.
 */

/** A booked entry of a statement, in its order. */
export interface NumberedEntry {
  readonly likeness: string
  /** In minor units, below nothing where it left. */
  readonly amount: number
}

/** What is known of the account before the statement. */
export interface KnownEntries {
  /** How many entries of a likeness are kept. */
  readonly known: (likeness: string) => number
  /** The opening balance of the statement, in minor units, where it has one. */
  readonly opening?: number | undefined
  /** The closing balance of the account's last accepted statement; absent before its first. */
  readonly lastClosing?: number | undefined
  /** Whether a statement with this one's id and sequence number was accepted before. */
  readonly isKnown: boolean
}

/**
 * The number of each entry among equal ones, from 1. Entries that the statement repeats are counted from 1, and
 * are found; those that follow are counted on from what is kept, and are new. It repeats as many of its first
 * entries as bring its opening balance to the last closing one, as long as all of these are known. Without
 * balances to go by it is taken to repeat whatever is known.
 *
 * What is lost that way, entries without any difference on one day whose statements have no balance or that
 * cancel out to the cent, shows as a `GAP` where there is a balance.
 */
export const numbersOf = (
  entries: ReadonlyArray<NumberedEntry>,
  known: KnownEntries
): ReadonlyArray<number> => {
  const repeated = repeatedOf(entries, known)
  const counts = new Map<string, number>()
  return entries.map(({ likeness }, index) => {
    if (index === repeated) counts.clear()
    const before = counts.get(likeness) ?? (index < repeated ? 0 : known.known(likeness))
    counts.set(likeness, before + 1)
    return before + 1
  })
}

/** How many of the first entries are repeated. */
const repeatedOf = (entries: ReadonlyArray<NumberedEntry>, facts: KnownEntries): number => {
  const { isKnown, known, lastClosing, opening } = facts
  if (opening === undefined || lastClosing === undefined) return entries.length
  if (opening === lastClosing && !isKnown) return 0
  const counts = new Map<string, number>()
  let balance = opening
  let repeated = opening === lastClosing ? 0 : undefined
  for (const [index, { amount, likeness }] of entries.entries()) {
    const nth = (counts.get(likeness) ?? 0) + 1
    if (nth > known(likeness)) break
    counts.set(likeness, nth)
    balance += amount
    if (balance === lastClosing) repeated = index + 1
  }
  return repeated ?? entries.length
}
