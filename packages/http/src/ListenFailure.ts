/** Why a server can't listen, in words that name the variables which say where. */
import { Schema } from "effect"

export class CannotListen extends Schema.TaggedError<CannotListen>()("CannotListen", {
  problem: Schema.String,
  /** Whether another program listens there. */
  isTaken: Schema.Boolean
}) {
  override get message() {
    return this.problem
  }
}

/** Where a server was to listen, and the variables that say so. */
export interface Place {
  readonly host: string
  readonly port: number
  readonly hostVariable: string
  readonly portVariable: string
}

const hasCode = Schema.is(Schema.Struct({ code: Schema.String }))

/** Why Node can't listen on an address, for the operator who chose it. */
export const listenFailure = (cause: unknown, place: Place): CannotListen => {
  const code = hasCode(cause) ? cause.code : String(cause)
  return new CannotListen({ problem: sentenceOf(code, place), isTaken: code === "EADDRINUSE" })
}

const sentenceOf = (code: string, { host, hostVariable, port, portVariable }: Place): string => {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use: stop what listens there, or choose another with ${portVariable}=${port + 1}.`
    case "EACCES":
      return `Port ${port} may not be opened by this user: choose one above 1023 with ${portVariable}=8080.`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EINVAL":
    case "EAI_AGAIN":
      return `The variable ${hostVariable} is wrong: expected an address of this machine, such as 127.0.0.1 or 0.0.0.0, and ${host} is none.`
    default:
      return `The server can't listen on ${host}, port ${port} (${code}): check ${hostVariable} and ${portVariable}.`
  }
}
