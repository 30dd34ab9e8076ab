/** Notices and holds, as they are stored. */
import type { CustomerId, FormalNoticeId, HoldId, InvoiceId, PolicyId } from "../values/Ids.ts"
import type { Instant } from "../values/Instant.ts"
import type { NoticeChannel, NoticeDispatch, NoticeEvidence, NoticeStatus } from "./Dunning.ts"

/** A formal notice as it is stored. */
export interface StoredNotice {
  readonly id: FormalNoticeId
  readonly policyId: PolicyId
  readonly customerId: CustomerId
  readonly invoiceIds: ReadonlyArray<InvoiceId>
  readonly status: NoticeStatus
  readonly channel: NoticeChannel
  readonly createdAt: Instant
  readonly sentAt: Instant | null
  readonly evidence: NoticeEvidence | null
  readonly announcesTermination: boolean
}

/** A time without dunning; without a policy it is a moratorium, of the named products or of all. */
export interface StoredHold {
  readonly id: HoldId
  readonly policyId: PolicyId | null
  readonly productIds: ReadonlyArray<string> | null
  readonly from: Instant
  readonly to: Instant | null
  readonly reason: string
}

/** An invoice that a debit is about to pay: its bank's word is waited for. */
export interface AwaitedPayment {
  readonly policyId: PolicyId
  readonly invoiceId: InvoiceId
  /** Until then no formal notice is written over it. */
  readonly until: Instant
}

/** The records of dunning of one policy, or of several. */
export interface DunningRecords {
  readonly dispatch: NoticeDispatch
  /** In the order in which they were made. */
  readonly notices: ReadonlyArray<StoredNotice>
  /** Those of the policies, and every moratorium of the tenant. */
  readonly holds: ReadonlyArray<StoredHold>
  readonly awaited: ReadonlyArray<AwaitedPayment>
}

/** What has to be written of notices. */
export interface NoticeChanges {
  /** New ones, and those that were to be sent. */
  readonly put: ReadonlyArray<StoredNotice>
  readonly removed: ReadonlyArray<StoredNotice["id"]>
}
