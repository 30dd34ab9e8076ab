/** What a person is shown of their data (GDPR art. 15): which rows, and what is left out of them. */
import { Schema } from "effect"
import { dataMaps } from "../PersonalData.ts"
import { Instant } from "../values/Instant.ts"
import type { DataMap, DataSubject, TableData } from "../values/PersonalData.ts"
import { subjectKind } from "./DataSubjects.ts"
import { PrivacyRequestId } from "./PrivacyRequest.ts"

/** The rows of one table. */
export const DataExportSection = Schema.Struct({
  /** The part of the service that keeps them. */
  area: Schema.String,
  table: Schema.String,
  retentionClass: Schema.String,
  rows: Schema.Array(Schema.Record(Schema.String, Schema.Json)),
  /** How many rows are not shown: they are of policies that other persons are on, too. */
  leftOut: Schema.Int
}).annotate({ identifier: "DataExportSection" })

export const DataExport = Schema.Struct({
  privacyRequestId: PrivacyRequestId,
  takenAt: Instant,
  sections: Schema.Array(DataExportSection)
}).annotate({ identifier: "DataExport" })
export type DataExport = typeof DataExport.Type

/** A table whose rows are shown, and the columns that are not. */
export interface ExportedTable {
  readonly area: string
  readonly table: string
  readonly retentionClass: string
  readonly subject: DataSubject
  readonly hidden: ReadonlyArray<string>
}

/** What protects the service or the person: digests, sealed values, and where requests came from. */
const isSecret = /^sealed_|_hash$|_print$/u

const exported = (area: string, table: string, data: TableData): ReadonlyArray<ExportedTable> => {
  const columns = Object.entries(data.personal ?? {})
  // Words of an index, kept answers and the like are made of the other rows.
  const isDerived = columns.length > 0 && columns.every(([, { erase }]) => erase === "DELETE")
  if (
    data.subject === undefined ||
    !["CUSTOMER", "POLICY"].includes(subjectKind(data.subject) ?? "") ||
    isDerived
  )
    return []
  const hidden = [
    "tenant_id",
    "search",
    ...columns
      .filter(([name, { category }]) => category === "TECHNICAL" || isSecret.test(name))
      .map(([name]) => name)
  ]
  return [{ area, table, retentionClass: data.class, subject: data.subject, hidden }]
}

/** Every table with rows of customers, from the data map. */
export const exportedTables: ReadonlyArray<ExportedTable> = Object.entries(dataMaps).flatMap(
  ([file, map]: readonly [string, DataMap]) =>
    Object.entries(map).flatMap(([table, data]) => exported(file.split("/")[0]!, table, data))
)
