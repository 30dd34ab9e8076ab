/** What requests about a tenant's clock say. */
import { Schema } from "effect"
import { InstantFromString } from "../values/Instant.ts"

/** Where a sandbox's clock is to stand. */
export const MoveTestClock = Schema.Struct({ now: InstantFromString }).annotate({
  identifier: "MoveTestClock"
})
export type MoveTestClock = typeof MoveTestClock.Type
