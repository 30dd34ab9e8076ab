/**
 * A pooler that hands a connection of the server to each transaction, such as PgBouncer in transaction
 * mode. It carries neither prepared statements nor what a session is set to when it starts: the role of
 * the login sets that, and a program makes sure of it.
 */
import { Config, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseRoleError } from "./Roles.ts"

const Pooler = Schema.Literals(["none", "transaction"])

/** `DATABASE_POOLER`: whether `DATABASE_URL` leads to a pooler of transactions (default `none`). */
export const isPooled = Config.schema(Pooler, "DATABASE_POOLER").pipe(
  Config.withDefault("none"),
  Config.map((pooler) => pooler === "transaction")
)

/** What each setting has to be, or must not be, and what the role may be given. */
const settings = [
  { name: "search_path", is: "public", given: "public" },
  { name: "timezone", is: "UTC", given: "UTC" },
  { name: "statement_timeout", isNot: "0", given: "10s" },
  { name: "lock_timeout", isNot: "0", given: "5s" },
  { name: "idle_in_transaction_session_timeout", isNot: "0", given: "15s" }
]

/** Fails unless the role of the login sets what each session of ours needs. */
export const assertSettings = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* sql<{
    readonly role: string
    readonly name: string
    readonly value: string
  }>`
    SELECT session_user AS role, name, current_setting(name) AS value
    FROM unnest(${settings.map(({ name }) => name)}::text[]) AS t(name)
  `
  for (const { given, is, isNot, name } of settings) {
    const { role, value } = found.find((row) => row.name === name)!
    if (is === undefined ? value !== isNot : value === is) continue
    return yield* new DatabaseRoleError({
      role,
      problem:
        `does not set ${name} for its sessions, which a pooler of transactions needs: ` +
        `ALTER ROLE ${role} SET ${name} = '${given}', and have the pooler connect again`
    })
  }
}).pipe(Effect.withSpan("Pooler.assertSettings"))
