/** The register of processing (GDPR art. 30), as far as the data map says it: which data are kept where. */
import { Schema } from "effect"
import { dataMaps } from "../PersonalData.ts"
import type { DataMap, TableData } from "../values/PersonalData.ts"
import { subjectKind } from "./DataSubjects.ts"
import { RetentionRule } from "./Retention.ts"

/** One table with personal data. */
export const ProcessingEntry = Schema.Struct({
  /** The part of the service that keeps it. */
  area: Schema.String,
  table: Schema.String,
  retentionClass: Schema.String,
  /** Whose data they are; absent where rows name no person themselves. */
  subject: Schema.optionalKey(Schema.Literals(["CUSTOMER", "POLICY", "USER"])),
  columns: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      category: Schema.String,
      /** What an erasure does with it. */
      erasure: Schema.String,
      paths: Schema.optionalKey(Schema.Array(Schema.String))
    })
  )
}).annotate({ identifier: "ProcessingEntry" })
export type ProcessingEntry = typeof ProcessingEntry.Type

export const ProcessingRegister = Schema.Struct({
  entries: Schema.Array(ProcessingEntry),
  retention: Schema.Array(RetentionRule)
}).annotate({ identifier: "ProcessingRegister" })
export type ProcessingRegister = typeof ProcessingRegister.Type

const entryOf = (area: string, table: string, data: TableData): ReadonlyArray<ProcessingEntry> => {
  const subject = subjectKind(data.subject)
  return data.class === "NONE"
    ? []
    : [
        {
          area,
          table,
          retentionClass: data.class,
          ...(subject === undefined || subject === "MENTION" ? {} : { subject }),
          columns: Object.entries(data.personal ?? {}).map(
            ([name, { category, erase, paths }]) => ({
              name,
              category,
              erasure: erase,
              ...(paths === undefined ? {} : { paths: Object.keys(paths) })
            })
          )
        }
      ]
}

/** Every table that holds data about persons, area by area. */
export const processingEntries: ReadonlyArray<ProcessingEntry> = Object.entries(dataMaps).flatMap(
  ([file, map]: readonly [string, DataMap]) =>
    Object.entries(map).flatMap(([table, data]) => entryOf(file.split("/")[0]!, table, data))
)
