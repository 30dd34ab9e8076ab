/** The topic of when the law lets a contract end. */
import { earliestEnd } from "@quittance/domain/lifecycle/StopRules"
import { StopRule } from "@quittance/domain/products/ProductTerms"
import { Duration } from "@quittance/domain/values/Duration"
import { InstantFromString } from "@quittance/domain/values/Instant"
import { TimeZone } from "@quittance/domain/values/TimeZone"
import { Schema } from "effect"
import { type Topic, topic } from "./Topic.ts"

export const stopTopics: ReadonlyArray<readonly [string, Topic]> = [
  [
    "stop-notices",
    topic(
      Schema.Struct({
        rule: StopRule,
        timeZone: TimeZone,
        startedAt: InstantFromString,
        periodDuration: Duration,
        receivedAt: InstantFromString
      }),
      ({ rule, ...facts }) => ({ earliest: earliestEnd(rule, facts) ?? null })
    )
  ]
]
