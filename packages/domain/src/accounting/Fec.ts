/**
 * The *fichier des écritures comptables*: the journal as the French tax administration reads it, article
 * A47 A-1 of the livre des procédures fiscales. Eighteen columns, separated by tabs, amounts with a comma.
 */
import { Result, Schema } from "effect"
import { EntryKind } from "../billing/Entry.ts"
import { type JournalEntry, sides } from "./Journal.ts"

const Text = Schema.NonEmptyString

/**
 * How the accounts of the books are named in the tenant's chart of accounts. An account is found by its whole
 * name (`fee:FILE`), else by what is before the colon (`fee`).
 */
export const FecChart = Schema.Struct({
  accounts: Schema.Record(Text, Schema.Struct({ number: Text, label: Text })),
  journals: Schema.Record(EntryKind, Schema.Struct({ code: Text, label: Text, entryLabel: Text }))
}).annotate({ identifier: "FecChart" })
export type FecChart = typeof FecChart.Type

/** A chart lacks what an entry needs, or the entry is in no euros. */
export class NotInFec extends Schema.TaggedError<NotInFec>()("NotInFec", {
  entryId: Schema.String,
  lacks: Schema.String
}) {
  override get message() {
    return `Entry ${this.entryId} has no place in the file: ${this.lacks}.`
  }
}

const columns = [
  "JournalCode",
  "JournalLib",
  "EcritureNum",
  "EcritureDate",
  "CompteNum",
  "CompteLib",
  "CompAuxNum",
  "CompAuxLib",
  "PieceRef",
  "PieceDate",
  "EcritureLib",
  "Debit",
  "Credit",
  "EcritureLet",
  "DateLet",
  "ValidDate",
  "Montantdevise",
  "Idevise"
]

export const fecHead = columns.join("\t")

/** The accounts that stand for one customer: their number and name go into columns of their own. */
const ofCustomers = new Set(["receivable", "balance"])

/**
 * The lines of an entry. It is valid from the day on which it was recorded, since entries never change; its
 * document has the day on which it took effect.
 */
export const fecLines = (
  entry: JournalEntry,
  chart: FecChart
): Result.Result<ReadonlyArray<string>, NotInFec> => {
  const lacking = (lacks: string) => Result.fail(new NotInFec({ entryId: entry.id, lacks }))
  if (entry.currency !== "EUR") return lacking(`it is in ${entry.currency}, and the file in EUR`)
  const lines: Array<string> = []
  const { code, entryLabel, label } = chart.journals[entry.kind]
  for (const [index, account] of entry.accounts.entries()) {
    const name = account.split(":")[0]!
    const found = chart.accounts[account] ?? chart.accounts[name]
    if (found === undefined) return lacking(`add \`${name}\` to the accounts of the chart`)
    const isOfCustomer = ofCustomers.has(name)
    const { credit, debit } = sides(entry.amounts[index]!, entry.currency, ",")
    lines.push(
      [
        code,
        label,
        String(entry.number),
        compact(entry.recordedOn),
        found.number,
        found.label,
        isOfCustomer ? entry.customerId : "",
        isOfCustomer ? entry.customerName : "",
        entry.piece,
        compact(entry.occurredOn),
        `${entryLabel} ${entry.piece}`,
        debit,
        credit,
        "",
        "",
        compact(entry.recordedOn),
        "",
        ""
      ]
        .map(oneLine)
        .join("\t")
    )
  }
  return Result.succeed(lines)
}

const compact = (day: string): string => day.replaceAll("-", "")

/** Text without what ends a column or a line. */
const oneLine = (text: string): string => text.replaceAll(/[\t\r\n]+/gu, " ")
