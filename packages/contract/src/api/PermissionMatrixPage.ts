/** The permission matrix as a page of the documentation, in Markdown. */
import {
  type Answer,
  type Cell,
  callers,
  expected,
  expectedOpen,
  type MatrixCaller,
  type OpenRoute,
  type Route,
  tenancies,
  type Tenancy
} from "./PermissionMatrix.ts"

/** The columns of a route: those callers whose answer depends on it. */
const columns: ReadonlyArray<readonly [title: string, cell: Omit<Cell, "tenancy">]> = [
  ["Client", { caller: "CLIENT", record: "OWN" }],
  ["User with it", { caller: "USER", record: "OWN" }],
  ["on the record", { caller: "USER_ON_RECORD", record: "OWN" }],
  ["elsewhere", { caller: "USER_ELSEWHERE", record: "OWN" }],
  ["without", { caller: "USER_WITHOUT", record: "OWN" }],
  ["signed in long ago", { caller: "USER_OF_LONG_AGO", record: "OWN" }],
  ["Session that owns", { caller: "OWNER", record: "OWN" }],
  ["another", { caller: "STRANGER", record: "OWN" }],
  ["No such record", { caller: "USER", record: "MISSING" }]
]

/** The page, of the routes that take a token and of those that don't. */
export const page = (routes: ReadonlyArray<Route>, open: ReadonlyArray<OpenRoute>): string => {
  const areas = Map.groupBy(routes, ({ area }) => area)
  return [
    "# Permission matrix",
    "",
    introduction,
    "",
    "## Before a route is looked at",
    "",
    ...table(["Request", "Answer"], everywhere(routes)),
    "",
    ...[...areas].flatMap(([area, routes]) => [`## ${area}`, "", ...areaTable(routes), ""]),
    "## Without a token",
    "",
    "A token that is sent all the same changes nothing.",
    "",
    ...openTable(open)
  ]
    .join("\n")
    .concat("\n")
}

const introduction = `What every bearer route answers to every kind of caller. Generated from the annotations of the
contract by \`packages/contract/scripts/permission-matrix.ts\`; \`apps/public-api/test/Matrix.test.ts\`
asserts status and code of every cell on real records.

- **Client**: a token with the scope. Without it, 403 \`FORBIDDEN\` on every route, before anything else of the
  request is looked at.
- **User with it**: one role with just the action, on the whole tenant. **On the record**: the same role on the
  record alone; of a policy's customers, quotes and so on, on the policy. **Elsewhere**: on a firm that the record
  does not hang on. **Without**: every other action, on the whole tenant. **Signed in long ago**: the first of them,
  more than a quarter of an hour after the sign-in ([authorization.md](authorization.md#signing-in-again)).
- **Session that owns**: the anonymous session that opened the policy of the record. **Another**: one that did not.
- **No such record**: the answer to a permitted caller when the tenant has no such record. Another tenant's
  record is answered the same.
- **On**: where the action is asked for. \`ANYWHERE\`: the answer holds what the action covers.`

/** What is answered alike on every route; that it is, is made sure of here. */
const everywhere = (routes: ReadonlyArray<Route>): ReadonlyArray<ReadonlyArray<string>> => {
  const alike = (cell: Cell): string => {
    const answers = new Set(routes.map((route) => shown(expected(route, cell))))
    if (answers.size !== 1) throw new Error(`Routes differ for ${JSON.stringify(cell)}`)
    return [...answers].join("")
  }
  const wrongTenants: ReadonlyArray<Tenancy> = ["ABSENT", "MALFORMED", "UNKNOWN", "OTHER"]
  const wrongTokens: ReadonlyArray<MatrixCaller> = [
    "NO_TOKEN",
    "MALFORMED",
    "EXPIRED",
    "FOREIGN",
    "CLIENT_WITHOUT_SCOPE"
  ]
  return [
    ...wrongTenants.map((tenancy) => [
      `the header \`tenant\` names ${tenancies[tenancy]}`,
      alike({ caller: "USER", tenancy, record: "OWN" })
    ]),
    ...wrongTokens.map((caller) => [
      callers[caller],
      alike({ caller, tenancy: "OWN", record: "OWN" })
    ])
  ]
}

const areaTable = (routes: ReadonlyArray<Route>): ReadonlyArray<string> =>
  table(
    ["Route", "Scope", "Action", "On", ...columns.map(([title]) => title)],
    routes.map((route) => [
      called(route),
      `\`${route.scope}\``,
      ...(route.permission === "NONE"
        ? ["–", "–"]
        : [`\`${route.permission.action}\``, `\`${route.permission.on}\``]),
      ...columns.map(([, cell]) =>
        cell.record === "MISSING" && route.parameter === undefined
          ? "–"
          : shown(expected(route, { ...cell, tenancy: "OWN" }))
      )
    ])
  )

const openTable = (routes: ReadonlyArray<OpenRoute>): ReadonlyArray<string> =>
  table(
    ["Route", "A tenant", "No such tenant", "No such record"],
    routes.map((route) => [
      called(route),
      shown(expectedOpen(route, { tenancy: "OWN", record: "OWN" })),
      shown(expectedOpen(route, { tenancy: "UNKNOWN", record: "OWN" })),
      route.parameter === undefined
        ? "–"
        : shown(expectedOpen(route, { tenancy: "OWN", record: "MISSING" }))
    ])
  )

const called = ({ method, path }: OpenRoute): string =>
  `\`${method} ${path.replace(/:(\w+)/gu, "{$1}")}\``

const shown = ({ code, status }: Answer): string =>
  code === undefined ? String(status) : `${status} \`${code}\``

/** A table whose columns are as wide as their widest cell. */
const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> => {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0))
  )
  const line = (cells: ReadonlyArray<string>, fill = " ") =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0, fill)).join(" | ")} |`
  return [
    line(head),
    line(
      head.map(() => "-"),
      "-"
    ),
    ...rows.map((row) => line(row))
  ]
}
