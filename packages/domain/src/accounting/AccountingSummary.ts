import { Schema } from "effect"
import { Customer } from "../customers/Customer.ts"
import { Instant } from "../values/Instant.ts"
import { Page } from "../values/Page.ts"
import { Policy } from "../policies/Policy.ts"

export const AccountingSummaryEntry = Schema.Struct({
  customer: Customer,
  policy: Policy,
  numberOfUnpaidInvoices: Schema.Int,
  unpaidDurationInDay: Schema.Int,
  oldestUnpaidInvoiceIssuedAt: Instant,
  lastFormalNoticeSentAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "AccountingSummaryOutputEntity" })
export type AccountingSummaryEntry = typeof AccountingSummaryEntry.Type

export const AccountingSummary = Page(AccountingSummaryEntry).annotate({
  identifier: "AccountingSummaryOutput"
})

export const orderKeys = [
  "oldestUnpaidInvoiceIssuedAt",
  "unpaidDurationInDay",
  "numberOfUnpaidInvoices",
  "lastFormalNoticeSentAt",
  "customerName",
  "policyCreatedAt"
] as const
export type OrderKey = (typeof orderKeys)[number]
