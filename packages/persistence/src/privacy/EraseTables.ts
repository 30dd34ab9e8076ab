/** The statements by which the function `erase` empties each table of the data map. */
import { dataTables as tables, subjectKind } from "@quittance/domain/privacy/DataSubjects"
import type {
  DataClass,
  DataSubject,
  PersonalColumn,
  TableData
} from "@quittance/domain/values/PersonalData"

/** A column, as the catalogue has it. */
export interface Column {
  readonly table: string
  readonly column: string
  readonly type: "bytea" | "jsonb" | "json" | "text" | "other"
  readonly required: boolean
  /** The database makes it of other columns. */
  readonly generated: boolean
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

const randomBytes = "pg_catalog.sha256(pg_catalog.uuid_send(gen_random_uuid()))"
const randomText = `encode(${randomBytes}, 'hex')`

/** A random value that a reader still takes for one of its kind. */
const tokenOf = (name: string, type: Column["type"]): string => {
  // As long as what it replaces, which the database checks.
  if (type === "bytea") return `substring(${randomBytes} FROM 1 FOR octet_length(${name}))`
  return name.endsWith("email") ? `${randomText} || '@erased.invalid'` : randomText
}

/** A JSON column without what its paths name. */
const strippedOf = (name: string, { paths = {}, isPatch }: PersonalColumn): string =>
  Object.entries(paths)
    .filter(([, { erase }]) => erase !== "KEEP")
    .reduce((value, [path, { erase }]) => {
      const keys = literal(`{${path.slice(1).replaceAll("/", ",")}}`)
      if (isPatch === true) return `erased_patch(${value}, ${keys})`
      const token = erase === "TOKEN" ? tokenOf(path, "text") : "NULL"
      return `erased_json(${value}::jsonb, ${keys}, ${token})`
    }, name)

/** JSON of the same shape without anything in it. */
const emptyOf = (column: string): string =>
  `(CASE jsonb_typeof(${column}::jsonb) WHEN 'array' THEN '[]' ELSE '{}' END)`

/** What a column becomes; `undefined` where it stays as it is. */
const erasedValue = (entry: PersonalColumn, { column, required, type }: Column) => {
  const isJson = type === "jsonb" || type === "json"
  switch (entry.erase) {
    case "KEEP":
    case "DELETE":
      return undefined
    case "TOMBSTONE":
      return isJson ? `${strippedOf(column, entry)}::${type}` : "NULL"
    case "TOKEN":
      return isJson ? `${strippedOf(column, entry)}::${type}` : tokenOf(column, type)
    case "NULL":
    case "DESTROY":
      if (!required) return "NULL"
      return isJson ? `${emptyOf(column)}::${type}` : tokenOf(column, type)
  }
}

/** The condition that a row is about the customer, or about the policy. */
const belongs = (subject: DataSubject, alias: string): string | undefined => {
  const column = `${alias}.${subject.column}`
  switch (subject.kind) {
    case "CUSTOMER":
      return `${column} = of_customer`
    case "POLICY":
      return `${column} = of_policy`
    case "USER":
      return `${column} = ANY (users)`
    case "MENTION":
      return `strpos(${column}::text, coalesce(of_policy, of_customer)) > 0`
    case "THROUGH": {
      const other = tables.get(subject.table)?.subject
      const inner = other === undefined ? undefined : belongs(other, `${alias}t`)
      if (inner === undefined) return undefined
      return `${column} IN (SELECT ${alias}t.${subject.key} FROM ${subject.table} ${alias}t
        WHERE ${alias}t.tenant_id = of_tenant AND ${inner})`
    }
  }
}

/** In which calls a table is emptied. */
const isMeant = (root: DataSubject["kind"], name: DataClass): string => {
  // Accounts are one class: their sign-ins go with them.
  if (root === "USER") return "of_class = 'ACCOUNT' AND of_policy IS NULL"
  const scope = root === "POLICY" ? "of_policy IS NOT NULL AND alone" : "of_policy IS NULL"
  const either = root === "MENTION" ? "(of_policy IS NULL OR alone)" : scope
  return `of_class = ${literal(name)} AND ${either}`
}

export const counted = (table: string, statement: string): string => `${statement};
    GET DIAGNOSTICS touched = ROW_COUNT;
    IF touched > 0 THEN
      counts := counts || jsonb_build_object(${literal(table)},
        coalesce((counts->>${literal(table)})::bigint, 0) + touched);
    END IF;`

type Columns = ReadonlyMap<string, Column>

const assignments = (data: TableData, columns: Columns): ReadonlyArray<string> => [
  ...Object.entries(data.personal ?? {}).flatMap(([name, entry]) => {
    const column = columns.get(name)
    if (column === undefined || column.generated) return []
    const value = erasedValue(entry, column)
    return value === undefined ? [] : [`${name} = ${value}`]
  }),
  ...Object.entries(data.marks ?? {}).map(([name, mark]) =>
    mark === "NOW" ? `${name} = coalesce(t.${name}, moment)` : `${name} = ${literal(mark)}`
  )
]

/** What empties the rows of a table that meet a condition. */
const emptied = (table: string, data: TableData, columns: Columns, where: string): string => {
  const personal = Object.entries(data.personal ?? {})
  if (personal.some(([, { erase }]) => erase === "DELETE")) {
    return counted(table, `DELETE FROM ${table} t WHERE ${where}`)
  }
  const changes = assignments(data, columns)
  if (changes.length === 0) return ""
  const addresses = personal
    .filter(([, { erase }]) => erase === "DESTROY")
    .map(
      ([name]) => `addresses := addresses || ARRAY(
      SELECT t.${name} FROM ${table} t WHERE ${where} AND t.${name} IS NOT NULL);`
    )
  const update = `UPDATE ${table} t SET ${changes.join(", ")} WHERE ${where}`
  return [...addresses, counted(table, update)].join("\n    ")
}

/** What a row of a policy with other persons on it holds of this one. */
const ownPart = (table: string, data: TableData, columns: Columns): string => {
  const where = "t.tenant_id = of_tenant AND t.policy_id = of_policy"
  if (data.own !== undefined) {
    return emptied(table, data, columns, `${where} AND t.${data.own} = of_customer`)
  }
  return Object.entries(data.personal ?? {})
    .filter(([, { isPatch }]) => isPatch === true)
    .map(([name, { paths = {} }]) => {
      const value = Object.keys(paths)
        .filter((path) => path.startsWith("/customers/*/"))
        .reduce((patch, path) => {
          const keys = path.split("/").slice(3).map(literal).join(", ")
          return `erased_patch(${patch}, ARRAY['customers', of_customer, ${keys}])`
        }, name)
      return counted(
        table,
        `UPDATE ${table} t SET ${name} = ${value} WHERE ${where} AND strpos(t.${name}::text, of_customer) > 0`
      )
    })
    .join("\n    ")
}

const blockOf = (table: string, data: TableData, columns: Columns): string => {
  const { rowsWith, subject } = data
  const root = subjectKind(subject)
  const condition = subject === undefined ? undefined : belongs(subject, "t")
  if (root === undefined || condition === undefined) return ""
  const where = `t.tenant_id = of_tenant AND ${condition}`
  const block = (meant: string, body: string) =>
    body === "" ? "" : `IF ${meant} THEN\n    ${body}\n  END IF;\n  `
  const rows = (suffix: string) => emptied(table, data, columns, where + suffix)
  if (rowsWith !== undefined) {
    const { class: other, column } = rowsWith
    return (
      block(isMeant(root, data.class), rows(` AND t.${column} IS NULL`)) +
      block(isMeant(root, other), rows(` AND t.${column} IS NOT NULL`))
    )
  }
  const own = root === "POLICY" ? ownPart(table, data, columns) : ""
  const shared = `of_class = ${literal(data.class)} AND of_policy IS NOT NULL AND NOT alone`
  return block(isMeant(root, data.class), rows("")) + block(shared, own)
}

/** Tables that are found through others come first, while the rows of those are there. */
const depthOf = (subject: DataSubject | undefined): number =>
  subject?.kind === "THROUGH" ? 1 + depthOf(tables.get(subject.table)?.subject) : 0

/** What empties the tables of the data map, each in the calls that it belongs to. */
export const emptyTables = (known: ReadonlyArray<Column>): string =>
  [...tables]
    .sort(([, a], [, b]) => depthOf(b.subject) - depthOf(a.subject))
    .map(([table, data]) => {
      const columns = new Map(
        known.filter((one) => one.table === table).map((one) => [one.column, one])
      )
      return columns.size === 0 ? "" : blockOf(table, data, columns)
    })
    .join("")
