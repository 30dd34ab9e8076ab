/** Runs files of test vectors, `{ topic, cases: [{ id, input, expected }] }`, against the code. */
import { gridOf, type GridRule, type Period, periodsOfTerm, tile } from "@quittance/billing/Grid"
import { amountsOf, costOfSlice, planOf } from "@quittance/billing/Plan"
import { slicesOf } from "@quittance/billing/Slices"
import { allocate, allocateExact, gcd } from "@quittance/domain/Allocation"
import { Frequency, Timing } from "@quittance/domain/InvoicingConfig"
import {
  addDays,
  dayOfMonth,
  fromEpochDay,
  LocalDate,
  toEpochDay
} from "@quittance/domain/LocalDate"
import { startOfDay, TimeZone } from "@quittance/domain/TimeZone"
import { Schema } from "effect"

export interface VectorFile {
  readonly name: string
  readonly text: string
}

export interface VectorResult {
  readonly file: string
  readonly id: string
  readonly passed: boolean
  readonly expected: string
  readonly got: string
}

/** Every case of every file. A file that is no vector file, or has no case, is one failure. */
export const run = (files: ReadonlyArray<VectorFile>): ReadonlyArray<VectorResult> =>
  files.flatMap(runFile)

/** Each failure with what was expected and what came, then `N passed, N failed`. */
export const format = (results: ReadonlyArray<VectorResult>): string => {
  const failures = results.filter(({ passed }) => !passed)
  return [
    ...failures.map(
      ({ expected, file, got, id }) => `${file} ${id}\n  expected ${expected}\n  got      ${got}`
    ),
    `${results.length - failures.length} passed, ${failures.length} failed`
  ].join("\n")
}

const Case = Schema.Struct({
  id: Schema.String,
  input: Schema.Unknown,
  expected: Schema.Unknown
})
const File = Schema.Struct({
  topic: Schema.String,
  cases: Schema.Array(Case).check(Schema.isMinLength(1))
})

const runFile = ({ name, text }: VectorFile): ReadonlyArray<VectorResult> => {
  const failure = (got: string): VectorResult => ({
    file: name,
    id: "(file)",
    passed: false,
    expected: "a file of vectors",
    got
  })
  let file: typeof File.Type
  try {
    file = Schema.decodeUnknownSync(File)(parseExact(text))
  } catch (error) {
    return [failure(String(error))]
  }
  const topic = topics.get(file.topic)
  if (topic === undefined)
    return file.cases.map(({ id }) => ({ ...failure(`no topic ${file.topic}`), id }))
  return file.cases.map(({ expected, id, input }) => {
    const [wanted, got] = [canonical(expected), outcome(topic, input)]
    return { file: name, id, passed: wanted === got, expected: wanted, got }
  })
}

/** What a topic makes of an input; a refusal of it is `{ error: true }`. */
const outcome = (topic: Topic, input: unknown): string => {
  try {
    return canonical(topic(input))
  } catch (error) {
    const isRefusal = typeof error === "object" && error !== null && "_tag" in error
    return isRefusal ? canonical({ error: true }) : String(error)
  }
}

type Topic = (input: unknown) => unknown

/** A topic whose input has a schema. */
const topic =
  <S extends Schema.Codec<unknown, unknown>>(
    schema: S,
    run: (input: S["Type"]) => unknown
  ): Topic =>
  (input) =>
    run(Schema.decodeUnknownSync(schema)(input))

const Integer = Schema.Union([Schema.Int, Schema.BigInt])
const Day = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31 }))

const PlanInput = Schema.Struct({
  frequency: Frequency,
  start: LocalDate,
  end: LocalDate,
  anchorDay: Schema.NullOr(Day),
  price: Schema.Int
})

/** A vector's `anchorDay` is the grid's day of the month; without one the grid starts on the start day. */
const ruleOf = (frequency: Frequency, anchorDay: number | null, start: LocalDate): GridRule => ({
  frequency,
  anchorDay: dayOfMonth(start),
  alignment: anchorDay === null ? { kind: "START_DATE" } : { kind: "DAY_OF_MONTH", day: anchorDay }
})

const range = ({ end, start }: { readonly start: number; readonly end: number }) => ({
  start: fromEpochDay(start),
  end: fromEpochDay(end)
})

const fractionOf = ({ end, start, wholeDays }: Period): string => {
  const divisor = gcd(end - start, wholeDays)
  return wholeDays === divisor && end - start === divisor
    ? "1"
    : `${(end - start) / divisor}/${wholeDays / divisor}`
}

