/** Holds: data that must not be erased for now, such as those of a dispute before a court. */
import { Schema } from "effect"
import { CustomerId, PolicyId } from "../values/Ids.ts"
import { Instant, InstantFromString } from "../values/Instant.ts"
import { Page } from "../values/Page.ts"
import * as PrefixedId from "../values/PrefixedId.ts"

export const RetentionHoldId = PrefixedId.schema("retention_hold")
export type RetentionHoldId = typeof RetentionHoldId.Type

export const RetentionHold = Schema.Struct({
  id: RetentionHoldId,
  customerId: Schema.optionalKey(CustomerId),
  policyId: Schema.optionalKey(PolicyId),
  reason: Schema.String,
  /** From then on it holds no longer; absent: until it is lifted. */
  until: Schema.optionalKey(Instant),
  placedBy: Schema.String,
  placedAt: Instant,
  liftedAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "RetentionHold" })
export type RetentionHold = typeof RetentionHold.Type

export const RetentionHoldPage = Page(RetentionHold).annotate({ identifier: "RetentionHoldPage" })

/** Names either a customer or a policy. */
export const PlaceRetentionHold = Schema.Struct({
  customerId: Schema.optionalKey(CustomerId),
  policyId: Schema.optionalKey(PolicyId),
  reason: Schema.String.check(
    Schema.isPattern(/\S/u, { message: "Expected a text that is not blank" }),
    Schema.isMaxLength(2000)
  ),
  until: Schema.optionalKey(InstantFromString)
})
  .check(
    Schema.makeFilter(({ customerId, policyId }) =>
      (customerId === undefined) === (policyId === undefined)
        ? "Expected either customerId or policyId"
        : undefined
    )
  )
  .annotate({ identifier: "PlaceRetentionHold" })
export type PlaceRetentionHold = typeof PlaceRetentionHold.Type

export class RetentionHoldNotFound extends Schema.TaggedError<RetentionHoldNotFound>()(
  "RetentionHoldNotFound",
  { retentionHoldId: RetentionHoldId }
) {
  override get message() {
    return `There is no hold ${this.retentionHoldId} that could still be lifted; GET /privacy/holds lists them.`
  }
}

/** Data that are held are not erased. */
export class RetentionHeld extends Schema.TaggedError<RetentionHeld>()("RetentionHeld", {
  holds: Schema.Array(RetentionHoldId)
}) {
  override get message() {
    return "Holds keep these data: read them by GET /privacy/holds, and lift each before you erase."
  }
}
