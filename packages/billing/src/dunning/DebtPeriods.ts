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
  /** At most this may be left to pay without its being owed, in minor units; absent: nothing. */
  readonly tolerance?: number
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
  /** What left no more than the tolerance, where that has ended the last time. */
  readonly toleratedBy?: "PAYMENT" | "CREDIT"
}

/**
 * The times in which an invoice was owed, in order: a return that finds it settled begins another one. A
 * return of a part, while the rest was owed all along, changes nothing, whatever credits settled of it later.
 */
export const owedTimes = (
  { amountPaid, notes = [], settledAt, tolerance = 0, total }: Settling,
  allocations: ReadonlyArray<Allocation>
): ReadonlyArray<DebtPeriod> => {
  const tolerated =
    tolerance === 0
      ? undefined
      : toleratedTimes({ amountPaid, notes, enough: total - tolerance }, allocations)
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
    if (tolerated?.hasEnoughAt(at) === true) continue
    const byPayment =
      tolerated === undefined
        ? paidAt(before.filter(({ waived }) => waived !== true))
        : tolerated.since(reopenedAt, at)?.at
    const writeOff = before.find(({ waived }) => waived === true)
    if (writeOff !== undefined && !(byPayment !== undefined && byPayment < writeOff.paidAt)) {
      times.push({ settledAt: writeOff.paidAt, reopenedAt, waived: true })
    } else if (byPayment === undefined) continue
    else times.push({ settledAt: byPayment, reopenedAt })
    reopenedAt = at
  }
  const last = tolerated?.since(reopenedAt)
  return last === undefined || (settledAt !== undefined && settledAt <= last.at)
    ? [...times, { settledAt, reopenedAt }]
    : [...times, { settledAt: last.at, reopenedAt, toleratedBy: last.by }]
}

interface Received {
  readonly at: Instant
  /** In minor units; below nothing where a bank takes it back. */
  readonly amount: number
  readonly by: "PAYMENT" | "CREDIT"
}

/**
 * When enough of an invoice was paid. A credit without a note of its own comes from a balance: it counts from
 * the first, since no record says when it was used.
 */
const toleratedTimes = (
  {
    amountPaid,
    enough,
    notes
  }: { readonly amountPaid: number; readonly enough: number; readonly notes: ReadonlyArray<Note> },
  allocations: ReadonlyArray<Allocation>
) => {
  const payments = allocations.filter(({ waived }) => waived !== true)
  let left = amountPaid - sum(payments.filter(({ returnedAt }) => returnedAt === undefined))
  const received: Array<Received> = []
  for (const { amount, issuedAt } of notes) {
    const part = Math.min(left, amount)
    left -= part
    received.push({ at: issuedAt, amount: part, by: "CREDIT" })
  }
  for (const { amount, paidAt, returnedAt } of payments) {
    received.push({ at: paidAt, amount, by: "PAYMENT" })
    if (returnedAt !== undefined) received.push({ at: returnedAt, amount: -amount, by: "PAYMENT" })
  }
  received.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : b.amount - a.amount))
  const sums: Array<Received & { readonly paid: number }> = []
  let paid = left
  for (const part of received) {
    paid += part.amount
    const last = sums.at(-1)
    // Of one instant only what all of it comes to counts.
    if (last?.at === part.at) sums[sums.length - 1] = { ...last, paid }
    else sums.push({ ...part, paid })
  }
  return {
    /** What first left no more than the tolerance in `[from, until)`. */
    since: (from: Instant | undefined, until?: Instant) =>
      sums.find(
        ({ at, ...state }) =>
          state.paid >= enough &&
          (from === undefined || from <= at) &&
          (until === undefined || at < until)
      ),
    /** Whether no more than the tolerance is left after all of an instant. */
    hasEnoughAt: (instant: Instant) =>
      (sums.findLast(({ at }) => at <= instant)?.paid ?? left) >= enough
  }
}

const sum = (parts: ReadonlyArray<Pick<Allocation, "amount">>): number =>
  parts.reduce((total, { amount }) => total + amount, 0)
