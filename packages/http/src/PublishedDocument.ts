/**
 * Public documents that change with a release only. They are made, hashed and compressed once. A caller who
 * has the present one is answered 304. Compression is safe, because they hold no secrets.
 */
import * as LoopTurn from "@quittance/domain/values/LoopTurn"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"
import { promisify } from "node:util"
import { constants, gzip } from "node:zlib"

type Response = HttpServerResponse.HttpServerResponse

/** For how many seconds clients reuse it; after them they ask with the etag. */
const cacheControl = "public, max-age=300"

/** On a thread of its own: requests go on meanwhile. */
const compressed = promisify(gzip)

/** One form of a document, and what is answered to those who have it. */
interface Representation {
  readonly etag: string
  readonly full: Response
  readonly notModified: Response
}

/**
 * The answer to `GET` and `HEAD` of a document, which is made at the first request for it; most processes
 * are never asked. The response of `make` holds its bytes, not a stream. `varies` names the headers of a
 * request by which another document would be answered.
 */
export const answer = <E, R>(
  make: Effect.Effect<Response, E, R>,
  varies: ReadonlyArray<string> = []
): Effect.Effect<Effect.Effect<Response, E, R | HttpServerRequest.HttpServerRequest>> => {
  const vary = [...varies, "accept-encoding"].join(", ")
  const representations = Effect.gen(function* () {
    const document = HttpServerResponse.setHeaders(yield* make, {
      "cache-control": cacheControl,
      vary
    })
    const { body } = document
    if (body._tag !== "Uint8Array") {
      return yield* Effect.die(new Error("A published document is made of bytes"))
    }
    const zipped = yield* Effect.promise(() =>
      compressed(body.body, { level: constants.Z_BEST_COMPRESSION })
    )
    return {
      plain: representation(document, body.body),
      zipped: representation(
        HttpServerResponse.setHeader(document, "content-encoding", "gzip"),
        zipped
      )
    }
  })
  // What one browser breaks off must not be kept for the others.
  return Effect.map(Effect.cached(Effect.uninterruptible(representations)), (once) =>
    Effect.gen(function* () {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const { plain, zipped } = yield* once
      const { etag, full, notModified } = takesGzip(headers["accept-encoding"]) ? zipped : plain
      if (isKnown(headers["if-none-match"], etag)) return notModified
      // Many requests on many connections get one answer in each turn of the event loop.
      yield* LoopTurn.next
      return full
    })
  )
}

/** Each coding has bytes of its own, and so an etag of its own (RFC 9110, section 8.8.3.3). */
const representation = ({ headers }: Response, bytes: Uint8Array): Representation => {
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`
  const { "cache-control": kept = cacheControl, vary = "accept-encoding" } = headers
  return {
    etag,
    full: HttpServerResponse.uint8Array(bytes, { headers: { ...headers, etag } }),
    notModified: HttpServerResponse.empty({
      status: 304,
      headers: { "cache-control": kept, etag, vary }
    })
  }
}

/** A coding or `*`, and how much it is wanted (RFC 9110, section 12.5.3). */
const codingForm =
  /^([a-z0-9!#$%&'*+.^_`|~-]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/u

/**
 * Whether `accept-encoding` takes gzip and wants the bytes as they are no more than that. Who takes neither
 * is answered the bytes as they are; members that are malformed count for nothing.
 */
export const takesGzip = (acceptEncoding: string | undefined): boolean => {
  const wanted = new Map<string, number>()
  for (const member of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [, coding, quality = "1"] = codingForm.exec(member.trim()) ?? []
    if (coding !== undefined) wanted.set(coding, Number(quality))
  }
  const gzip = wanted.get("gzip") ?? wanted.get("x-gzip") ?? wanted.get("*") ?? 0
  return gzip > 0 && gzip >= (wanted.get("identity") ?? 0)
}

/**
 * Whether `if-none-match` names an etag, which it compares weakly (RFC 9110, section 13.1.2): a proxy may
 * have put `W/` before it. `*` stands for whatever there is.
 */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === "*" ||
    ifNoneMatch.split(",").some((member) => member.trim().replace(/^W\//u, "") === etag))
