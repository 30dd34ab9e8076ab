/** What is due of one policy, ready to be written. */
import type { DueStepsResult } from "@quittance/billing/worker/DueStepsResult"
import { advanceAction } from "@quittance/domain/audit/Audit"
import type { NoticeChanges } from "@quittance/domain/dunning/DunningRecords"
import {
  nextEffect,
  type PolicyAggregate,
  presented
} from "@quittance/domain/policies/aggregate/PolicyAggregate"
import { earliest } from "@quittance/domain/values/Instant"
import type { BillingDecision } from "../billing/BillingDecision.ts"
import { noticeEvents } from "../dunning/DunningAccounts.ts"
import { renewalStepOf } from "../renewals/Renewals.ts"
import { staleOffers } from "../renewals/StaleOffers.ts"

/** What is due of a policy, with its notices. */
export interface DueDecision extends BillingDecision {
  readonly notices: NoticeChanges
}

export const decidedOf = (before: PolicyAggregate, advanced: DueStepsResult): DueDecision => ({
  before,
  after: presented(advanced.account.policy),
  action: advanceAction,
  issued: advanced.issued,
  entries: advanced.entries,
  settlements: advanced.settlements,
  notices: advanced.notices,
  happened: noticeEvents(advanced.notices, before.now),
  nextDueAt: earliest([
    advanced.nextDueAt,
    renewalStepOf(advanced.account.policy)?.dueAt,
    nextEffect(advanced.account.policy),
    staleOffers(advanced.account.policy).length > 0 ? before.now : undefined
  ])
})
