/** What is in force of a policy over effective time. */
import { Schema } from "effect"
import { Instant } from "../values/Instant.ts"
import { PolicyStatus } from "./Policy.ts"
import { PolicyQuote } from "../products/Quote.ts"
import { ChangeId } from "../values/Ids.ts"

/** A maximal interval `[from, to)` of one state, and the changes by which it began. */
export const TimelineSegment = Schema.Struct({
  from: Instant,
  to: Schema.optionalKey(Instant),
  status: PolicyStatus,
  /** The accepted one: the price of a whole term of this state. */
  quote: Schema.optionalKey(PolicyQuote),
  changeIds: Schema.Array(ChangeId)
}).annotate({ identifier: "TimelineSegment" })
export type TimelineSegment = typeof TimelineSegment.Type

export const PolicyTimeline = Schema.Struct({
  segments: Schema.Array(TimelineSegment)
}).annotate({ identifier: "PolicyTimeline" })
export type PolicyTimeline = typeof PolicyTimeline.Type
