/** What requests about open invoices say. */
import { Schema } from "effect"
import { PolicyStatus } from "../policies/Policy.ts"
import { BrokerageFirmId } from "../values/Ids.ts"
import { InstantFromString } from "../values/Instant.ts"
import { LocalDate } from "../values/LocalDate.ts"
import type { Order } from "../values/Page.ts"
import { QueryString } from "../values/Text.ts"
import type { OrderKey } from "./AccountingSummary.ts"
import { WorklistKind } from "./Worklist.ts"

/** A point in time, or a whole day of the product's calendar: its first instant. */
const InstantOrDate = Schema.Union([InstantFromString, LocalDate])

/** Which entries of the accounting summary a list is of. */
export const ListSummaries = Schema.Struct({
  /** Exclusive. */
  unpaidInvoiceIssuedBefore: Schema.optionalKey(InstantOrDate),
  /** Inclusive. */
  unpaidInvoiceIssuedAfter: Schema.optionalKey(InstantOrDate),
  brokerageFirmId: Schema.optionalKey(BrokerageFirmId),
  productIds: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(100))),
  queryString: Schema.optionalKey(QueryString),
  statuses: Schema.optionalKey(Schema.Array(PolicyStatus).check(Schema.isMaxLength(100))),
  terminationReasons: Schema.optionalKey(
    Schema.Array(Schema.String).check(Schema.isMaxLength(100))
  ),
  hasFormalNotice: Schema.optionalKey(Schema.Boolean),
  /** At least so many. */
  unpaidDurationDays: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))
  )
})
export type ListSummaries = typeof ListSummaries.Type & { readonly order?: Order<OrderKey> }

/** Of which kinds a worklist is; absent: of all. */
export const ListWorklist = Schema.Struct({
  kinds: Schema.optionalKey(
    Schema.Array(WorklistKind).check(Schema.isMinLength(1), Schema.isMaxLength(100))
  )
})
export type ListWorklist = typeof ListWorklist.Type
