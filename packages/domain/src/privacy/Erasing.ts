/** What of a person's data may be erased now, and what is kept until when: decided class by class. */
import { Schema, Struct } from "effect"
import type { DataClass } from "../values/PersonalData.ts"
import { CustomerId, PolicyId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { Page } from "../values/Page.ts"
import * as PrefixedId from "../values/PrefixedId.ts"
import { customerClasses, policyClasses } from "./DataSubjects.ts"
import { PrivacyRequestId } from "./PrivacyRequest.ts"
import { ClockWait, type RetentionClock } from "./Retention.ts"

export const ErasureId = PrefixedId.schema("erasure")
export type ErasureId = typeof ErasureId.Type

/** The classes of data that an erasure knows, of policies and of customers. */
export const ErasableClass = Schema.Literals([
  "CONTRACT",
  "PERSON",
  "ACCOUNTING",
  "MANDATE",
  "CONSENT",
  "UPLOAD",
  "TECHNICAL",
  "ACCOUNT"
])
export type ErasableClass = typeof ErasableClass.Type

/** What was erased, and why: no value, and no digest of a value. */
export const Erasure = Schema.Struct({
  id: ErasureId,
  customerId: CustomerId,
  /** The policy whose data on the customer were erased; absent: those of the customer themselves. */
  policyId: Schema.optionalKey(PolicyId),
  class: ErasableClass,
  /** How many rows of each table were emptied or removed. */
  counts: Schema.Record(Schema.String, Schema.Int),
  ground: Schema.String,
  privacyRequestId: Schema.optionalKey(PrivacyRequestId),
  erasedAt: Instant
}).annotate({ identifier: "Erasure" })
export type Erasure = typeof Erasure.Type

export const ErasurePage = Page(Erasure).annotate({ identifier: "ErasurePage" })

/** Data of one class that are kept, and for how long. */
export const KeptData = Schema.Struct({
  customerId: CustomerId,
  policyId: Schema.optionalKey(PolicyId),
  class: ErasableClass,
  /** The end of the longest clock; absent while one waits. */
  until: Schema.optionalKey(Instant),
  waitsFor: Schema.optionalKey(ClockWait),
  /** The law or recommendation that asks to keep them. */
  source: Schema.String
}).annotate({ identifier: "KeptData" })
export type KeptData = typeof KeptData.Type

export const ErasureReport = Schema.Struct({
  privacyRequestId: PrivacyRequestId,
  erased: Schema.Array(Erasure),
  kept: Schema.Array(KeptData)
}).annotate({ identifier: "ErasureReport" })
export type ErasureReport = typeof ErasureReport.Type

/** What an erasure of the request would do now; `counts` are those of what would be erased. */
export const ErasurePreview = Schema.Struct({
  privacyRequestId: PrivacyRequestId,
  erasable: Schema.Array(
    Schema.Struct(Struct.pick(Erasure.fields, ["customerId", "policyId", "class", "counts"]))
  ),
  kept: Schema.Array(KeptData),
  holds: Schema.Array(PrefixedId.schema("retention_hold"))
}).annotate({ identifier: "ErasurePreview" })
export type ErasurePreview = typeof ErasurePreview.Type

export const ErasePerson = Schema.Struct({
  /** The classes to erase, all of which must be free; absent: all that are. */
  classes: Schema.optionalKey(Schema.NonEmptyArray(ErasableClass).check(Schema.isUnique())),
  /** The ground of the erasure, such as the article of the law. */
  ground: Schema.String.check(
    Schema.isPattern(/\S/u, { message: "Expected a text that is not blank" }),
    Schema.isMaxLength(200)
  )
}).annotate({ identifier: "ErasePerson" })
export type ErasePerson = typeof ErasePerson.Type

/** The law asks to keep what was asked to be erased. */
export class RetentionDuty extends Schema.TaggedError<RetentionDuty>()("RetentionDuty", {
  classes: Schema.Array(KeptData)
}) {
  override get message() {
    return "The law asks to keep the classes in details until their clocks end; erase the others, or refuse the request with that ground."
  }
}

/** One call of the erasure: a class of data about a customer, of one policy or of themselves. */
export interface ErasureStep {
  readonly customerId: CustomerId
  readonly policyId?: PolicyId
  readonly class: ErasableClass
}

/** What is known of one customer. */
export interface ErasureFacts {
  readonly customerId: CustomerId
  /** The policies that they were ever on. */
  readonly policyIds: ReadonlyArray<PolicyId>
  readonly clocks: ReadonlyArray<RetentionClock>
}

/** The classes whose clocks are duties: money, cover and evidence are kept whatever is asked. */
const duties = new Set(["CONTRACT", "BODILY_INJURY", "ACCOUNTING", "MANDATE"])

/** The clock that keeps data the longest of those that have not ended; one that waits is longer than all. */
export const longest = (
  clocks: ReadonlyArray<RetentionClock>,
  now: Instant
): RetentionClock | undefined =>
  clocks
    .filter(({ erasedAt }) => erasedAt === undefined || erasedAt > now)
    .reduce<RetentionClock | undefined>(
      (one, other) =>
        one === undefined ||
        (one.erasedAt !== undefined &&
          (other.erasedAt === undefined || other.erasedAt > one.erasedAt))
          ? other
          : one,
      undefined
    )

/** The clocks that decide for a step: those of its class, and of the contracts that it serves. */
export const decisive = ({ class: name, policyId }: ErasureStep, { clocks }: ErasureFacts) =>
  clocks.filter((clock) => {
    if (clock.class === "CONTRACT") return policyId === undefined || clock.recordId === policyId
    if (name === "ACCOUNTING" || name === "MANDATE") return clock.class === name
    // What names the person goes when nothing that names them is kept.
    return policyId === undefined && name !== "CONTRACT" && duties.has(clock.class)
  })

// The map's classes are those of this list, but for its own records.
const known = (names: ReadonlyArray<DataClass>) => names as ReadonlyArray<ErasableClass>

/** The steps of an erasure in their order: policies first, and what names the person last. */
export const stepsOf = ({ customerId, policyIds }: ErasureFacts): ReadonlyArray<ErasureStep> => [
  ...policyIds.flatMap((policyId) =>
    known(policyClasses).map((name) => ({ customerId, policyId, class: name }))
  ),
  ...known(customerClasses).map((name) => ({ customerId, class: name }))
]

export interface ErasurePlan {
  readonly steps: ReadonlyArray<ErasureStep>
  readonly kept: ReadonlyArray<KeptData>
}

/** Which steps are free now, and what keeps the others; of the classes that are named, or of all. */
export const erasurePlan = (
  persons: ReadonlyArray<ErasureFacts>,
  now: Instant,
  classes?: ReadonlyArray<ErasableClass>
): ErasurePlan => {
  const steps: Array<ErasureStep> = []
  const kept: Array<KeptData> = []
  for (const person of persons) {
    for (const step of stepsOf(person)) {
      if (classes !== undefined && !classes.includes(step.class)) continue
      const clock = longest(decisive(step, person), now)
      if (clock === undefined) steps.push(step)
      else {
        const { erasedAt: until, source, waitsFor } = clock
        kept.push({
          ...step,
          ...(until === undefined ? {} : { until }),
          ...(waitsFor === undefined ? {} : { waitsFor }),
          source
        })
      }
    }
  }
  return { steps, kept }
}