/** No period of the grid is longer: two years with a leap day. */
const longestPeriod = 731

const topics: ReadonlyMap<string, Topic> = new Map([
  [
    "periods",
    topic(
      Schema.Struct({ anchor: LocalDate, frequency: Frequency, count: Schema.Int }),
      ({ anchor, count, frequency }) => {
        const grid = gridOf(ruleOf(frequency, null, anchor), anchor)
        return { starts: Array.from({ length: count }, (_, k) => fromEpochDay(grid.at(k + 1))) }
      }
    )
  ],
  [
    "allocation",
    topic(
      Schema.Struct({
        amount: Integer,
        weights: Schema.Array(Schema.Union([Schema.Finite, Schema.BigInt]))
      }),
      ({ amount, weights }) => ({ parts: allocated(amount, integers(weights)) })
    )
  ],
  [
    "proration",
    topic(
      Schema.Struct({
        frequency: Frequency,
        timing: Timing,
        anchorDay: Schema.NullOr(Day),
        start: LocalDate,
        end: Schema.NullOr(LocalDate),
        until: LocalDate
      }),
      ({ anchorDay, end, frequency, start, timing, until }) => {
        const last = toEpochDay(until)
        const grid = gridOf(ruleOf(frequency, anchorDay, start), start)
        const limit = last + longestPeriod + 1
        const bound = end === null ? limit : Math.min(toEpochDay(end), limit)
        const items = tile(grid, toEpochDay(start), bound)
          .filter((period) => (timing === "IN_ADVANCE" ? period.start : period.end) <= last)
          .map((period) => ({ ...range(period), fraction: fractionOf(period) }))
        return { items }
      }
    )
  ],
  [
    "local-day",
    topic(Schema.Struct({ zone: TimeZone, date: LocalDate }), ({ date, zone }) => {
      const seconds = (day: LocalDate) => startOfDay(day, zone).replace(".000Z", "Z")
      return { start: seconds(date), end: seconds(addDays(date, 1)) }
    })
  ],
  [
    "plan",
    topic(PlanInput, ({ anchorDay, end, frequency, price, start }) => {
      const plan = planOf(periodsOfTerm(ruleOf(frequency, anchorDay, start), start, end))
      const amounts = amountsOf(plan, price)
      return {
        periods: plan.periods.map((period, index) => ({ ...range(period), amount: amounts[index] }))
      }
    })
  ],
  [
    "slices",
    topic(
      Schema.Struct({ ...PlanInput.fields, cuts: Schema.Array(LocalDate) }),
      ({ anchorDay, cuts, end, frequency, price, start }) => {
        const plan = planOf(periodsOfTerm(ruleOf(frequency, anchorDay, start), start, end))
        const amounts = amountsOf(plan, price)
        return {
          slices: slicesOf(plan.periods, cuts.map(toEpochDay)).map((slice) => ({
            ...range(slice),
            amount: costOfSlice(
              plan.periods[slice.period]!,
              amounts[slice.period]!,
              slice.start,
              slice.end
            )
          }))
        }
      }
    )
  ]
])

const allocated = (
  amount: number | bigint,
  weights: ReadonlyArray<number | bigint>
): ReadonlyArray<number | bigint> =>
  typeof amount === "number" && weights.every((weight) => typeof weight === "number")
    ? allocate(amount, weights)
    : allocateExact(BigInt(amount), weights.map(BigInt))

/** Decimal weights as integers in the same proportion. */
const integers = (weights: ReadonlyArray<number | bigint>): ReadonlyArray<number | bigint> => {
  const decimals = Math.max(
    0,
    ...weights.map((weight) => (String(weight).split(".")[1] ?? "").length)
  )
  return decimals === 0
    ? weights
    : weights.map((weight) => BigInt(shifted(String(weight), decimals)))
}

const shifted = (decimal: string, places: number): string => {
  const [whole, fraction = ""] = decimal.split(".")
  return `${whole}${fraction.padEnd(places, "0")}`
}

/** JSON with integers beyond 2^53 kept as they are written. */
const parseExact = (text: string): unknown => {
  // The type of `JSON.parse` does not know the reviver's third argument yet (ES2026).
  const reviver = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? BigInt(context?.source ?? value)
      : value
  return JSON.parse(text, reviver)
}

/** One text for one value: members by name, integers of either type alike. */
const canonical = (value: unknown): string => {
  if (typeof value === "bigint") return String(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`
  }
  return JSON.stringify(value) ?? "undefined"
}
