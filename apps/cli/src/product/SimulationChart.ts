/** A simulation as a picture: how many policies' prices move by how much. */
import { format as formatSelection } from "@quittance/domain/portfolio/PolicySelection"
import { type Bar, histogram } from "@quittance/pricing/portfolio/ChangeHistogram"
import { count as countOf, counted } from "../terminal/Numbers.ts"
import { change, share } from "../terminal/Percent.ts"
import { element, escape, text } from "../terminal/Svg.ts"
import { rangeOf, type SimulationAnswer, versionsOf } from "./SimulationAnswer.ts"
import { type Column, heightOf, placeOf, type Plot, plotOf, ticksOf } from "./SimulationPlot.ts"

const size = { width: 960, height: 540 }

/** It follows the reader's light or dark, and needs nothing from anywhere. */
const style = `
text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; fill: #1f2328 }
.paper { fill: #ffffff }
.title { font-size: 20px; font-weight: 600 }
.muted { fill: #59636e }
.grid { stroke: #d1d9e0 }
.axis { stroke: #59636e }
.FALL { fill: #0969da }
.UNCHANGED { fill: #818b98 }
.RISE { fill: #bc4c00 }
.median { stroke: #1f2328; stroke-width: 1.5; stroke-dasharray: 5 4 }
.strong { font-weight: 600 }
.open { opacity: 0.6 }
.count { stroke: #ffffff; stroke-width: 3px; paint-order: stroke }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  .paper { fill: #0d1117 }
  .muted { fill: #9198a1 }
  .grid { stroke: #30363d }
  .axis { stroke: #9198a1 }
  .FALL { fill: #4493f8 }
  .UNCHANGED { fill: #9198a1 }
  .RISE { fill: #f0883e }
  .median { stroke: #e6edf3 }
  .count { stroke: #0d1117 }
}
`

