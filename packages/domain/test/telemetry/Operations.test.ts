/** What operators are given fits the metrics that there are: dashboard, alert rules, and the table in docs. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { catalogue, type Described, prometheusName } from "../../src/telemetry/Catalogue.ts"

const read = (file: string) =>
  readFileSync(new URL(`../../../../docs/${file}`, import.meta.url), "utf8")

const metrics: ReadonlyArray<Described> = Object.values(catalogue)

/** The names of the series that a metric is scraped as. */
const scraped = new Set(
  metrics.flatMap((metric) => {
    const name = prometheusName(metric)
    return metric.kind === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
  })
)

const labels = new Set([
  ...metrics.flatMap((metric) => metric.labels.map((label) => label.replaceAll(".", "_"))),
  // What Prometheus adds: a label of ours with a name of its own it calls `exported_…`.
  "exported_job",
  "instance",
  "job",
  "le"
])

interface Panel {
  readonly title: string
  readonly targets: ReadonlyArray<{ readonly expr: string }>
}
const { panels }: { readonly panels: ReadonlyArray<Panel> } = JSON.parse(
  read("telemetry/dashboard.json")
)
const queries = panels.flatMap(({ targets, title }) => targets.map(({ expr }) => ({ title, expr })))

const alerts = [
  ...read("telemetry/alerts.yaml").matchAll(
    /- alert: (\w+)\n\s+expr: (?:>-\n)?([\s\S]*?)\n\s+for:/gu
  )
].map(([, title, expr]) => ({ title: title!, expr: expr! }))

/** The names in an expression: what is left once texts, numbers, functions and words of PromQL are gone. */
const namesIn = (expr: string) =>
  [...expr.replace(/"[^"]*"/gu, "").matchAll(/[a-z_][a-z0-9_]*(?!\w|\s*\()/giu)]
    .map(([name]) => name)
    .filter((name) => !/^(?:__rate_interval|by|h|m|max|sum)$/u.test(name))

const unknownNames = (expr: string) =>
  namesIn(expr).filter((name) => !scraped.has(name) && !labels.has(name) && name !== "up")

describe("the dashboard and the alerts", () => {
  it("ask for metrics and labels that there are", () => {
    assert.isAbove(queries.length, 20)
    assert.isAbove(alerts.length, 10)
    for (const { expr, title } of [...queries, ...alerts]) {
      assert.deepStrictEqual(unknownNames(expr), [], title)
      assert.isTrue(
        namesIn(expr).some((name) => scraped.has(name) || name === "up"),
        title
      )
    }
    // The check finds what isn't there.
    assert.deepStrictEqual(unknownNames('sum(rate(quittance_typo_total{job="x"}[5m]))'), [
      "quittance_typo_total"
    ])
  })

  it("show every metric", () => {
    const shown = new Set([...queries, ...alerts].flatMap(({ expr }) => namesIn(expr)))
    const missing = metrics
      .map(prometheusName)
      .filter((name) =>
        [name, `${name}_bucket`, `${name}_count`].every((series) => !shown.has(series))
      )
    assert.deepStrictEqual(missing, [])
  })

  it("say what to do, for each alert", () => {
    const page = read("telemetry.md")
    for (const { title } of alerts) {
      const paragraph = page.split(`\n### ${title}\n`)[1]?.split("\n#")[0]?.trim() ?? ""
      assert.isAbove(paragraph.length, 100, title)
    }
    const told = [...page.matchAll(/^### (Quittance\w+)$/gmu)].map(([, title]) => title)
    assert.sameMembers(
      told,
      alerts.map(({ title }) => title)
    )
  })

  it("are PromQL to Prometheus itself", ({ skip }) => {
    if (isWithoutPromtool()) skip(withoutPromtool)
    const rules = queries.map(
      ({ expr }, index) =>
        `      - record: query:number_${index}\n        expr: ${JSON.stringify(filled(expr))}\n`
    )
    const folder = mkdtempSync(join(tmpdir(), "quittance-rules-"))
    try {
      const file = join(folder, "dashboard.yaml")
      writeFileSync(file, `groups:\n  - name: dashboard\n    rules:\n${rules.join("")}`)
      assert.include(promtool("rules", file), `${queries.length} rules found`)
    } finally {
      rmSync(folder, { recursive: true })
    }
    const shipped = new URL("../../../../docs/telemetry/alerts.yaml", import.meta.url).pathname
    assert.include(promtool("rules", shipped), `${alerts.length} rules found`)
  })
})

/** What Grafana puts in before it asks. */
const filled = (expr: string) =>
  expr.replaceAll("$__rate_interval", "5m").replaceAll("$instance", ".*")

const promtool = (...args: ReadonlyArray<string>) =>
  execFileSync("promtool", ["check", ...args], { encoding: "utf8" })

const withoutPromtool =
  "Prometheus is not asked: install promtool (Debian's package prometheus) to have it asked"

/** CI has it, or has said that it can't install it. */
const isWithoutPromtool = () => {
  const { CI, NO_PROMTOOL } = process.env
  if (CI !== undefined && NO_PROMTOOL === undefined) return false
  return spawnSync("promtool", ["--version"]).error !== undefined
}

describe("the table of metrics", () => {
  it("is the catalogue", () => {
    const rows = metrics.map((metric) => {
      const labels = metric.labels.map((label) => `\`${label.replaceAll(".", "_")}\``).join(", ")
      return [
        `\`${prometheusName(metric)}\``,
        `\`${metric.name}\``,
        metric.kind,
        labels,
        metric.help
      ]
    })
    const table = read("telemetry.md")
      .split("\n")
      .filter((line) => /^\| `[a-z0-9_]+` +\| `[a-z0-9._]+` +\|/u.test(line))
      .map((line) =>
        line
          .slice(1, -1)
          .split("|")
          .map((cell) => cell.trim())
      )
    assert.deepStrictEqual(table, rows)
  })
})
