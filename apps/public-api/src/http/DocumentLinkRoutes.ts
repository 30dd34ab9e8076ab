/**
 * What a link of a document opens, for a person who has it: a page that asks, and on its button the bytes. The page
 * changes nothing, because programs that look into letters open each link in them.
 */
import { documentErrors } from "@quittance/contract/documents/DocumentErrors"
import { requestErrors } from "@quittance/contract/requests/RequestErrors"
import { bodyOfError, entryOf } from "@quittance/contract/requests/WireError"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import * as HostedPage from "@quittance/http/HostedPage"
import { LinkOpenings } from "@quittance/operations/documents/links/LinkOpenings"
import { Effect, Option, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { asFile } from "./ContentAnswer.ts"
import { linkPage, type LinkRefusal, refusedLinkPage } from "./DocumentLinkPages.ts"
import { fileNameOf } from "@quittance/domain/documents/ContentHeaders"

/** Nothing of a link is kept on the way, nor told to the next page. */
const secret = { "cache-control": "no-store", "referrer-policy": "no-referrer" }

/** People get a page, programs that don't ask for one the body of the error. */
const refused = Effect.fnUntraced(function* (error: LinkRefusal) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const limited = error._tag === "RateLimited" ? { "retry-after": String(error.retryAfter) } : {}
  // Every schema of the tables has been made with its entry.
  const entry = entryOf({ ...documentErrors, RateLimited: requestErrors.RateLimited }[error._tag])!
  const options = { status: entry.status, headers: { ...secret, ...limited } }
  if (!(headers["accept"] ?? "").includes("text/html")) {
    return HttpServerResponse.jsonUnsafe(bodyOfError(error, entry), options)
  }
  const wanted = (headers["accept-language"] ?? "").split(",").map((one) => one.trim())
  return HostedPage.answer(refusedLinkPage(error, wanted), options)
})

/** The token of the path, and who asks. */
const asked = Effect.gen(function* () {
  const { params } = yield* HttpRouter.RouteContext
  const { headers, remoteAddress } = yield* HttpServerRequest.HttpServerRequest
  const address = Option.getOrElse(remoteAddress, () => "unknown")
  const reader = { address, userAgent: headers["user-agent"] ?? "" }
  return { token: params["token"] ?? "", reader }
})

export const DocumentLinkRoutes = HttpRouter.addAll(
  Effect.gen(function* () {
    const links = yield* LinkOpenings

    const look = Effect.gen(function* () {
      const { reader, token } = yield* asked
      const linked = yield* links.look(token, reader)
      return HostedPage.answer(linkPage(linked, `/documents/links/${token}`))
    })

    const open = Effect.gen(function* () {
      const { reader, token } = yield* asked
      const { content, document, tenant } = yield* links.open(token, reader)
      const { mediaType, title } = document
      const bytes = Stream.provideService(content.bytes(), CurrentTenant, tenant.id)
      return HttpServerResponse.stream(bytes, {
        contentType: mediaType,
        contentLength: content.size,
        headers: { ...secret, ...asFile(fileNameOf(title, mediaType)) }
      })
    })

    return [
      HttpRouter.route("GET", "/documents/links/:token", Effect.catch(look, refused)),
      HttpRouter.route("POST", "/documents/links/:token", Effect.catch(open, refused))
    ]
  })
)
