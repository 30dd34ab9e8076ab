/**
 * Rows as a table of a statement: one array for each column. PostgreSQL reads that with a third of the
 * work that the same rows as JSON ask for, which counts where rows are written by the thousand.
 */
import { PgTypes } from "@effect/sql-pg"
import { Result } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** The types of columns. */
export type ColumnType =
  | "bigint"
  | "bigint[]"
  | "boolean"
  | "date"
  | "integer"
  | "json"
  | "jsonb"
  | "text"
  | "text[]"
  | "timestamptz"

/**
 * A table with these columns, each named after a field of the rows: `INSERT … SELECT … FROM` it. An
 * absent field is null.
 */
export const unnested = <K extends string>(
  sql: SqlClient.SqlClient,
  rows: ReadonlyArray<{ readonly [Field in NoInfer<K>]?: unknown }>,
  columns: Readonly<Record<K, ColumnType>>
): Statement.Fragment => {
  // Its keys are the columns.
  const names = Object.keys(columns) as Array<K>
  const arrays = names.map((name) => {
    const textOf = texts[columns[name]]
    const values = rows.map((row) => (row[name] == null ? null : textOf(row[name])))
    return sql`${Result.getOrThrow(PgTypes.array(values, PgTypes.OID.text))}`
  })
  const casts = names.map((name) => `"${name}"::${columns[name]} AS "${name}"`)
  return sql`(SELECT ${sql.literal(casts.join(", "))}
    FROM unnest(${sql.csv(arrays)}) AS t(${sql.literal(names.map((name) => `"${name}"`).join(", "))}))`
}

const elements = (values: ReadonlyArray<unknown>): string =>
  `{${values.map((value) => `"${String(value).replaceAll(/["\\]/gu, String.raw`\$&`)}"`).join(",")}}`

/** How PostgreSQL reads a value of each type. */
const texts: Readonly<Record<ColumnType, (value: unknown) => string>> = {
  bigint: String,
  // A column of this type is given an array.
  "bigint[]": (value) => elements(value as ReadonlyArray<unknown>),
  boolean: String,
  date: String,
  integer: String,
  json: (value) => JSON.stringify(value),
  jsonb: (value) => JSON.stringify(value),
  text: String,
  // So is one of this.
  "text[]": (value) => elements(value as ReadonlyArray<unknown>),
  timestamptz: String
}
