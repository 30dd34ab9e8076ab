/** Debits, their files and payouts: what statements tell of them, and what follows from it for them. */
import type { PaymentStatusReport } from "@quittance/bank/BankEntry"
import type { OwnRecord } from "@quittance/billing/treasury/Matching"
import type { BankAccountId, BankEntryId } from "@quittance/domain/values/Ids"
import type { LocalDate } from "@quittance/domain/values/LocalDate"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer } from "effect"

/** That a debit or a payout came back, as an entry tells it. */
export interface CameBack {
  readonly record: OwnRecord
  readonly bankEntryId: BankEntryId
  readonly bookedOn: LocalDate
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
    /** Takes what a status report says of files, groups and payments. */
    report(
      id: BankAccountId,
      reports: ReadonlyArray<PaymentStatusReport>
    ): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/OwnPayments") {
  /** Of a tenant that neither collects by debit nor pays out: no number is ours. */
  static readonly layerNone = Layer.succeed(
    OwnPayments,
    OwnPayments.of({
      find: () => Effect.succeed(new Map()),
      cameBack: () => Effect.void,
      report: () => Effect.void
    })
  )
}
