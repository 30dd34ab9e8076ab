import { AccountingSummary, orderKeys } from "@quittance/domain/accounting/AccountingSummary"
import { InstantFromString } from "@quittance/domain/values/Instant"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { PolicyStatus } from "@quittance/domain/policies/Policy"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, everyone, needs } from "../access/Access.ts"
import { orderedQuery } from "../requests/OrderedQuery.ts"
import { pageQuery } from "../requests/Parameters.ts"
import { bearer } from "../requests/Bearer.ts"
import { BrokerageFirmId } from "@quittance/domain/values/Ids"

/** A point in time, or a whole day of the tenant's calendar. */
const InstantOrDate = Schema.Union([InstantFromString, LocalDate])

const filters = {
  /** Exclusive. */
  unpaidInvoiceIssuedBefore: Schema.optionalKey(InstantOrDate),
  /** Inclusive. */
  unpaidInvoiceIssuedAfter: Schema.optionalKey(InstantOrDate),
  brokerageFirmId: Schema.optionalKey(BrokerageFirmId),
  productIds: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(100))),
  /** Every word has to match the beginning of a word, accents and case apart. */
  queryString: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(200))),
  statuses: Schema.optionalKey(Schema.Array(PolicyStatus).check(Schema.isMaxLength(100))),
  terminationReasons: Schema.optionalKey(
    Schema.Array(Schema.String).check(Schema.isMaxLength(100))
  ),
  hasFormalNotice: Schema.optionalKey(Schema.Boolean),
  /** At least so many. */
  unpaidDurationDays: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
  )
}

/** The query of `GET /accounting-summary`. */
export const AccountingSummaryQuery = orderedQuery({ ...pageQuery, ...filters }, orderKeys)

export class AccountingSummaries extends bearer(
  HttpApiGroup.make("accountingSummaries")
    .add(
      HttpApiEndpoint.get("list", "/accounting-summary", {
        query: AccountingSummaryQuery,
        success: AccountingSummary
      })
        .annotateMerge(needs("accounting.read", "ANYWHERE"))
        .annotate(OpenApi.Summary, "List the unpaid invoices of payers")
        .annotate(
          OpenApi.Description,
          "One entry for each customer who pays and policy with at least one unpaid invoice, due or not."
        )
    )
    .annotateMerge(access({ scope: "platform/billing", callers: everyone }))
    .annotateMerge(
      OpenApi.annotations({ title: "Accounting summary", description: "Who owes what." })
    )
) {}
