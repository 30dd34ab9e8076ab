/** Why the process does not start, in one sentence for whoever started it. */
import { reasonOf } from "@quittance/persistence/sql/DatabaseFailure"
import { Cause, Config, Schema, SchemaIssue } from "effect"
import { HttpServerError } from "effect/http"

/** The sentence for what is expected to go wrong; `undefined` for a defect, which is ours. */
export const sentence = (cause: Cause.Cause<unknown>): string | undefined => {
  const failure = cause.reasons.find(Cause.isFailReason)?.error
  if (failure === undefined) return undefined
  if (failure instanceof HttpServerError.ServeError) return ofServer(failure.cause)
  if (failure instanceof Config.ConfigError) return ofConfig(failure)
  if (!(failure instanceof Error && "_tag" in failure)) return undefined
  return failure._tag === "SqlError" ? ofDatabase(failure) : failure.message
}

/** What Node says of an address that it can't listen on. */
const ListenFault = Schema.Struct({
  code: Schema.String,
  address: Schema.optionalKey(Schema.String),
  port: Schema.optionalKey(Schema.Int)
})
const isListenFault = Schema.is(ListenFault)

const ofServer = (fault: unknown): string => {
  if (!isListenFault(fault)) return `The server can't listen: ${String(fault)}`
  const { address = "this address", code, port = 0 } = fault
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${address} is in use: stop what listens there, or choose another with PORT=${port + 1}.`
    case "EACCES":
      return `Port ${port} may not be opened by this user: choose one above 1023 with PORT=8080.`
    default:
      return `The server can't listen on ${address}, port ${port} (${code}): check HOST and PORT.`
  }
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

const ofConfig = ({ cause }: Config.ConfigError): string => {
  if (cause._tag !== "SchemaError") return `The environment can't be read: ${cause.message}`
  const [issue] = format(cause.issue).issues
  const variable = (issue?.path ?? []).join("_")
  return `The variable ${variable} is missing or wrong: ${lowerFirst(issue?.message ?? "")}.`
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

const ofDatabase = (error: Error): string =>
  `The database can't be used (${reasonOf(error)}): check DATABASE_URL, and that its server runs.`
