/** Why a price moves, in the rows of a table: the largest reasons, and what is left together. */
import type { ExplanationStep } from "@quittance/domain/products/Quote"
import type { PricePart } from "@quittance/pricing/portfolio/Comparison"
import { format } from "../terminal/Money.ts"
import { language } from "../terminal/Numbers.ts"

/** How amounts of the product are read. */
export interface Reading {
  readonly currency: string
}

/** A reason: what it is, how it was and is, and by how many minor units it moves the price. */
export interface WhyRow {
  readonly because: string
  readonly before: string
  readonly after: string
  readonly change: number
}

/** How many reasons stand for themselves. */
const most = 5

/** The reasons that have terms of their own, the largest first; then what is levied on them, and the rest. */
export const why = (parts: ReadonlyArray<PricePart>, reading: Reading): ReadonlyArray<WhyRow> => {
  const levied = parts.filter(({ cause }) => cause === "BASE")
  const rounding = parts.filter(({ cause }) => cause === "ROUNDING")
  const own = parts.filter((part) => !levied.includes(part) && !rounding.includes(part))
  const rows = alike(own, reading).toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))
  return [
    ...rows.slice(0, most),
    ...together(levied, "Shares, discounts and taxes on what moved"),
    ...together([...rows.slice(most), ...rounding], "Everything else")
  ]
}

/** A row for each part; a factor or a tax that moves several components alike is one of them. */
const alike = (parts: ReadonlyArray<PricePart>, reading: Reading): ReadonlyArray<WhyRow> => {
  const groups = Map.groupBy(parts, (part) => {
    const { after, before } = rowOf(part, reading)
    const { id, kind, label } = part.after ?? part.before ?? {}
    const spreads = kind === "FACTOR" || kind === "TAX"
    return JSON.stringify([spreads ? [kind, id, label] : parts.indexOf(part), before, after])
  })
  return [...groups.values()].map((group) => {
    const row = rowOf(group[0]!, reading)
    if (group.length === 1) return row
    const label = (group[0]!.after ?? group[0]!.before)?.label ?? ""
    const change = group.reduce((sum, part) => sum + part.change, 0)
    return { ...row, because: `${label}, in ${group.length} components`, change }
  })
}

const together = (
  parts: ReadonlyArray<{ readonly change: number }>,
  because: string
): ReadonlyArray<WhyRow> => {
  const change = parts.reduce((sum, part) => sum + part.change, 0)
  return change === 0 ? [] : [{ because, before: "", after: "", change }]
}

const rowOf = (part: PricePart, reading: Reading): WhyRow => {
  const { after, before, change } = part
  return {
    because: titleOf(part),
    before: before === undefined ? "–" : sideOf(part, before, reading),
    after: after === undefined ? "–" : sideOf(part, after, reading),
    change
  }
}

const titleOf = ({ after, before, cause, label }: PricePart): string => {
  const step = after ?? before
  if (step === undefined) return cause === "ADDED" ? `${label}: added` : `${label}: left out`
  if (step.kind === "MINIMUM" || step.kind === "MAXIMUM") {
    return `${label}: ${step.kind === "MINIMUM" ? "least" : "greatest"} price`
  }
  return step.label === label ? label : `${label}: ${step.label}`
}

/** One side of a reason by what tells it from the other: its inputs, its rate, or its amount. */
const sideOf = ({ cause }: PricePart, step: ExplanationStep, reading: Reading): string => {
  const inputs = step.inputs.filter(({ id }) => id !== "base" && id !== "share")
  if (cause === "INPUT" && inputs.length > 0) {
    return inputs.map(({ id, value }) => `${id} ${String(value)}`).join(", ")
  }
  const share = step.inputs.find(({ id }) => id === "share")
  if (share !== undefined) return String(share.value)
  return step.rate === undefined
    ? format(step.change, reading.currency)
    : `× ${(step.rate / 10_000).toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`
}
