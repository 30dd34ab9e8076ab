/** Reads the body of a request as its route takes it: as JSON, or as plain text such as CSV. */
import {
  PayloadTooLarge,
  type RequestIssue,
  UnsupportedMediaType
} from "@quittance/domain/requests/RequestErrors"
import * as LoopTurn from "@quittance/domain/values/LoopTurn"
import * as Turns from "@quittance/domain/requests/Turns"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { maxBodySize } from "./Edge.ts"
import { pointerSegment, unsound } from "./Soundness.ts"

const json = "application/json"
const utf8 = new TextDecoder("utf-8", { fatal: true })

/** A body as far as it could be read: the value it holds, or what keeps it from holding one. */
export type RequestBody =
  | { readonly text: string; readonly value: unknown; readonly issues: ReadonlyArray<RequestIssue> }
  | { readonly value?: never; readonly text?: never; readonly issues: ReadonlyArray<RequestIssue> }

/** Refuses a body that says of itself that it is of another type, or too large. */
export const check = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  mediaType: string,
  maximum: number
) {
  if (!isOf(mediaType, request.headers)) {
    return yield* new UnsupportedMediaType({ accepted: [mediaType] })
  }
  if (Number(request.headers["content-length"] ?? 0) > maximum) {
    return yield* new PayloadTooLarge({ maximum })
  }
})

/**
 * A body of a media type. An empty one of JSON counts as `{}`, so that a command without members needs
 * none and any other says which ones are missing; text of another type is taken as it is.
 */
export const read = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  mediaType: string,
  turns: Turns.Turns
) {
  yield* check(request, mediaType, maxBodySize)
  // What fails here, such as a body that grows too large, is answered by the edge.
  const bytes = yield* Effect.orDie(request.arrayBuffer)
  const reading = Effect.sync(() => (mediaType === json ? parse(bytes) : plain(bytes)))
  if (bytes.byteLength <= small) return judged(yield* reading)
  // One after the other, and other requests between any two steps.
  const inSteps = Effect.gen(function* () {
    const body = yield* reading
    yield* LoopTurn.next
    const result = judged(body)
    yield* LoopTurn.next
    return result
  })
  return yield* turns.run(request.headers["tenant"] ?? "", Effect.andThen(LoopTurn.next, inSteps))
})

/** Bytes of a body that is read in no time. */
const small = 65_536

/** What the bodies of an app that are not small are read in. */
export const turns = (): Turns.Turns =>
  Turns.make("LARGE_REQUESTS", { atOnce: 1, each: 1, waiting: 64 })

const isOf = (
  mediaType: string,
  headers: Readonly<Record<string, string | undefined>>
): boolean => {
  const encoding = headers["content-encoding"] ?? "identity"
  const [type = "", ...parameters] = (headers["content-type"] ?? json).toLowerCase().split(";")
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith("charset="))
  return (
    encoding.trim().toLowerCase() === "identity" &&
    type.trim() === mediaType &&
    (charset === undefined || /^charset="?utf-8"?$/u.test(charset))
  )
}

/** The text of a body, without the mark that some programs put before it. */
const textOf = (bytes: ArrayBuffer): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

const plain = (bytes: ArrayBuffer): RequestBody => {
  const text = textOf(bytes)
  return text === undefined ? notUtf8 : { text, value: text, issues: [] }
}

const parse = (bytes: ArrayBuffer): RequestBody => {
  if (bytes.byteLength === 0) return { text: "{}", value: {}, issues: [] }
  const text = textOf(bytes)
  if (text === undefined) return notUtf8
  try {
    const value: unknown = JSON.parse(text)
    return { text, value, issues: [] }
  } catch {
    return fault("Expected valid JSON")
  }
}

/** A body with the texts that it must not hold; one that could not be read has its fault already. */
const judged = (body: RequestBody): RequestBody =>
  body.text === undefined ? body : { ...body, issues: unsound("body", body.value, pathOf) }

const pathOf = (segments: ReadonlyArray<string>) => segments.map(pointerSegment).join("")

const fault = (message: string): RequestBody => ({ issues: [{ in: "body", path: "", message }] })
const notUtf8 = fault("Expected text in UTF-8")
