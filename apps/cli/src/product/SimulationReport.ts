/** A simulation as it is printed. */
import { format as formatSelection } from "@quittance/domain/portfolio/PolicySelection"
import { type Bar, histogram } from "@quittance/pricing/portfolio/ChangeHistogram"
import { format } from "../terminal/Money.ts"
import { count as countOf } from "../terminal/Numbers.ts"
import { change, share } from "../terminal/Percent.ts"
import { lines, plain, type Table } from "../terminal/Table.ts"
import {
  changeOf,
  quantiles,
  rangeOf,
  type SimulationAnswer,
  termOf,
  versionsOf
} from "./SimulationAnswer.ts"
import { why } from "./SimulationWhy.ts"

/** The whole report, in so many columns as far as names let it. */
export const report = (answer: SimulationAnswer, width: number): string =>
  [
    heading(answer),
    ...(answer.changes.count === 0
      ? []
      : [totals(answer, width), distribution(answer, width), bars(answer, width)]),
    ...(answer.unpriced.count === 0 ? [] : [unpriced(answer)]),
    ...(answer.largest.length === 0 ? [] : ["The largest changes, and why"]),
    ...answer.largest.map((_, index) => largest(answer, index, width))
  ].join("\n\n")

const heading = (answer: SimulationAnswer): string => {
  const { count, draft, now, selection, tenant } = answer
  const inForce = versionsOf(answer).map(([version, count]) => `${version} (${countOf(count)})`)
  return [
    `${draft.productId} ${draft.version}, a draft, on live policies of ${tenant}`,
    `  policies  ${formatSelection(selection).join(" ")}, as of ${now}`,
    `  term      ${termOf(answer)}`,
    `  in force  ${inForce.length === 0 ? "no policy" : inForce.join(", ")}`,
    `  priced    ${countOf(answer.changes.count)} of ${countOf(count)}`
  ].join("\n")
}

const tableOf = (table: Table, width: number): string => lines(table, width, plain).join("\n")

const totals = ({ changes, draft }: SimulationAnswer, width: number): string => {
  const { currency } = draft
  const { mean = 0, meanAmount = 0, totalAfter, totalBefore } = changes
  const money = (amount: number | bigint) => format(amount, currency)
  const moved = (amount: number | bigint) => format(amount, currency, { signed: true })
  const difference = totalAfter - totalBefore
  const together =
    totalBefore === 0n ? "" : change((Number(difference) * 10_000) / Number(totalBefore))
  const table: Table = {
    columns: [
      { header: "Whole term, fees and taxes included" },
      { header: "In force", align: "right" },
      { header: "Draft", align: "right" },
      { header: "Difference", align: "right" },
      { header: "", align: "right" }
    ],
    rows: [
      ["All of them", money(totalBefore), money(totalAfter), moved(difference), together],
      ["A policy, on average", "", "", moved(meanAmount), change(mean)]
    ]
  }
  return tableOf(table, width)
}

const distribution = ({ changes }: SimulationAnswer, width: number): string => {
  const part = (count: number) => `${countOf(count)} (${share(count, changes.count)})`
  const table: Table = {
    columns: [
      { header: "Quantile" },
      ...quantiles.map((percent) => ({
        header: percent === 50 ? "median" : `${percent} %`,
        align: "right" as const
      }))
    ],
    rows: [["Change", ...quantiles.map((percent) => change(changes.quantile(percent) ?? 0))]]
  }
  return [
    `Rises ${part(changes.rises)}, falls ${part(changes.falls)}, unchanged ${part(changes.unchanged)}`,
    "",
    tableOf(table, width)
  ].join("\n")
}

const longestBar = 40

const bars = ({ changes }: SimulationAnswer, width: number): string => {
  const all = histogram(changes)
  const most = Math.max(...all.map(({ count }) => count))
  const table: Table = {
    columns: [{ header: "Change" }, { header: "Policies", align: "right" }, { header: "" }],
    rows: all.map((bar) => [rangeOf(bar), countOf(bar.count), drawn(bar, most)])
  }
  return tableOf(table, width)
}

/** What is there at all is seen, however little it is. */
const drawn = ({ count }: Bar, most: number): string => {
  const eighths = Math.max(count > 0 ? 1 : 0, Math.round((count * longestBar * 8) / most))
  return (
    "█".repeat(Math.floor(eighths / 8)) +
    (["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8] ?? "")
  )
}

const unpriced = ({ count, unpriced }: SimulationAnswer): string => {
  const { further, reasons } = unpriced
  return [
    `Without a price under the draft: ${countOf(unpriced.count)} of ${countOf(count)}; a policy may have several reasons`,
    ...reasons.map(
      ({ at, code, count, examples, message }) =>
        `  ${countOf(count)} × ${code} at ${at}\n    ${message}\n    such as ${examples.join(", ")}`
    ),
    ...(further === 0 ? [] : [`  ${countOf(further)} × other reasons`])
  ].join("\n")
}

const largest = ({ draft, largest }: SimulationAnswer, index: number, width: number): string => {
  const { currency } = draft
  const one = largest[index]!
  const money = (amount: number) => format(amount, currency)
  const moved = (amount: number) => format(amount, currency, { signed: true })
  const table: Table = {
    columns: [
      { header: "Because of" },
      { header: "In force", align: "right" },
      { header: "Draft", align: "right" },
      { header: "Change", align: "right" }
    ],
    rows: why(one.parts, draft).map((row) => [
      row.because,
      row.before,
      row.after,
      moved(row.change)
    ]),
    total: ["Together", money(one.before), money(one.after), moved(one.after - one.before)]
  }
  return [
    `${index + 1}. ${one.policyId}, ${one.productVersion}, ${change(changeOf(one))}`,
    tableOf(table, width)
  ].join("\n")
}
