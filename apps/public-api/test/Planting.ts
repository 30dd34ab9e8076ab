/** Texts in every column and path of the data map that holds personal data of one sale. */
import { dataTables, subjectKind } from "@quittance/domain/privacy/DataSubjects"
import type { PersonalColumn, TableData } from "@quittance/domain/values/PersonalData"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"

export interface Planted {
  readonly customerId: string
  readonly policyId: string
}

interface Column {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly generated: boolean
}

type Json = unknown

const isObject = (value: Json): value is Record<string, Json> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A JSON value with a text at each place that a path leads to; where all exist already. */
const planting = (value: Json, [key, ...rest]: ReadonlyArray<string>, text: string): Json => {
  if (key === undefined) {
    // An object stays one, so that others can still read it.
    if (!isObject(value)) return text
    return Object.fromEntries(Object.keys(value).map((name) => [name, text]))
  }
  if (Array.isArray(value)) {
    if (key !== "*") return value
    return value.map((item) => planting(item, rest, text))
  }
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      key === "*" || key === name ? planting(member, rest, text) : member
    ])
  )
}

/** The same for what a change has set: an entry at the path, or one above it. */
const plantingPatch = (patch: Json, keys: ReadonlyArray<string>, text: string): Json =>
  (patch as ReadonlyArray<{ readonly path: string; readonly value?: Json }>).map((entry) => {
    const set = entry.path.slice(1).split("/")
    const isAlike = set.every((key, at) => keys[at] === "*" || keys[at] === key)
    if (!isAlike || entry.value === undefined) return entry
    return { ...entry, value: planting(entry.value, keys.slice(set.length), text) }
  })

const plantingColumn = (value: Json, { isPatch, paths = {} }: PersonalColumn, text: string) =>
  Object.entries(paths)
    .filter(([, { erase }]) => erase !== "KEEP")
    .reduce((json, [path]) => {
      const keys = path.slice(1).split("/")
      return isPatch === true ? plantingPatch(json, keys, text) : planting(json, keys, text)
    }, value)

/** The rows of a table that are about the sale. */
const whereOf = ({ subject }: TableData, { customerId, policyId }: Planted) => {
  const kind = subject?.kind === "THROUGH" ? undefined : subjectKind(subject)
  if (kind === "CUSTOMER") return `t.${subject!.column} = '${customerId}'`
  if (kind === "POLICY") return `t.${subject!.column} = '${policyId}'`
  if (kind !== "MENTION") return undefined
  const column = `t.${subject!.column}::text`
  return `(strpos(${column}, '${customerId}') > 0 OR strpos(${column}, '${policyId}') > 0)`
}

/** Columns whose form the database checks; their values are random or digests, so no text is planted. */
const isChecked = (column: string) =>
  /_hash$|^hash$|sha256|address$|_print$|^priced_hash$|^source_file$/u.test(column)

/** Plants a text; answers the columns that refused it. */
export const plant = Effect.fnUntraced(function* (of: Planted, mark: string) {
  const sql = yield* SuperuserSql
  const columns = yield* sql<Column>`
    SELECT c.relname AS "table", a.attname AS "column", a.atttypid::regtype::text AS type,
      a.attgenerated <> '' AS generated
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
  `
  const refused: Array<string> = []
  for (const { column, generated, table, type } of columns) {
    const data = dataTables.get(table)
    const entry = data?.personal?.[column]
    const where = data === undefined ? undefined : whereOf(data, of)
    if (entry === undefined || where === undefined || entry.erase === "KEEP" || generated) continue
    if (isChecked(column)) continue
    const text = `${mark}_${table}_${column}`
    const value = column.endsWith("email") ? `${text}@example.test` : text
    if (type === "text") {
      // Words are part of a key, so each stays another.
      const words = entry.erase === "DELETE" ? ` || '_' || ${column}` : ""
      const change = sql.unsafe(
        `UPDATE ${table} t SET ${column} = '${value}'${words} WHERE ${where} AND ${column} IS NOT NULL`
      )
      if ((yield* Effect.exit(change))._tag === "Failure") refused.push(`${table}.${column}`)
    } else if (type === "jsonb" || type === "json") {
      const rows = yield* sql.unsafe<{ readonly ctid: string; readonly json: Json }>(
        `SELECT t.ctid::text AS ctid, t.${column}::jsonb AS json FROM ${table} t
          WHERE ${where} AND t.${column} IS NOT NULL`
      )
      for (const { ctid, json } of rows) {
        const changed = JSON.stringify(plantingColumn(json, entry, text)).replaceAll("'", "''")
        yield* sql.unsafe(
          `UPDATE ${table} SET ${column} = '${changed}'::${type} WHERE ctid = '${ctid}'::tid`
        )
      }
    }
  }
  return refused
}, Effect.orDie)

/** Where texts with a mark are in all of the database, as a dump has it. */
export const sightings = Effect.fnUntraced(function* (mark: string) {
  const sql = yield* SuperuserSql
  const tables = yield* sql<{ readonly name: string }>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname
  `
  const found: Array<string> = []
  for (const { name } of tables) {
    const rows = yield* sql.unsafe<{ readonly text: string }>(
      `SELECT t::text AS text FROM ${name} t`
    )
    for (const { text } of rows) {
      for (const [hit] of text.matchAll(new RegExp(`${mark}_[a-z_]+`, "gu"))) {
        found.push(`${name}: ${hit}`)
      }
    }
  }
  return found.sort()
}, Effect.orDie)
