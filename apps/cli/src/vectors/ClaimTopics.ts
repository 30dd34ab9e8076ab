/** Topics of claims: what they do to a motor premium, what is paid for them, and until when. */
import {
  afterYear,
  Coefficient,
  MotorClaim,
  type Rise,
  riseOf
} from "@quittance/domain/claims/BonusMalus"
import { deadlineOf } from "@quittance/domain/claims/Deadlines"
import { ClaimFactKind, DeadlineRule } from "@quittance/domain/products/claims/DeadlineRule"
import { type FrenchDeadline, frenchDeadlines } from "@quittance/domain/claims/FrenchDeadlines"
import { AssessedLoss, indemnity } from "@quittance/domain/claims/Indemnity"
import { InstantFromString } from "@quittance/domain/values/Instant"
import { TimeZone } from "@quittance/domain/values/TimeZone"
import { Schema } from "effect"
import { type Topic, topic } from "./Topic.ts"

const Count = Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })))

const repeated = (rise: Rise, count = 0): ReadonlyArray<Rise> =>
  Array.from({ length: count }, () => rise)

export const claimTopics: ReadonlyArray<readonly [string, Topic]> = [
  [
    "bonus-malus",
    topic(
      Schema.Struct({
        from: Coefficient,
        atFault: Count,
        partlyAtFault: Count,
        /** Further claims of the period, by what the clause says of them. */
        claims: Schema.optionalKey(Schema.Array(MotorClaim)),
        usage: Schema.optionalKey(Schema.Literals(["TOURNEES", "TOUS_DEPLACEMENTS"])),
        yearsAt50: Count,
        yearsWithoutClaim: Count,
        interrupted: Schema.optionalKey(Schema.Boolean)
      }),
      ({ atFault, claims = [], from, interrupted, partlyAtFault, usage, ...before }) => {
        const rises = [
          ...repeated("WHOLE", atFault),
          ...repeated("HALF", partlyAtFault),
          ...claims.map(riseOf)
        ]
        const { coefficient } = afterYear(
          {
            coefficient: from,
            yearsAtLowest: before.yearsAt50 ?? 0,
            yearsWithoutClaim: before.yearsWithoutClaim ?? 0
          },
          {
            rises,
            use: usage === undefined ? "ORDINARY" : "ROUNDS",
            isInterrupted: interrupted ?? false
          }
        )
        return { to: coefficient }
      }
    )
  ],
  ["indemnity", topic(AssessedLoss, indemnity)],
  [
    "deadlines",
    topic(
      Schema.Struct({
        /** One that French law sets, or one that is given whole. */
        deadline: Schema.Union([
          Schema.Literals(Object.keys(frenchDeadlines) as ReadonlyArray<FrenchDeadline>),
          DeadlineRule
        ]),
        timeZone: TimeZone,
        facts: Schema.Array(Schema.Struct({ fact: ClaimFactKind, at: InstantFromString })),
        now: InstantFromString
      }),
      ({ deadline, facts, now, timeZone }) => {
        const rule = typeof deadline === "string" ? frenchDeadlines[deadline] : deadline
        return deadlineOf(rule, facts, timeZone, now) ?? { dueOn: null }
      }
    )
  ]
]
