/** The HTTP server of Node, with answers of ours to what never becomes a request. */
import { InvalidRequest } from "@quittance/domain/requests/RequestErrors"
import { bodyOfError, entryOf } from "@quittance/contract/requests/WireError"
import { edgeErrors } from "@quittance/contract/api/EdgeErrors"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import * as UnsentAnswers from "./UnsentAnswers.ts"

/** Milliseconds. */
const limits = {
  /** For the whole of a request, its body too. */
  requestTimeout: 30_000,
  headersTimeout: 10_000,
  connectionsCheckingInterval: 2000,
  /** Longer than load balancers keep an idle connection, so that it is they who close it. */
  keepAliveTimeout: 65_000
}

/** Made for one server each; answers that their clients don't read are dropped as the limits say. */
export const make = (answerLimits: UnsentAnswers.AnswerLimits = UnsentAnswers.defaults): Server => {
  const unsent = UnsentAnswers.make(answerLimits)
  const followEnd = endsWithConnections()
  // A missing host is answered by the edge, with a body.
  const server = createServer({ ...limits, requireHostHeader: false })
  server.on("request", (request, response) => {
    unsent.follow(response)
    followEnd(request, response)
    holdUntilServed(server, followers, request, response)
  })
  // Middleware that follows requests is set before the server listens; the app comes afterwards.
  let followers = 1
  server.once("listening", () => (followers = server.listenerCount("request")))
  server.on("close", unsent.close)
  // What else a client expects than to be told to go on is up to us to ignore (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response))
  server.on("clientError", refuse)
  return server
}

/**
 * Node tells only the answer whose turn it is on a connection that this has ended; those of requests behind
 * it would be held for ever by code that waits for their end.
 */
const endsWithConnections = () => {
  const answersOf = new WeakMap<Duplex, Set<ServerResponse>>()

  const endAll = (answers: Set<ServerResponse>) => {
    for (const answer of answers) {
      if (answer.socket !== null || answer.writableFinished) continue
      answer.destroyed = true
      answer.emit("close")
    }
  }

  const opened = (socket: Duplex) => {
    const answers = new Set<ServerResponse>()
    answersOf.set(socket, answers)
    // After Node has told the one whose turn it is.
    socket.once("close", () => setImmediate(endAll, answers))
    return answers
  }

  return ({ socket }: IncomingMessage, answer: ServerResponse) => {
    const answers = answersOf.get(socket) ?? opened(socket)
    // A request that is held until it is served comes by more than once.
    if (answers.has(answer)) return
    answers.add(answer)
    answer.once("close", () => answers.delete(answer))
  }
}

/**
 * The server listens before the app is attached to it; a request of that moment waits for the app. One
 * that comes on an open connection after the app was taken off is turned away.
 */
const holdUntilServed = (
  server: Server,
  followers: number,
  request: IncomingMessage,
  response: ServerResponse
) => {
  if (server.listenerCount("request") > followers) return
  if (server.listening) setImmediate(() => server.emit("request", request, response))
  else response.writeHead(503, { connection: "close", "retry-after": "1" }).end()
}

/** What Node could not read as HTTP. Its own answer would have no body. */
const refuse = (error: NodeJS.ErrnoException, socket: Duplex) => {
  if (error.code === "ECONNRESET" || !socket.writable) return socket.destroy()
  const fault = faults[error.code ?? ""] ?? unreadable
  const issues = [{ in: "header" as const, path: "", message: fault }]
  const body = JSON.stringify(bodyOfError(new InvalidRequest({ issues }), entry))
  socket.end(
    [
      `HTTP/1.1 ${entry.status} Bad Request`,
      "connection: close",
      "content-type: application/json",
      `content-length: ${Buffer.byteLength(body)}`,
      "cache-control: no-store",
      "",
      body
    ].join("\r\n")
  )
}

// Every schema of the table has been made with its entry.
const entry = entryOf(edgeErrors.InvalidRequest)!

const unreadable = "Expected a request in HTTP/1.1"
const faults: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "Expected headers of at most 16 KiB",
  ERR_HTTP_REQUEST_TIMEOUT: "Expected the whole request within 30 seconds"
}
