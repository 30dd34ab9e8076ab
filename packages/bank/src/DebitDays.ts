/**
 * The days of a debit: when it is handed in, and when it is collected. No debit is collected before it is due,
 * sooner than it was notified for, or later than its bank can still be told.
 */
import type { BankProfile } from "@quittance/domain/payments/BankAccount"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import { addDays, type LocalDate, max } from "@quittance/domain/values/LocalDate"
import { localDate, startOfDay, timeOfDay, type TimeZone } from "@quittance/domain/values/TimeZone"
import { addTargetDays, firstOpen, isOpen } from "./Target.ts"

/** What the days of a debit follow from. */
export interface DebitTerms {
  readonly dueOn: LocalDate
  /** The local day on which the payer is told. */
  readonly notifiedOn: LocalDate
  /** Days between the notification and the collection: 14 unless the product agrees on fewer. */
  readonly notificationDays: number
  /** The day that people asked for; it only ever postpones. */
  readonly askedFor?: LocalDate | undefined
}

/** What the bank of the account sets, and where its days begin. */
export interface DebitBank {
  readonly profile: Pick<BankProfile, "cutOff" | "leadDays">
  readonly timeZone: TimeZone
}

export interface DebitDays {
  /** The first day on which it may be collected, open or not. */
  readonly earliest: LocalDate
  /** The TARGET day on which the bank hands the file in. */
  readonly submitOn: LocalDate
  /** The TARGET day on which the debtor's account is charged (due date of the EPC rulebooks). */
  readonly collectOn: LocalDate
}

/**
 * The days of a debit, as of an instant. It is collected on the first TARGET day from the earliest one on, and
 * handed in `leadDays` TARGET days before; where that is too late, both are the first that are possible.
 */
export const debitDays = (terms: DebitTerms, bank: DebitBank, now: Instant): DebitDays => {
  const { askedFor, dueOn, notificationDays, notifiedOn } = terms
  const { leadDays } = bank.profile
  const notified = addDays(notifiedOn, notificationDays)
  const earliest = [dueOn, notified, askedFor ?? dueOn].reduce(max)
  const wanted = firstOpen(earliest)
  const ideal = addTargetDays(wanted, -leadDays)
  const possible = firstSubmission(bank, now)
  return ideal >= possible
    ? { earliest, submitOn: ideal, collectOn: wanted }
    : {
        earliest,
        submitOn: possible,
        collectOn: max(wanted, addTargetDays(possible, leadDays))
      }
}

/** A debit whose days may still move. */
export interface PlannedDays {
  readonly earliest: LocalDate
  /** The local day on which the payer was told; absent: not yet. */
  readonly notifiedOn?: LocalDate | undefined
  readonly notificationDays: number
}

/**
 * The days of a planned debit once its payer is told, or another day was asked for. They never come before
 * those that it had.
 */
export const laterDays = (
  { earliest, notificationDays, notifiedOn }: PlannedDays,
  change: Partial<Pick<DebitTerms, "askedFor" | "notifiedOn">>,
  bank: DebitBank,
  now: Instant
): DebitDays =>
  debitDays(
    {
      dueOn: earliest,
      notifiedOn: notifiedOn ?? change.notifiedOn ?? localDate(now, bank.timeZone),
      notificationDays,
      askedFor: change.askedFor
    },
    bank,
    now
  )

/** The first TARGET day on which a file can still be handed in: today, if its cut-off is to come. */
export const firstSubmission = (bank: DebitBank, now: Instant): LocalDate => {
  const today = localDate(now, bank.timeZone)
  return isOpen(today) && now < cutOffOf(today, bank) ? today : addTargetDays(today, 1)
}

/** The last instant at which a debit for a day can be handed in; after it, it is planned for another day. */
export const lastSubmission = (collectOn: LocalDate, bank: DebitBank): Instant =>
  cutOffOf(addTargetDays(collectOn, -bank.profile.leadDays), bank)

/** When the file of a day is made: an hour before its cut-off. */
export const fileMadeAt = (submitOn: LocalDate, bank: DebitBank): Instant =>
  fromEpochMillis(toEpochMillis(cutOffOf(submitOn, bank)) - 3_600_000)

/** When a debit counts as paid: the first instant of its day. */
export const settledAt = (collectOn: LocalDate, { timeZone }: DebitBank): Instant =>
  startOfDay(collectOn, timeZone)

/** The TARGET days in which a debtor's bank returns a Core debit by itself (EPC rulebooks, 4.3.2). */
const returnDays = 5

/** The last day on which no formal notice is written over what a debit in flight is about to pay. */
export const outcomeAwaitedUntil = (collectOn: LocalDate): LocalDate =>
  addTargetDays(collectOn, returnDays)

const cutOffOf = (date: LocalDate, { profile, timeZone }: DebitBank): Instant =>
  timeOfDay(date, profile.cutOff, timeZone)
