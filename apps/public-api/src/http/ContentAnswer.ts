/** The bytes of a document as an answer: whole, a part of them, or that the reader has them already. */
import {
  attachment,
  fileNameOf,
  matchesEtag,
  rangeOf
} from "@quittance/domain/documents/ContentHeaders"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { DocumentContent } from "@quittance/operations/documents/Documents"
import { Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

/** What is answered of a file that no browser may take for a page of ours. */
export const asFile = (name: string) => ({
  "content-disposition": attachment(name),
  "content-security-policy": "sandbox",
  "x-content-type-options": "nosniff"
})

/** A PDF that nothing is kept of. */
export const previewAnswer = (name: string, bytes: Uint8Array) =>
  HttpServerResponse.uint8Array(bytes, {
    contentType: "application/pdf",
    headers: { ...asFile(`${name}.pdf`), "cache-control": "no-store" }
  })

/** A file for a bank, which no cache keeps. */
export const fileAnswer = (name: string, bytes: Uint8Array) =>
  HttpServerResponse.uint8Array(bytes, {
    contentType: "application/xml",
    headers: { ...asFile(name), "cache-control": "no-store" }
  })

/** An archive, which no cache keeps. */
export const archiveAnswer = (name: string, bytes: Uint8Array) =>
  HttpServerResponse.uint8Array(bytes, {
    contentType: "application/zip",
    headers: { ...asFile(name), "cache-control": "no-store" }
  })

export const contentAnswer = Effect.fnUntraced(function* ({
  content,
  document,
  opened
}: DocumentContent) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const tenant = yield* CurrentTenant
  const { mediaType, title } = document
  const { sha256, size } = content
  const etag = `"${sha256}"`
  const headers = {
    etag,
    "accept-ranges": "bytes",
    "cache-control": "private, no-cache",
    ...asFile(fileNameOf(title, mediaType))
  }
  if (matchesEtag(request.headers["if-none-match"], etag)) {
    return HttpServerResponse.empty({ status: 304, headers })
  }
  const range = rangeOf(request.headers["range"], size)
  if (range === "NONE") {
    const outside = { ...headers, "content-range": `bytes */${size}` }
    return HttpServerResponse.empty({ status: 416, headers: outside })
  }
  const { end, start } = range ?? { start: 0, end: size }
  if (request.method === "GET" && end - start === size) yield* opened
  const bytes = Stream.provideService(content.bytes({ start, end }), CurrentTenant, tenant)
  return HttpServerResponse.stream(bytes, {
    status: range === undefined ? 200 : 206,
    contentType: mediaType,
    contentLength: end - start,
    headers:
      range === undefined
        ? headers
        : { ...headers, "content-range": `bytes ${start}-${end - 1}/${size}` }
  })
})
