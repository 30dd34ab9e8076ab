/** What the job erases of a person: data of which every clock has ended, and that were not erased before. */
import { addDays } from "../values/LocalDate.ts"
import type { CustomerId, PolicyId } from "../values/Ids.ts"
import { earliest, type Instant, max } from "../values/Instant.ts"
import { localDate, startOfDay, type TimeZone } from "../values/TimeZone.ts"
import {
  decisive,
  type ErasableClass,
  type ErasureFacts,
  type ErasureStep,
  longest,
  stepsOf
} from "./Erasing.ts"
import { clocks, type RetentionClock, type RetentionRule } from "./Retention.ts"

/** An erasure that was done for a person. */
export interface PastErasure {
  readonly customerId: CustomerId
  readonly policyId?: PolicyId
  readonly class: ErasableClass
  readonly erasedAt: Instant
}

export interface RetentionPlan {
  readonly steps: ReadonlyArray<ErasureStep>
  /** Before then, nothing more of the person can become free. */
  readonly lookAt: Instant
}

export interface RetentionPlanFacts extends ErasureFacts {
  readonly past: ReadonlyArray<PastErasure>
  readonly rules: ReadonlyArray<RetentionRule>
  readonly timeZone: TimeZone
}

/** The clocks that keep data in use from the job: also those of an offer or a person that never signed. */
const keeping = (step: ErasureStep, facts: ErasureFacts): ReadonlyArray<RetentionClock> => [
  ...decisive(step, facts),
  ...facts.clocks.filter(
    (clock) =>
      clock.class === "PROSPECT" &&
      (step.policyId === undefined || clock.recordId === step.policyId)
  )
]

/** Whether they were erased since the last of their clocks began: nothing has come since. */
const isDone = (
  { class: name, policyId }: ErasureStep,
  holding: ReadonlyArray<RetentionClock>,
  past: ReadonlyArray<PastErasure>
): boolean =>
  past.some(
    (one) =>
      one.class === name &&
      one.policyId === policyId &&
      holding.every(({ startsAt }) => startsAt !== undefined && startsAt <= one.erasedAt)
  )

/** Data without any clock stay: the job takes what a rule is for, and a person asks for the rest. */
export const retentionPlan = (facts: RetentionPlanFacts, now: Instant): RetentionPlan => {
  const { past, rules, timeZone } = facts
  /** When a clock that waits would end at the earliest: if it began now. */
  const endOf = (clock: RetentionClock): Instant =>
    clock.erasedAt ??
    clocks([{ class: clock.class, recordId: clock.recordId, startsAt: now }], rules, timeZone)[0]!
      .erasedAt!
  const steps: Array<ErasureStep> = []
  const ends: Array<Instant> = []
  for (const step of stepsOf(facts)) {
    const holding = keeping(step, facts)
    const clock = longest(holding, now)
    if (clock !== undefined) ends.push(endOf(clock))
    else if (holding.length > 0 && !isDone(step, holding, past)) steps.push(step)
  }
  const tomorrow = startOfDay(addDays(localDate(now, timeZone), 1), timeZone)
  // A person of whom nothing is kept may come back: they are looked at as one who never signed.
  const next =
    earliest(ends) ?? endOf({ class: "PROSPECT", recordId: facts.customerId, source: "" })
  return { steps, lookAt: max(tomorrow, next) }
}
