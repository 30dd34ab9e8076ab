/** An invoice that a bank's return opens again is a debt anew: what followed from its first time stays. */
import type { Instant } from "@quittance/domain/values/Instant"

/** What a payment allocated to an invoice, and when the bank returned it. */
export interface Allocation {
  /** In minor units. */
  readonly amount: number
  readonly paidAt: Instant
  readonly returnedAt?: Instant | undefined
}

/** An invoice as it stands. */
export interface Settling {
  /** In minor units. */
  readonly total: number
  /** What payments and credits have settled of it. */
  readonly amountPaid: number
  readonly settledAt?: Instant | undefined
  /** The credit notes that correct it alone, which settle it first. */
  readonly notes?: ReadonlyArray<Note>
}

export interface Note {
  /** In minor units. */
  readonly amount: number
  readonly issuedAt: Instant
}

/** A time in which an invoice was a debt. */
export interface DebtPeriod {
  readonly settledAt?: Instant | undefined
  readonly reopenedAt?: Instant | undefined
}

/**
 * The times in which an invoice was owed, in order: a return that finds it settled begins another one. A
 * return of a part, while the rest was owed all along, changes nothing, whatever credits settled of it later.
 */
export const owedTimes = (
  { amountPaid, notes = [], settledAt, total }: Settling,
  allocations: ReadonlyArray<Allocation>
): ReadonlyArray<DebtPeriod> => {
  const live = sum(allocations.filter(({ returnedAt }) => returnedAt === undefined))
  const credited = amountPaid - live
  const returns = [...new Set(allocations.flatMap(({ returnedAt }) => returnedAt ?? []))].sort()
  const times: Array<DebtPeriod> = []
  let reopenedAt: Instant | undefined
  for (const at of returns) {
    const before = allocations.filter(
      ({ paidAt, returnedAt }) => paidAt <= at && (returnedAt === undefined || returnedAt >= at)
    )
    const later = sum(notes.filter(({ issuedAt }) => issuedAt >= at))
    if (sum(before) + Math.max(0, credited - later) < total) continue
    const settledBefore = before
      .map(({ paidAt }) => paidAt)
      .sort()
      .at(-1)
    times.push({ settledAt: settledBefore, reopenedAt })
    reopenedAt = at
  }
  return [...times, { settledAt, reopenedAt }]
}

const sum = (parts: ReadonlyArray<Pick<Allocation, "amount">>): number =>
  parts.reduce((total, { amount }) => total + amount, 0)
