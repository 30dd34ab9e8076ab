/**
 * An invoice that is owed again is a new debt: what followed from its first time stays. A bank's return of a
 * payment has this effect, and so has the reversal of a write-off.
 */
import type { Instant } from "@quittance/domain/values/Instant"

/** What a payment or a write-off settled of an invoice, and when it was reversed. */
export interface Allocation {
  /** In minor units. */
  readonly amount: number
  readonly paidAt: Instant
  readonly returnedAt?: Instant | undefined
  /** By a write-off: nothing was asked for any more, and nothing was paid. */
  readonly waived?: boolean
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
  /** A write-off ended it, and not a payment. */
  readonly waived?: boolean
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
    const paidAt = (by: ReadonlyArray<Allocation>): Instant | undefined =>
      sum(by) + Math.max(0, credited - later) < total
        ? undefined
        : by
            .map((allocation) => allocation.paidAt)
            .sort()
            .at(-1)
    const byPayment = paidAt(before.filter(({ waived }) => waived !== true))
    const writeOff = before.find(({ waived }) => waived === true)
    if (writeOff !== undefined && !(byPayment !== undefined && byPayment < writeOff.paidAt)) {
      times.push({ settledAt: writeOff.paidAt, reopenedAt, waived: true })
    } else if (byPayment === undefined) continue
    else times.push({ settledAt: byPayment, reopenedAt })
    reopenedAt = at
  }
  return [...times, { settledAt, reopenedAt }]
}

const sum = (parts: ReadonlyArray<Pick<Allocation, "amount">>): number =>
  parts.reduce((total, { amount }) => total + amount, 0)
