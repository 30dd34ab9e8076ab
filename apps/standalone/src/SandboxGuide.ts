/** What a newcomer to a running sandbox is told, in the terminal and on its start page. */
import { clientsOf, password, tenants, usersOf } from "@quittance/operations/provisioning/Sandbox"
import type { Issuers } from "@quittance/operations/tokens/Issuers"

export interface GuideTenant {
  readonly id: string
  readonly name: string
  /** Where its people sign in and its tokens come from. */
  readonly authUrl: string
  readonly clients: ReadonlyArray<{
    readonly id: string
    readonly secret: string
    readonly may: string
  }>
  readonly users: ReadonlyArray<{ readonly email: string; readonly may: string }>
}

export interface Guide {
  readonly baseUrl: string
  /** The password of every user. */
  readonly password: string
  readonly tenants: ReadonlyArray<GuideTenant>
  /** Lines to copy: each works as it stands. */
  readonly session: string
  readonly token: string
  readonly demo: string
  readonly listen: string
}

export const make = (issuers: Issuers["Service"]): Guide => ({
  baseUrl: issuers.audience,
  password,
  tenants: tenants.map(({ id, name }) => ({
    id,
    name,
    authUrl: issuers.of(id),
    clients: [
      ...clientsOf(id).map(({ id, scopes }) => ({
        id,
        secret: `${id}-secret`,
        may: scopes.length === 1 ? `${scopes[0]} only` : "all scopes but platform/admin"
      })),
      {
        id: `${id}-admin`,
        secret: `${id}-admin-secret`,
        may: "platform/admin, with the test clock"
      }
    ],
    users: usersOf(id).map((email) => ({ email, may: roles[email.split("@")[0] ?? ""] ?? "" }))
  })),
  session: `curl -sX POST ${issuers.audience}/anonymous-session -H 'tenant: ${tenants[0]!.id}'`,
  token: `${surroundings(issuers)}npx -y pnpm@12 run token user manager@${tenants[0]!.id}.test ${password} --tenant ${tenants[0]!.id}`,
  demo: `${surroundings(issuers)}npx -y pnpm@12 demo`,
  listen: `${surroundings(issuers)}npx -y pnpm@12 --silent quittance listen --tenant ${tenants[0]!.id} --forward http://localhost:3000/hooks`
})

/** What the `quittance` command has to be told to find this sandbox; nothing where it is the usual one. */
const surroundings = (issuers: Issuers["Service"]): string => {
  const { audience } = issuers
  const { port } = new URL(audience)
  if (audience !== `http://localhost:${port}`) {
    const authUrl = issuers.of(tenants[0]!.id).replace(tenants[0]!.id, "{tenant}")
    return `BASE_URL=${audience} AUTH_URL='${authUrl}' `
  }
  return port === "8080" ? "" : `PORT=${port} `
}

const roles: Readonly<Record<string, string>> = {
  manager: "everything in the tenant",
  north: "what belongs to North Brokers",
  south: "what belongs to South Brokers",
  auditor: "reads everything, writes nothing"
}
