/** Debits, their files and payouts: what statements tell of them, and what follows from it for them. */
import type { PaymentStatusReport } from "@quittance/bank/BankEntry"
import type { OwnRecord } from "@quittance/billing/treasury/Matching"
import type { BankAccountId, BankEntryId } from "@quittance/domain/values/Ids"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Context, type Effect } from "effect"

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

export class OwnPayments extends Context.Service<
  OwnPayments,
  {
    /** Those of the numbers that are ours. */
    find(
      numbers: ReadonlyArray<string>
    ): Effect.Effect<ReadonlyMap<string, OwnRecord>, never, CurrentTenant>
    /** Undoes what came back, once, whichever message tells it first. It locks heads, and so comes first. */
    cameBack(told: CameBack): Effect.Effect<void, never, CurrentTenant>
    /** Takes that the money of a payout has left. It locks its head, and so comes first. */
    left(told: Moved): Effect.Effect<void, never, CurrentTenant>
    /** Takes what a status report says of files, groups and payments. */
    report(
      id: BankAccountId,
      reports: ReadonlyArray<PaymentStatusReport>
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/OwnPayments") {}
