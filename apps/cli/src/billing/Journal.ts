/** `quittance billing journal`: the entries of a time, for accountants. */
import { FecChart, fecHead, fecLines } from "@quittance/domain/accounting/Fec"
import {
  csvHead,
  csvLines,
  type JournalEntry,
  type JournalSums,
  summed
} from "@quittance/domain/accounting/Journal"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { Journals } from "@quittance/operations/accounting/Journals"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { Console, Effect, FileSystem, Layer, Option, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import * as AdminDatabase from "../admin/AdminDatabase.ts"
import { forTenant, tenant } from "../admin/AdminTenant.ts"
import { asProblems, problem } from "../Problem.ts"

const layer = Layer.mergeAll(Journals.layer, TenantsRepo.layer).pipe(
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(AdminDatabase.layer)
)

const day = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.withSchema(LocalDate))

const readChart = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(file)
  return yield* Schema.decodeUnknownEffect(Schema.fromJsonString(FecChart))(text)
})

/** How the lines of an entry are written, after a first line. */
const formatOf = Effect.fnUntraced(function* (format: "CSV" | "FEC", file: Option.Option<string>) {
  if (format === "CSV") {
    return { head: csvHead, lines: (entry: JournalEntry) => Effect.succeed(csvLines(entry)) }
  }
  if (Option.isNone(file)) {
    return yield* problem("A FEC needs --chart FILE: docs/billing.md shows what is in it.")
  }
  const chart = yield* readChart(file.value)
  return {
    head: fecHead,
    lines: (entry: JournalEntry) => Effect.fromResult(fecLines(entry, chart))
  }
})

export const journal = Command.make(
  "journal",
  {
    tenant,
    from: day("from", "The first day, in the tenant's time zone: 2026-01-01"),
    to: day("to", "The last day, which has to be over: 2026-01-31"),
    format: Flag.Literals("format", ["CSV", "FEC"]).pipe(
      Flag.withDefault("CSV"),
      Flag.withDescription("CSV, or FEC, the file of the French tax administration")
    ),
    chart: Flag.File("chart").pipe(
      Flag.optional,
      Flag.withDescription("How a FEC names accounts and journals, as JSON")
    )
  },
  Effect.fn(
    function* ({ chart, format, from, tenant, to }) {
      const { head, lines } = yield* formatOf(format, chart)
      let sums: JournalSums = new Map()
      let count = 0
      yield* Console.log(head)
      yield* forTenant(
        tenant,
        Journals.use((journals) =>
          journals.forEach({ from, to }, (entries) =>
            Effect.gen(function* () {
              const written = yield* Effect.forEach(entries, lines)
              yield* Console.log(written.flat().join("\n"))
              sums = summed(sums, entries)
              count += entries.length
            })
          )
        )
      )
      yield* Console.error(report(count, sums))
    },
    (effect) => effect.pipe(Effect.provide(layer), asProblems)
  )
).pipe(
  Command.withDescription("Write the entries that were recorded in some days, in their order"),
  Command.withExamples([
    {
      command: "quittance billing journal --tenant acme --from 2026-01-01 --to 2026-01-31",
      description: "A month as CSV; what each account comes to follows on standard error"
    }
  ])
)

/** What the journal comes to, by account, in minor units: it sums to nothing. */
const report = (count: number, sums: JournalSums): string =>
  [
    `entries   ${count}`,
    ...[...sums].toSorted().map(([account, sum]) => `${String(sum).padStart(16)}  ${account}`)
  ].join("\n")
