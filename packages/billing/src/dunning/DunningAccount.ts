/** A policy's account with its notices and holds. */
import type { DunningRecords } from "@quittance/domain/dunning/DunningRecords"
import type { PolicyAccount } from "../billing/account/PolicyAccount.ts"

export interface DunningAccount extends PolicyAccount {
  /** Its notices and holds, and who sends the tenant's notices. */
  readonly dunning: DunningRecords
}
