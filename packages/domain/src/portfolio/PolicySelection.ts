/** Which live policies a command is about, as people write it: `status=POLICY_STARTED`, `sample=1000`. */
import { Result, Schema } from "effect"
import { type LocalDate, parse as parseDay } from "../values/LocalDate.ts"
import type { PolicyStatus } from "../policies/Policy.ts"
import { ProductVersion } from "../products/Product.ts"
import { BrokerageFirmId } from "../values/Ids.ts"

/**
 * What a policy that is insured may be in: `POLICY_CONFIRMED` is signed and waits for its first
 * payment.
 */
export const liveStatuses = [
  "POLICY_CONFIRMED",
  "POLICY_SIGNED",
  "POLICY_STARTED",
  "POLICY_SUSPENDED"
] as const satisfies ReadonlyArray<PolicyStatus>
type LiveStatus = (typeof liveStatuses)[number]

/** Policies that fit every criterion; what is absent does not restrict. */
export interface PolicySelection {
  readonly statuses?: ReadonlyArray<LiveStatus>
  readonly firmIds?: ReadonlyArray<BrokerageFirmId>
  readonly productVersions?: ReadonlyArray<string>
  /** The planned start is on this local day of the product or later. */
  readonly startedAfter?: LocalDate
  /** The planned start is before this local day of the product. */
  readonly startedBefore?: LocalDate
  /** So many of them, always the same ones. */
  readonly sample?: number
}

/** What is wrong with a selection, all of it, and what is accepted. */
export class InvalidSelection extends Schema.TaggedError<InvalidSelection>()("InvalidSelection", {
  faults: Schema.Array(Schema.String)
}) {
  override get message() {
    return [...this.faults, "A selection is made of:", ...accepted].join("\n")
  }
}

const accepted = [
  "  all                        every live policy of the product",
  `  status=STATUS,…            ${liveStatuses.join(", ")}`,
  "  firm=ID,…                  of these brokerage firms",
  "  product-version=VERSION,…  that have one of these versions now",
  "  started-after=YYYY-MM-DD   whose planned start is on that day or later",
  "  started-before=YYYY-MM-DD  whose planned start is before that day",
  "  sample=N                   so many of them, always the same ones",
  "Give each criterion once; a policy has to fit all of them."
]

type Read = (text: string) => PolicySelection | undefined

const isLiveStatus = (text: string): text is LiveStatus =>
  liveStatuses.some((status) => status === text)
const isFirmId = Schema.is(BrokerageFirmId)

const listOf =
  <A extends string>(
    is: (text: string) => text is A,
    make: (list: ReadonlyArray<A>) => PolicySelection
  ): Read =>
  (text) => {
    const list = text.split(",")
    return list.every(is) ? make(list) : undefined
  }

const dayOf =
  (make: (day: LocalDate) => PolicySelection): Read =>
  (text) => {
    const day = parseDay(text)
    return day === undefined ? undefined : make(day)
  }

const isVersion = Schema.is(ProductVersion)

const criteria: Readonly<Record<string, Read>> = {
  status: listOf(isLiveStatus, (statuses) => ({ statuses })),
  firm: listOf(isFirmId, (firmIds) => ({ firmIds })),
  "product-version": listOf(isVersion, (productVersions) => ({ productVersions })),
  "started-after": dayOf((startedAfter) => ({ startedAfter })),
  "started-before": dayOf((startedBefore) => ({ startedBefore })),
  sample: (text) => (/^[1-9]\d{0,7}$/u.test(text) ? { sample: Number(text) } : undefined)
}

/** Reads the criteria of a selection, or tells every fault. */
export const parse = (
  texts: ReadonlyArray<string>
): Result.Result<PolicySelection, InvalidSelection> => {
  if (texts.length === 1 && texts[0] === "all") return Result.succeed({})
  const faults: Array<string> = texts.length === 0 ? ["Say which policies."] : []
  const seen = new Set<string>()
  const parts: Array<PolicySelection> = []
  for (const text of texts) {
    const [name, value] = split(text)
    const read = Object.hasOwn(criteria, name) ? criteria[name] : undefined
    const part = read?.(value)
    if (text === "all") faults.push("`all` stands alone; leave it out beside other criteria.")
    else if (read === undefined) faults.push(`There is no criterion \`${text}\`.`)
    else if (seen.has(name))
      faults.push(`\`${name}\` is given twice; put its values in one, by commas.`)
    else if (part === undefined) faults.push(`\`${name}\` can't be \`${value}\`.`)
    else parts.push(part)
    seen.add(name)
  }
  return faults.length === 0
    ? Result.succeed(Object.assign({}, ...parts))
    : Result.fail(new InvalidSelection({ faults }))
}

const split = (text: string): readonly [string, string] => {
  const sign = text.indexOf("=")
  return sign === -1 ? [text, ""] : [text.slice(0, sign), text.slice(sign + 1)]
}

/** The criteria as `parse` reads them, in one order. */
export const format = (selection: PolicySelection): ReadonlyArray<string> => {
  const { firmIds, productVersions, sample, startedAfter, startedBefore, statuses } = selection
  const texts = [
    ["status", statuses?.join(",")],
    ["firm", firmIds?.join(",")],
    ["product-version", productVersions?.join(",")],
    ["started-after", startedAfter],
    ["started-before", startedBefore],
    ["sample", sample]
  ].flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return texts.length === 0 ? ["all"] : texts
}
