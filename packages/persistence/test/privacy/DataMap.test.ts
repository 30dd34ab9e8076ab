/** The data map against the catalogue of a migrated database. */
import { assert, layer } from "@effect/vitest"
import { dataMaps } from "@quittance/domain/PersonalData"
import type { DataMap, TableData } from "@quittance/domain/values/PersonalData"
import { Effect } from "effect"
import * as PgTest from "@quittance/testing/PgTest"

/** Every column that a map has of a table. */
const columnsOf = ({ none, personal = {} }: TableData): ReadonlyArray<string> => [
  ...none.split(" "),
  ...Object.keys(personal)
]

interface Column {
  readonly table: string
  readonly column: string
  readonly isJson: boolean
}

const catalogue = Effect.gen(function* () {
  const sql = yield* PgTest.SuperuserSql
  return yield* sql<Column>`
    SELECT c.relname AS "table", a.attname AS "column",
      a.atttypid IN ('json'::regtype, 'jsonb'::regtype) AS "isJson"
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    ORDER BY c.relname, a.attnum
  `
})

const folder = "packages/domain/src/"

type Maps = Readonly<Record<string, DataMap>>

/** What to write for a table that no map has. */
const newTable = (table: string, names: ReadonlyArray<string>) =>
  `${folder}<area>/<Area>Data.ts: add \`${table}: { class: "NONE", none: "${names.join(" ")}" }\`` +
  " to its `export const <area>Data = { … } satisfies DataMap`," +
  " move columns with personal data to `personal`, and run `pnpm generate`"

/** What to write for the columns of a table that a map has. */
const ofTable = (
  file: string,
  table: string,
  data: TableData,
  held: ReadonlyArray<Column>
): ReadonlyArray<string> => {
  const names = held.map(({ column }) => column)
  const mapped = columnsOf(data)
  const lost = names.filter((name) => !mapped.includes(name))
  const surplus = mapped.filter((name, at) => !names.includes(name) || mapped.indexOf(name) !== at)
  const pathless = held.filter(({ column, isJson }) => {
    const entry = data.personal?.[column]
    return entry !== undefined && isJson !== (entry.paths !== undefined)
  })
  return [
    ...lost.map(
      (name) =>
        `${file}: add \`${name}\` to \`none\` of \`${table}\`,` +
        ` or \`${name}: personal("FREE_TEXT", "NULL")\` to its \`personal\``
    ),
    ...surplus.map((name) => `${file}: remove \`${name}\` from \`${table}\``),
    ...pathless.map(
      ({ column }) => `${file}: \`${column}\` of \`${table}\` needs paths if it is JSON, else none`
    )
  ]
}

/** What to write where, for each column that the maps and the catalogue disagree about. */
const faults = (columns: ReadonlyArray<Column>, maps: Maps): ReadonlyArray<string> => {
  const tables = Map.groupBy(columns, ({ table }) => table)
  const known = new Map(
    Object.entries(maps).flatMap(([file, map]) =>
      Object.entries<TableData>(map).map(
        ([table, data]) => [table, { data, file: folder + file }] as const
      )
    )
  )
  return [
    ...[...tables].flatMap(([table, held]) => {
      const found = known.get(table)
      return found === undefined
        ? [
            newTable(
              table,
              held.map(({ column }) => column)
            )
          ]
        : ofTable(found.file, table, found.data, held)
    }),
    ...[...known].flatMap(([table, { file }]) =>
      tables.has(table) ? [] : [`${file}: remove \`${table}\``]
    )
  ]
}

/** Columns by which a map says that rows are found, and that their table does not have. */
const lostSubjects = (maps: Maps) =>
  Object.values(maps).flatMap((map) =>
    Object.entries<TableData>(map).flatMap(([table, data]) =>
      data.subject === undefined || columnsOf(data).includes(data.subject.column) ? [] : [table]
    )
  )

/** Tables about no person that hold personal data all the same. */
const classless = (maps: Maps) =>
  Object.values(maps).flatMap((map) =>
    Object.entries<TableData>(map).flatMap(([table, data]) =>
      data.class === "NONE" && data.personal !== undefined ? [table] : []
    )
  )

layer(PgTest.layer)("the data map", (it) => {
  it.effect("has every column of every table, and no other", () =>
    Effect.gen(function* () {
      const columns = yield* catalogue

      assert.isAbove(columns.length, 500)
      assert.deepStrictEqual(faults(columns, dataMaps), [])
    })
  )

  it.effect("has each table once, and finds its rows by a column of it", () =>
    Effect.sync(() => {
      const tables = Object.values(dataMaps).flatMap((map) => Object.keys(map))

      assert.strictEqual(new Set(tables).size, tables.length)
      assert.deepStrictEqual(lostSubjects(dataMaps), [])
      assert.deepStrictEqual(classless(dataMaps), [])
    })
  )

  it.effect("is told to lack a new table and a new column, with the line to add", () =>
    Effect.gen(function* () {
      const columns = yield* catalogue
      const planted = (table: string, column: string) =>
        faults([...columns, { table, column, isJson: false }], dataMaps)

      const [table] = planted("claim", "story")
      const [column] = planted("customer", "birth_date")

      assert.include(table, 'add `claim: { class: "NONE", none: "story" }`')
      assert.include(column, `${folder}customers/CustomerData.ts: add \`birth_date\` to \`none\``)
    })
  )

  it.effect("is told of columns that are gone, given twice, or JSON without paths", () =>
    Effect.gen(function* () {
      const columns = (yield* catalogue).filter(({ table }) => table === "parked")
      const told = (data: TableData) =>
        faults(columns, { "worker/WorkerData.ts": { parked: data } })
      const reason = { category: "FREE_TEXT", erase: "DELETE" } as const

      const fits = {
        class: "CONTRACT",
        none: "tenant_id policy_id at",
        personal: { reason }
      } as const
      assert.deepStrictEqual(told(fits), [])
      assert.lengthOf(told({ ...fits, none: `${fits.none} gone` }), 1)
      assert.lengthOf(told({ ...fits, none: `${fits.none} reason` }), 1)
      assert.lengthOf(told({ ...fits, personal: { reason: { ...reason, paths: {} } } }), 1)
    })
  )
})
