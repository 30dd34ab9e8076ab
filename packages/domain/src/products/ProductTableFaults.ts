/** What is wrong with the tables of a product's rating: a value without a row, a gap, an overlap. */
import type { CustomFieldValue } from "../values/CustomField.ts"
import type { Product, ProductFault } from "./Product.ts"
import { type Field, valueFault } from "./ProductFields.ts"
import type { Base, ExpressionInput, Factor, FieldInput, RatingInput } from "./ProductRating.ts"

type Faults = Generator<ProductFault, void>

/** The values that an input can take, as far as the document bounds them. */
export interface Domain {
  readonly kind: "NUMBER" | "INTEGER" | "LISTED" | "OPEN"
  readonly low: number
  readonly high: number
  /** All values of a `LISTED` one. */
  readonly values: ReadonlyArray<CustomFieldValue>
  /** What is wrong with a value as one of this input. */
  readonly valueFault: (value: CustomFieldValue) => string | undefined
}

export const fieldOf = (
  product: Pick<Product, "fields">,
  { key, of }: FieldInput
): Field | undefined => product.fields[ofEntity[of]].find((field) => field.key === key)

export const ofEntity = { POLICY: "policy", CUSTOMER: "customer", ASSET: "asset" } as const

const within = ({ max = Infinity, min = -Infinity }: RatingInput, low: number, high: number) => ({
  low: Math.max(low, min),
  high: Math.min(high, max)
})

const unbounded = { low: -Infinity, high: Infinity }

/** What the values of an expression can be, as it declares them. */
export const domainOfExpression = (input: ExpressionInput): Domain => {
  switch (input.type) {
    case "BOOLEAN":
      return {
        kind: "LISTED",
        ...unbounded,
        values: [true, false],
        valueFault: (value) =>
          typeof value === "boolean" ? undefined : "Give true or false, as the expression does."
      }
    case "INTEGER":
      return {
        kind: "INTEGER",
        ...within(input, -Infinity, Infinity),
        values: [],
        valueFault: (value) => (Number.isSafeInteger(value) ? undefined : "Give an integer.")
      }
    case "STRING": {
      const { values } = input
      return {
        kind: values === undefined ? "OPEN" : "LISTED",
        ...unbounded,
        values: values ?? [],
        valueFault: (value) => textFault(value, values)
      }
    }
  }
}

const textFault = (value: CustomFieldValue, values: ReadonlyArray<string> | undefined) => {
  if (typeof value !== "string") return "Give a text, as the expression does."
  return values === undefined || values.includes(value)
    ? undefined
    : `Give one of: ${values.join(", ")}.`
}

export const domainOf = (field: Field, input: FieldInput): Domain => {
  const bounds = (low: number, high: number) => within(input, low, high)
  const listed = (values: ReadonlyArray<CustomFieldValue>): Domain => ({
    kind: "LISTED",
    ...unbounded,
    values,
    valueFault: (value) => valueFault(field, value)
  })
  if (input.as !== "VALUE") {
    const [low, high] = input.as === "YEAR" ? [yearOf(field.min), yearOf(field.max)] : []
    const counted = bounds(low ?? 0, high ?? Infinity)
    return { kind: "INTEGER", ...counted, values: [], valueFault: countFault }
  }
  switch (field.type) {
    case "ENUM":
      return listed((field.values ?? []).map(({ id }) => id))
    case "BOOLEAN":
      return listed([true, false])
    case "STRING":
    case "DATE":
      return { ...listed([]), kind: "OPEN" }
    case "NUMBER":
    case "INTEGER":
    case "MONEY":
      return {
        kind: field.type === "NUMBER" ? "NUMBER" : "INTEGER",
        ...bounds(numeric(field.min) ?? -Infinity, numeric(field.max) ?? Infinity),
        values: [],
        valueFault: (value) => valueFault(field, value)
      }
  }
}

const numeric = (bound: string | number | undefined) =>
  typeof bound === "number" ? bound : undefined

const yearOf = (bound: string | number | undefined) =>
  typeof bound === "string" ? Number(bound.slice(0, 4)) : undefined

const countFault = (value: CustomFieldValue) =>
  Number.isSafeInteger(value) && Number(value) >= 0
    ? undefined
    : "Give an integer that is not negative, as dates make."

/** The faults of a factor or of a base that is looked up, given what its input can be. */
export function* tableFaults(
  table: Exclude<Base, { kind: "AMOUNT" }> | Factor,
  domain: Domain,
  at: string
): Faults {
  switch (table.kind) {
    case "VALUE":
      return yield* valueFaults(table, domain, at)
    case "RANGE":
      return yield* rangeFaults(table.rows, domain, at)
    case "LINEAR":
      return yield* linearFaults(table, domain, at)
    case "SHARE":
      if (domain.kind !== "INTEGER" || domain.low < 0) {
        yield {
          pointer: `${at}/input`,
          message: "Name an INTEGER or MONEY field whose `min` is at least 0."
        }
      }
  }
}

