/** Debits, their files and payouts: what statements tell of them, and what follows from it for them. */
import type { PaymentStatusReport } from "@quittance/bank/BankEntry"
import type { OwnRecord } from "@quittance/billing/treasury/Matching"
import type { BankAccountId, BankEntryId } from "@quittance/domain/values/Ids"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Context, Effect } from "effect"

/** That the money of a debit or a payout has moved, as an entry tells it. */
export interface Moved {
  readonly record: OwnRecord
  readonly bankEntryId: BankEntryId
  readonly bookedOn: LocalDate
}

/** That it came back. */
export interface CameBack extends Moved {
  /** As the bank gives it; absent where it gives none. */
  readonly reasonCode: string | undefined
  /** What the bank kept of it, in minor units. */
  readonly charge: number
}

/** What banks tell of records of ours. */
export interface HeardPayments {
  /** Those of the numbers that are ours. */
  find(
    numbers: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyMap<string, OwnRecord>, never, CurrentTenant>
  /** Undoes what came back, once, whichever message tells it first. It locks heads, and so comes first. */
  cameBack(told: CameBack): Effect.Effect<void, never, CurrentTenant>
  /** Takes that money has moved as it was meant to. It locks heads, and so comes first. */
  moved(told: Moved): Effect.Effect<void, never, CurrentTenant>
  /** Takes what a status report says of files, groups and payments. */
  report(
    id: BankAccountId,
    reports: ReadonlyArray<PaymentStatusReport>
  ): Effect.Effect<void, never, CurrentTenant>
}

export class OwnPayments extends Context.Service<OwnPayments, HeardPayments>()(
  "@quittance/operations/OwnPayments"
) {}

/** Records of some kinds, each heard by the area that they are of. */
export const heardByKind = (payouts: HeardPayments, collections: HeardPayments): HeardPayments => {
  const of = ({ record }: Moved) => (record.kind === "PAYOUT" ? payouts : collections)
  return {
    find: Effect.fnUntraced(function* (numbers: ReadonlyArray<string>) {
      return new Map([...(yield* payouts.find(numbers)), ...(yield* collections.find(numbers))])
    }),
    cameBack: (told) => of(told).cameBack(told),
    moved: (told) => of(told).moved(told),
    // A payout locks its head, and heads come before files.
    report: (id, reports) =>
      Effect.andThen(payouts.report(id, reports), collections.report(id, reports))
  }
}
