/** What requests about events say. */
import { Schema } from "effect"
import { Subject } from "../requests/Event.ts"
import { TypePattern } from "./EventFilter.ts"

/** The last position or number that a reader has seen; 0 before the first. */
const After = Schema.Int.check(
  Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER - 10_000 })
)

/** The most events that one answer holds. */
export const maximumEvents = 1000

/** The longest that an answer without events is held back, in seconds: less than `REQUEST_TIMEOUT`. */
export const longestWait = 25

/** Which events of the feed to read. */
export const ReadFeed = Schema.Struct({
  after: Schema.optionalKey(After),
  types: Schema.optionalKey(Schema.Array(TypePattern).check(Schema.isMaxLength(100))),
  subject: Schema.optionalKey(Subject),
  count: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: maximumEvents }))
  ),
  wait: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: longestWait })))
})
export type ReadFeed = typeof ReadFeed.Type

/** Which events of one policy to read. */
export const ReadPolicyEvents = Schema.Struct({
  after: ReadFeed.fields.after,
  count: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })))
})
export type ReadPolicyEvents = typeof ReadPolicyEvents.Type
