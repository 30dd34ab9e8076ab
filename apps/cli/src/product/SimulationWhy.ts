/** Why a price moves, in the rows of a table: the largest reasons, and what is left together. */
import type { ExplanationStep } from "@quittance/domain/Quote"
import type { PricePart } from "@quittance/pricing/Comparison"
import { format } from "../terminal/Money.ts"

/** How people of the product read amounts. */
export interface Reading {
  readonly currency: string
  readonly locale: string
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
  const own = parts
    .filter(({ cause }) => cause !== "BASE" && cause !== "ROUNDING")
    .toSorted((a, b) => Math.abs(b.change) - Math.abs(a.change))
  const shown = own.slice(0, most)
  const levied = parts.filter(({ cause }) => cause === "BASE")
  const others = parts.filter((part) => !shown.includes(part) && !levied.includes(part))
  return [
    ...shown.map((part) => rowOf(part, reading)),
    ...together(levied, "Shares, discounts and taxes on what moved"),
    ...together(others, "Everything else")
  ]
}

const together = (parts: ReadonlyArray<PricePart>, because: string): ReadonlyArray<WhyRow> => {
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
    ? format(step.change, reading.currency, reading)
    : `× ${(step.rate / 10_000).toLocaleString(reading.locale, { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`
}
