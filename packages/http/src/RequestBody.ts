/** Reads the body of a request that its route takes as JSON. */
import {
  PayloadTooLarge,
  type RequestIssue,
  UnsupportedMediaType
} from "@quittance/domain/RequestErrors"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import { maxBodySize } from "./Edge.ts"
import { pointerSegment, unsound } from "./Soundness.ts"

const mediaType = "application/json"
const utf8 = new TextDecoder("utf-8", { fatal: true })

/** A body as far as it could be read: the value it holds, or what keeps it from holding one. */
export type RequestBody =
  | { readonly text: string; readonly value: unknown; readonly issues: ReadonlyArray<RequestIssue> }
  | { readonly value?: never; readonly text?: never; readonly issues: ReadonlyArray<RequestIssue> }

/**
 * The JSON of a body. An empty body counts as `{}`, so that a command without members needs none and
 * any other says which ones are missing.
 */
export const read = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  if (!isJson(request.headers)) return yield* new UnsupportedMediaType({ accepted: [mediaType] })
  if (Number(request.headers["content-length"] ?? 0) > maxBodySize) {
    return yield* new PayloadTooLarge({ maximum: maxBodySize })
  }
  // What fails here, such as a body that grows too large, is answered by the edge.
  const bytes = yield* Effect.orDie(request.arrayBuffer)
  return parse(bytes)
})

const isJson = (headers: Readonly<Record<string, string | undefined>>): boolean => {
  const encoding = headers["content-encoding"] ?? "identity"
  const [type = "", ...parameters] = (headers["content-type"] ?? mediaType).toLowerCase().split(";")
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith("charset="))
  return (
    encoding.trim().toLowerCase() === "identity" &&
    type.trim() === mediaType &&
    (charset === undefined || /^charset="?utf-8"?$/u.test(charset))
  )
}

const parse = (bytes: ArrayBuffer): RequestBody => {
  if (bytes.byteLength === 0) return { text: "{}", value: {}, issues: [] }
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return fault("Expected text in UTF-8")
  }
  try {
    const value: unknown = JSON.parse(text)
    const issues = unsound("body", value, (segments) => segments.map(pointerSegment).join(""))
    return { text, value, issues }
  } catch {
    return fault("Expected valid JSON")
  }
}

const fault = (message: string): RequestBody => ({ issues: [{ in: "body", path: "", message }] })
