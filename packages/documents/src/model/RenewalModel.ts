/** What a notice of renewal says: the next term, its price, and until when it may be refused. */
import type { ModelRenewal } from "@quittance/domain/documents/DocumentModel"
import type { Policy } from "@quittance/domain/policies/Policy"
import { renewalDays } from "@quittance/domain/products/documents/RenewalNoticeDay"
import type { Product } from "@quittance/domain/products/Product"
import type { PolicyQuote } from "@quittance/domain/products/Quote"
import { fromEpochMillis, type Instant, toEpochMillis } from "@quittance/domain/values/Instant"
import { localDate, plus } from "@quittance/domain/values/TimeZone"

export interface RenewalInput {
  readonly at: Instant
  readonly policy: Policy
  readonly product: Product
}

/** The next term begins where the policy, as it is shown, ends. */
export const renewalOf = (
  { at, policy, product }: RenewalInput,
  { totalPremium }: PolicyQuote
): ModelRenewal => {
  const { timeZone } = product
  const { refusal } = product.renewal
  const from = policy.endedAt ?? policy.nextRenewalAt ?? at
  const end = plus(from, policy.periodDuration, 1, timeZone)
  const startsOn = localDate(from, timeZone)
  const days = refusal && renewalDays(refusal, startsOn)
  return {
    startsOn,
    endsOn: localDate(fromEpochMillis(toEpochMillis(end) - 1), timeZone),
    previousTotal: (policy.quote?.totalPremium ?? totalPremium).amountWithFeesAndTaxes,
    ...days,
    late: days !== undefined && localDate(at, timeZone) > days.noticeBy
  }
}
