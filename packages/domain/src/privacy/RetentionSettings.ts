/** How long a tenant keeps data, where that differs from the defaults, and whether it erases by itself. */
import { Schema, Struct } from "effect"
import { CustomerId, PolicyId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { ErasableClass } from "./Erasing.ts"
import { frenchRetention, RetentionClass, RetentionPeriod, RetentionRule } from "./Retention.ts"

/** The periods of a tenant for one class, in the place of the default ones. */
export const OwnRetention = Schema.Struct({
  class: RetentionClass,
  active: RetentionPeriod,
  archive: RetentionPeriod,
  source: Schema.String.check(
    Schema.isPattern(/\S/u, { message: "Expected a text that is not blank" }),
    Schema.isMaxLength(200)
  )
}).annotate({ identifier: "OwnRetention" })
export type OwnRetention = typeof OwnRetention.Type

export const ChangeRetention = Schema.Struct({
  isAutomatic: Schema.Boolean,
  rules: Schema.optionalKey(Schema.Array(OwnRetention).check(Schema.isMaxLength(11)))
}).annotate({ identifier: "ChangeRetention" })
export type ChangeRetention = typeof ChangeRetention.Type

export const RetentionSettings = Schema.Struct({
  /** Whether a job erases what no clock keeps any more. */
  isAutomatic: Schema.Boolean,
  /** The rule of each class that counts now. */
  rules: Schema.Array(RetentionRule),
  changedAt: Schema.optionalKey(Instant),
  changedBy: Schema.optionalKey(Schema.String)
}).annotate({ identifier: "RetentionSettings" })
export type RetentionSettings = typeof RetentionSettings.Type

/** What the job would erase today, of some customers. */
export const RetentionPreview = Schema.Struct({
  erasable: Schema.Array(
    Schema.Struct({
      customerId: CustomerId,
      policyId: Schema.optionalKey(PolicyId),
      class: ErasableClass
    })
  ),
  /** How many customers were looked at. */
  customers: Schema.Int,
  /** How many of them have data that a hold keeps. */
  held: Schema.Int,
  /** The last of them, while there are more. */
  nextAfter: Schema.optionalKey(CustomerId)
}).annotate({ identifier: "RetentionPreview" })
export type RetentionPreview = typeof RetentionPreview.Type

/** The shortest time for which data may be kept, in whole years or in days. */
export const RetentionFloor = Schema.Struct({ class: RetentionClass, atLeast: RetentionPeriod })

/** Rules that keep data for less than the law asks, or of which a class has two. */
export class InvalidRetention extends Schema.TaggedError<InvalidRetention>()("InvalidRetention", {
  floors: Schema.Array(RetentionFloor),
  repeated: Schema.Array(RetentionClass)
}) {
  override get message() {
    return this.floors.length > 0
      ? "Some classes would be kept for less than their floor in details; say years where the floor does."
      : "A class has two rules; give each one at most."
  }
}

/** The classes of which the law asks for a time: the defaults are the floor. */
const duties: ReadonlySet<RetentionClass> = new Set([
  "CONTRACT",
  "BODILY_INJURY",
  "ACCOUNTING",
  "MANDATE"
])

/** The job looks at new customers once in so many days: a shorter time could be missed. */
const shortestDays = 30

const floorOf = (name: RetentionClass): RetentionPeriod => {
  const fallback = frenchRetention.find((rule) => rule.class === name)
  return fallback === undefined || !duties.has(name)
    ? { amount: shortestDays, unit: "DAY" }
    : { amount: fallback.active.amount + fallback.archive.amount, unit: fallback.archive.unit }
}

const sumOf = (periods: ReadonlyArray<RetentionPeriod>, unit: RetentionPeriod["unit"]): number =>
  periods.reduce((sum, period) => (period.unit === unit ? sum + period.amount : sum), 0)

/** Whether it is as long in every case: of days, 366 count as a year, since a year may have so many. */
const isShorter = ({ active, archive }: OwnRetention, floor: RetentionPeriod): boolean => {
  const years = sumOf([active, archive], "YEAR")
  const days = sumOf([active, archive], "DAY")
  return floor.unit === "YEAR"
    ? years + Math.floor(days / 366) < floor.amount
    : years * 365 + days < floor.amount
}

/** What is wrong with the rules of a tenant, if anything. */
export const retentionFault = (
  rules: ReadonlyArray<OwnRetention>
): InvalidRetention | undefined => {
  const names = rules.map((rule) => rule.class)
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))]
  const floors = rules.flatMap((rule) => {
    const atLeast = floorOf(rule.class)
    return isShorter(rule, atLeast) ? [{ class: rule.class, atLeast }] : []
  })
  return floors.length + repeated.length === 0
    ? undefined
    : new InvalidRetention({ floors, repeated })
}

/** The default rules, those of the tenant in the place of theirs. */
export const rulesOf = (own: ReadonlyArray<OwnRetention>): ReadonlyArray<RetentionRule> =>
  frenchRetention.map((rule) => {
    const other = own.find((one) => one.class === rule.class)
    return other === undefined
      ? rule
      : { ...rule, ...Struct.pick(other, ["active", "archive", "source"]) }
  })
