/** What a sandbox prints once it serves. */
import type { Guide } from "./SandboxGuide.ts"

/** `data` is where the data lies, `undefined` where that is the matter of `DATABASE_URL`. */
export const text = (guide: Guide, data: string | undefined): string =>
  [
    "",
    "  Quittance sandbox",
    "",
    ...rows([
      ["Start page", guide.baseUrl],
      ["Reference", `${guide.baseUrl}/docs`],
      ["Database", data === undefined ? "the one of DATABASE_URL" : `PostgreSQL in ${data}`],
      ["Tenants", guide.tenants.map(({ id }) => id).join(", ")],
      ["Sign-in at", guide.tenants.map(({ authUrl }) => authUrl).join(", ")],
      ...guide.tenants.flatMap(({ clients, id, users }): ReadonlyArray<Row> => [
        [`People of ${id}`, users.map(({ email }) => email).join(", ")],
        [`Clients of ${id}`, clients.map(({ id }) => id).join(", ")]
      ]),
      ["Password", guide.password],
      ["Secrets", "a client's id with -secret"]
    ]),
    "",
    "  Start a session of a visitor:",
    "",
    `    ${guide.session}`,
    "",
    "  Or watch a policy from its quote to its unpaid invoices, in another terminal:",
    "",
    `    ${guide.demo}`,
    "",
    "  Ctrl+C stops it; the data stays.",
    ""
  ].join("\n")

type Row = readonly [label: string, value: string]

const rows = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const width = Math.max(...rows.map(([label]) => label.length))
  return rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`)
}