/** The picture as SVG. The same answer makes the same bytes. */
export const chart = (answer: SimulationAnswer): string => {
  const title = `${answer.draft.productId}: what ${answer.draft.version} does to prices`
  const bars = histogram(answer.changes)
  const body = bars.length === 0 ? [nothing] : plotted(answer, plotOf(bars, size))
  return `${element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${size.width} ${size.height}`,
      width: size.width,
      height: size.height,
      role: "img"
    },
    element("title", {}, escape(title)),
    element("desc", {}, escape(about(answer))),
    element("style", {}, style),
    element("rect", { class: "paper", ...size }),
    text({ class: "title", x: 24, y: 40 }, title),
    text({ class: "muted", x: 24, y: 64 }, shortened(about(answer), 130)),
    ...body
  )}\n`
}

const about = (answer: SimulationAnswer): string => {
  const { changes, selection, tenant, term } = answer
  const versions = versionsOf(answer).map(([version]) => version)
  return [
    `${counted(changes.count, "live policy", "live policies")} of ${tenant}`,
    ...(versions.length === 0 ? [] : [`in force ${versions.join(", ")}`]),
    term === "RUNNING" ? "the running term" : "the next term",
    formatSelection(selection).join(" ")
  ].join(" · ")
}

const shortened = (text: string, most: number): string => {
  const characters = [...text]
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text
}

const middle = { "text-anchor": "middle" } as const

const nothing = text(
  { class: "muted", x: size.width / 2, y: size.height / 2, ...middle },
  "No policy has a price under it."
)

const plotted = (answer: SimulationAnswer, plot: Plot): ReadonlyArray<string> => [
  ...legend(answer),
  ...lines(plot),
  ...plot.columns.map(columnOf),
  element("line", {
    class: "axis",
    x1: plot.left,
    x2: plot.right,
    y1: plot.bottom,
    y2: plot.bottom
  }),
  ...median(answer, plot),
  ...countsOn(plot),
  ...changesBelow(plot)
]

/** What the colours mean, with the part that each has; then the mean. */
const legend = ({ changes }: SimulationAnswer): ReadonlyArray<string> => {
  const part = (count: number) => share(count, changes.count)
  const entries = [
    ["FALL", `cheaper ${part(changes.falls)}`],
    ["UNCHANGED", `unchanged ${part(changes.unchanged)}`],
    ["RISE", `dearer ${part(changes.rises)}`]
  ] as const
  return [
    ...entries.flatMap(([kind, label], index) => [
      element("rect", { class: kind, x: 24 + index * 180, y: 84, width: 12, height: 12, rx: 2 }),
      text({ x: 42 + index * 180, y: 95 }, label)
    ]),
    text({ x: 24 + 3 * 180, y: 95 }, `mean ${change(changes.mean ?? 0)}`)
  ]
}

/** The lines across, and how many policies they stand for. */
const lines = (plot: Plot): ReadonlyArray<string> => [
  ...plot.counts.flatMap((count) => {
    const y = heightOf(plot, count)
    return [
      element("line", { class: "grid", x1: plot.left, x2: plot.right, y1: y, y2: y }),
      text({ class: "muted", x: plot.left - 10, y: y + 4, "text-anchor": "end" }, countOf(count))
    ]
  }),
  text({ class: "muted", x: 24, y: plot.top - 16 }, "Policies")
]

const gap = 2

const isOpen = ({ from, to }: Bar): boolean => from === undefined || to === undefined

const columnOf = ({ bar, height, width, x, y }: Column): string =>
  element(
    "rect",
    {
      class: isOpen(bar) ? `${bar.kind} open` : bar.kind,
      x: x + gap / 2,
      y,
      width: width - gap,
      height,
      rx: Math.min(2, height / 2)
    },
    element("title", {}, escape(`${rangeOf(bar)}: ${countOf(bar.count)}`))
  )

/** Pixels of a digit. */
const digit = 7.5

/** How many policies a bar is, if all that is written there has room. */
const countsOn = ({ columns }: Plot): ReadonlyArray<string> => {
  const written = columns
    .filter(({ bar }) => bar.count > 0)
    .map(({ bar, width, x, y }) => ({
      x: x + width / 2,
      y: y - 6,
      label: countOf(bar.count)
    }))
  const longest = Math.max(...written.map(({ label }) => label.length))
  if (longest * digit > (columns[0]?.width ?? 0)) return []
  return written.map(({ label, x, y }) => text({ class: "count", x, y, ...middle }, label))
}

/** What the axis below says, and what lies beyond its ends. */
const changesBelow = (plot: Plot): ReadonlyArray<string> => {
  const { bottom, columns, left, right } = plot
  const beyond = (at: number, anchor: "start" | "end", x: number) => {
    const bar = columns.at(at)?.bar
    return bar === undefined || !isOpen(bar)
      ? []
      : [text({ class: "muted", x, y: bottom + 42, "text-anchor": anchor }, rangeOf(bar))]
  }
  return [
    ...ticksOf(plot).flatMap(({ change: at, x }) => [
      element("line", { class: "axis", x1: x, x2: x, y1: bottom, y2: bottom + 5 }),
      text({ class: "muted", x, y: bottom + 21, ...middle }, change(at, 0))
    ]),
    ...beyond(0, "start", columns[0]?.x ?? left),
    ...beyond(-1, "end", right),
    text(
      { x: (left + right) / 2, y: size.height - 22, ...middle },
      "Change of the whole term's premium, fees and taxes included"
    )
  ]
}

const median = ({ changes }: SimulationAnswer, plot: Plot): ReadonlyArray<string> => {
  const at = changes.quantile(50) ?? 0
  const x = placeOf(plot, at)
  const isRight = x > (plot.left + plot.right) / 2
  return [
    element("line", { class: "median", x1: x, x2: x, y1: plot.top - 10, y2: plot.bottom }),
    text(
      {
        class: "strong",
        x: isRight ? x - 8 : x + 8,
        y: plot.top - 8,
        "text-anchor": isRight ? "end" : "start"
      },
      `median ${change(at)}`
    )
  ]
}
