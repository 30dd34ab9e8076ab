/** What a failure of the database says: about the rows that were written, or about the database. */
import { Busy } from "@quittance/domain/requests/RequestErrors"
import { Cause } from "effect"
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
    // SQLSTATE class 22: data exceptions.
    (reason._tag === "UnknownError" && codeOf(reason.cause).startsWith("22"))
  )
}

/** Whether a cause would come again: not a lost race, a database that is away, or an end of work. */
export const comesAgain = (cause: Cause.Cause<unknown>): boolean =>
  !Cause.hasInterrupts(cause) &&
  isAboutRows(Cause.squash(cause)) &&
  overload(Cause.squash(cause)) === undefined

/**
 * SQLSTATE (PostgreSQL's appendix A): connection exceptions, too few resources such as a full disk,
 * intervention of an operator such as a shutdown, failures of the system, and a server that only reads.
 */
const codesOfAbsence = /^(?:08|53|57P|58|25006)/u

/** Whether the database could not be reached, went away, or takes nothing at the moment. */
export const isAbsence = (error: unknown): boolean => {
  if (!SqlError.isSqlError(error)) return false
  const { cause, operation, _tag } = error.reason
  return (
    _tag === "ConnectionError" ||
    // Whatever keeps a connection from being made: a server that starts or stops, or that is full.
    operation === "connect" ||
    codesOfAbsence.test(codeOf(cause))
  )
}

/** Whether the database can be read and takes no write: its disk is full, or it is a copy of another. */
export const takesNoWrites = (error: unknown): boolean =>
  SqlError.isSqlError(error) && ["53100", "25006"].includes(codeOf(error.reason.cause))

/**
 * What to answer where a queue is full, or where a wait in PostgreSQL timed out: for the lock of a record
 * that others write, or for the end of a statement. `undefined` for every other failure.
 */
export const overload = (failure: unknown): Busy | undefined => {
  if (failure instanceof Busy) return failure
  if (!SqlError.isSqlError(failure)) return undefined
  const { _tag } = failure.reason
  if (_tag === "LockTimeoutError") return new Busy({ waitingFor: "RECORD", retryAfter: 2 })
  return _tag === "StatementTimeoutError"
    ? new Busy({ waitingFor: "DATABASE", retryAfter: 5 })
    : undefined
}

/** Whether the database gave a statement up because it took too long: less at a time may do. */
export const isTooMuchAtOnce = (error: unknown): boolean =>
  SqlError.isSqlError(error) && error.reason._tag === "StatementTimeoutError"

/** Whether PostgreSQL ended the transaction for the sake of another one: run again, it may well succeed. */
export const hasLostRace = (error: unknown): boolean =>
  SqlError.isSqlError(error) &&
  (error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError")

/** The SQLSTATE that PostgreSQL gave. */
const codeOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""

const longestReason = 1_000

/** The failure in the words of the rule or of the database, without the statement. */
export const reasonOf = (error: unknown): string => {
  if (SqlError.isSqlError(error)) return reasonOf(error.reason.cause)
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return text.slice(0, longestReason)
}
