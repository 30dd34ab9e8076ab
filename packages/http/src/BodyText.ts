/**
 * The text of a body that is read once. Effect's reader keeps what it has read for later readers, and waits
 * until the stream is closed: for a small form that costs more than Node does to receive it.
 */
import { type ByteSize, Effect } from "effect"
import { HttpIncomingMessage, HttpServerError, type HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"

const utf8 = new TextDecoder()

/**
 * The text of a body of at most `MaxBodySize`; a second read never completes. The edge answers what can't be
 * read.
 */
export const once = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<string, HttpServerError.HttpServerError> =>
  isPlain(request) ? Effect.flatMap(HttpIncomingMessage.MaxBodySize, read(request)) : request.text

type PlainRequest = HttpServerRequest.HttpServerRequest & { readonly source: IncomingMessage }

/** A client that waits to be told to go on, or wants another protocol, is up to Effect. */
const isPlain = (request: HttpServerRequest.HttpServerRequest): request is PlainRequest =>
  request.source instanceof IncomingMessage &&
  request.headers["expect"] === undefined &&
  request.headers["upgrade"] === undefined

const read = (request: PlainRequest) => (most: ByteSize.ByteSize | undefined) =>
  Effect.callback<string, HttpServerError.HttpServerError>((resume) => {
    const { source } = request
    const chunks: Array<Buffer> = []
    let size = 0
    const take = (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (most !== undefined && size > most) fail("BodyTooLarge")
    }
    const end = () => {
      forget()
      resume(Effect.succeed(utf8.decode(Buffer.concat(chunks))))
    }
    const fail = (reason: "BodyTooLarge" | "Parse") => {
      forget()
      const fault = new HttpServerError.RequestParseError({ request, reason })
      resume(Effect.fail(new HttpServerError.HttpServerError({ reason: fault })))
    }
    const gone = () => fail("Parse")
    /** What comes after it is received, so that the connection may be used again, and dropped. */
    const forget = () => {
      source.off("data", take).off("end", end).off("error", gone).off("close", gone).resume()
    }
    source.on("data", take).on("end", end).on("error", gone).on("close", gone)
    return Effect.sync(forget)
  })
