/** What a failure of the database says: about the rows that were written, or about the database. */
import { SqlError } from "effect/sql"

/**
 * Whether a failure is about what was being written, and would come again: a constraint, or a value
 * that a column cannot take. A database that is away, busy, full or not migrated says nothing about a
 * row. What no database has raised is about the rows too: they could not be worked on.
 */
export const isAboutRows = (error: unknown): boolean => {
  if (!SqlError.isSqlError(error)) return true
  const { reason } = error
  return (
    reason._tag === "UniqueViolation" ||
    reason._tag === "ConstraintError" ||
    (reason._tag === "UnknownError" && hasDataException(reason.cause))
  )
}

/** Whether the database gave a statement up because it took too long: less at a time may do. */
export const isTooMuchAtOnce = (error: unknown): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "StatementTimeoutError"

/** Whether PostgreSQL ended the transaction for the sake of another one: run anew, it may well succeed. */
export const hasLostRace = (error: unknown): boolean =>
  SqlError.isSqlError(error) &&
  (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError")

/** SQLSTATE class 22: data exceptions. */
const hasDataException = (cause: unknown): boolean =>
  typeof cause === "object" &&
  cause !== null &&
  "code" in cause &&
  typeof cause.code === "string" &&
  cause.code.startsWith("22")

const longestReason = 1_000

/** The failure in the words of the rule or of the database, without the statement. */
export const reasonOf = (error: unknown): string => {
  if (SqlError.isSqlError(error)) return reasonOf(error.reason.cause)
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.slice(0, longestReason)
}
