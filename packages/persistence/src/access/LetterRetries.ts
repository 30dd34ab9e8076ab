/** When letters that did not leave are tried again: of all kinds of letters alike. */
import type { SqlClient, Statement } from "effect/sql"

/** How often a letter is tried. */
export const maximumAttempts = 10

/** Seconds until a letter that was not sent is tried again; doubled each time. */
const firstPause = 30

/** Seconds that a letter belongs to the sender that claimed it, at least: longer than any transport takes. */
const shortestClaim = 120

/** For how long a letter belongs to its sender, by the attempts before. */
export const pauseAfterClaim = (sql: SqlClient.SqlClient, attempts: Statement.Fragment) =>
  sql`interval '1 second' * greatest(${shortestClaim}::int, ${firstPause}::int * power(2, ${attempts}))`

/** The pause of a letter that was not sent, by the attempts so far. */
export const pauseAfterFailure = (sql: SqlClient.SqlClient, attempts: Statement.Fragment) =>
  sql`interval '1 second' * (${firstPause}::int * power(2, ${attempts} - 1))`
