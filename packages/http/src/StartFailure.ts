/** Why a process does not start, in one sentence for the operator. */
import { Cause, Config, Schema, SchemaIssue } from "effect"

/** The sentence for what is expected to go wrong; `undefined` for a defect, which is ours. */
export const sentence = (cause: Cause.Cause<unknown>): string | undefined => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  if (failure === undefined) return undefined
  if (failure instanceof Config.ConfigError) return ofConfig(failure)
  if (isSqlError(failure)) return ofDatabase(failure.reason.cause)
  return failure instanceof Error && "_tag" in failure ? failure.message : undefined
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const ofConfig = ({ cause }: Config.ConfigError): string => {
  if (cause._tag !== "SchemaError") return `The environment can't be read: ${cause.message}`
  const [issue] = format(cause.issue).issues
  const variable = (issue?.path ?? []).join("_")
  return `The variable ${variable} is missing or wrong: ${lowerFirst(issue?.message ?? "")}.`
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

/** A failure of the SQL client, by its form: this package knows no database. */
const SqlError = Schema.Struct({
  _tag: Schema.Literal("SqlError"),
  reason: Schema.Struct({ cause: Schema.Unknown })
})
const isSqlError = Schema.is(SqlError)

const longestReason = 1000

const ofDatabase = (cause: unknown): string => {
  const reason = (cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause)).slice(
    0,
    longestReason
  )
  return `The database can't be used (${reason}): check DATABASE_URL, and that its server runs.`
}
