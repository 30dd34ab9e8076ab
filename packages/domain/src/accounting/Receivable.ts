import type { CustomerId, PolicyId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"

/** What a payer owes on a policy, as the accounting summary counts it. */
export interface Receivable {
  readonly policyId: PolicyId
  readonly customerId: CustomerId
  readonly unpaidCount: number
  /** Whole local days, in the product's time zone, since the oldest unpaid invoice was issued. */
  readonly unpaidDays: number
  readonly oldestIssuedAt: Instant
  readonly lastFormalNoticeSentAt: Instant | null
}