/** Up to so many integers a table by value may list one by one. */
const maxListed = 1000

function* valueFaults(
  table: {
    readonly rows: ReadonlyArray<{ readonly is: CustomFieldValue }>
    readonly otherwise?: number
  },
  domain: Domain,
  at: string
): Faults {
  const present = new Set<CustomFieldValue>()
  for (const [index, { is }] of table.rows.entries()) {
    const pointer = `${at}/rows/${index}/is`
    const fault = domain.valueFault(is)
    if (fault !== undefined) yield { pointer, message: fault }
    if (present.has(is)) yield { pointer, message: "Leave it out; an earlier row has this value." }
    present.add(is)
  }
  if (table.otherwise !== undefined) return
  const expected = listedValues(domain)
  if (expected === undefined) {
    yield {
      pointer: at,
      message: "Add `otherwise`; the values of its field cannot all be listed."
    }
    return
  }
  const missing = expected.filter((value) => !present.has(value))
  if (missing.length > 0) {
    yield {
      pointer: `${at}/rows`,
      message: `Add a row for ${missing.slice(0, 5).join(", ")}${missing.length > 5 ? ", …" : ""}, or \`otherwise\`.`
    }
  }
}

const listedValues = ({ high, kind, low, values }: Domain) => {
  if (kind === "LISTED") return values
  if (kind !== "INTEGER" || !(high - low < maxListed)) return undefined
  return Array.from({ length: high - low + 1 }, (_, index) => low + index)
}

function* rangeFaults(
  rows: ReadonlyArray<{ readonly from?: number; readonly below?: number }>,
  domain: Domain,
  at: string
): Faults {
  if (domain.kind !== "INTEGER" && domain.kind !== "NUMBER") {
    yield { pointer: `${at}/input`, message: "Name an input that is a number." }
    return
  }
  const first = rows[0]
  const last = rows.at(-1)
  if (first === undefined || last === undefined) {
    yield { pointer: `${at}/rows`, message: "Add the rows of the table." }
    return
  }
  if ((first.from ?? -Infinity) > domain.low) {
    yield { pointer: `${at}/rows/0/from`, message: endFault("Begin at most at", domain.low) }
  }
  for (const [index, { below, from }] of rows.entries()) {
    const pointer = `${at}/rows/${index}`
    if ((from ?? -Infinity) >= (below ?? Infinity)) {
      yield { pointer, message: "Choose `from` smaller than `below`." }
    }
    if (index === 0) continue
    const message = stepFault(rows[index - 1]?.below, from)
    if (message !== undefined) yield { pointer: `${pointer}/from`, message }
  }
  const end = last.below ?? Infinity
  if (!(end > domain.high || end === Infinity)) {
    const pointer = `${at}/rows/${rows.length - 1}/below`
    yield { pointer, message: endFault("End above", domain.high) }
  }
}

const endFault = (what: "Begin at most at" | "End above", bound: number): string =>
  Number.isFinite(bound)
    ? `${what} ${bound}, or leave it out; its input may reach as far.`
    : "Leave it out; its input has no bound on this side."

/** What is wrong between the end of a row and the beginning of the next: ranges are half open. */
const stepFault = (end: number | undefined, begin: number | undefined): string | undefined => {
  if (end === undefined) {
    return `Give the row before it a \`below\`, the first value that it no longer has${begin === undefined ? "" : `: ${begin}`}.`
  }
  if (begin === undefined || begin < end) {
    return `Choose \`from\` ${end}, where the row before it ends; this one overlaps it.`
  }
  if (begin === end) return undefined
  return `Choose \`from\` ${end}, where the row before it ends; between ${end} and ${begin} is a gap.`
}

function* linearFaults(
  { offset = 0, perUnit }: { readonly offset?: number; readonly perUnit: number },
  { high, kind, low }: Domain,
  at: string
): Faults {
  if (kind !== "INTEGER" || !Number.isFinite(low) || !Number.isFinite(high)) {
    yield {
      pointer: `${at}/input`,
      message: "Name an input that is an integer with `min` and `max`."
    }
    return
  }
  const rates = [offset + perUnit * low, offset + perUnit * high]
  if (rates.some((rate) => rate < 0 || rate > maxRate)) {
    yield {
      pointer: `${at}/perUnit`,
      message: `Choose \`perUnit\` and \`offset\` so that the rate stays between 0 and ${maxRate} for every value of the input.`
    }
  }
}

const maxRate = 10_000_000
