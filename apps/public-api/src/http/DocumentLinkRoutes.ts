/**
 * What a link of a document opens, for a person who has it: a page that asks, and on its button the bytes. The page
 * changes nothing, because programs that look into letters open each link in them.
 */
import { documentErrors } from "@quittance/contract/documents/DocumentErrors"
import { requestErrors } from "@quittance/contract/requests/RequestErrors"
import { bodyOfError, entryOf } from "@quittance/contract/requests/WireError"
import type { DocumentNotReady } from "@quittance/domain/documents/Document"
import type {
  DocumentLinkExpired,
  DocumentLinkNotFound
} from "@quittance/domain/documents/DocumentLink"
import { linkWordsOf } from "@quittance/domain/documents/LinkWords"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { toEpochMillis } from "@quittance/domain/values/Instant"
import * as HtmlPage from "@quittance/http/HtmlPage"
import {
  type LinkedDocument,
  LinkOpenings
} from "@quittance/operations/documents/links/LinkOpenings"
import { Effect, Option, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { asFile } from "./ContentAnswer.ts"
import { fileNameOf } from "@quittance/domain/documents/ContentHeaders"

type Refused = DocumentLinkExpired | DocumentLinkNotFound | DocumentNotReady | RateLimited

/** Nothing of a link is kept on the way, nor told to the next page. */
const secret = { "cache-control": "no-store", "referrer-policy": "no-referrer" }

const refused = (error: Refused) => {
  const limited = error._tag === "RateLimited" ? { "retry-after": String(error.retryAfter) } : {}
  // Every schema of the tables has been made with its entry.
  const entry = entryOf({ ...documentErrors, RateLimited: requestErrors.RateLimited }[error._tag])!
  return Effect.succeed(
    HttpServerResponse.jsonUnsafe(bodyOfError(error, entry), {
      status: entry.status,
      headers: { ...secret, ...limited }
    })
  )
}

const style = `
:root { color-scheme: light dark }
body { margin: 0; padding: 32px 16px; font: 16px/1.5 system-ui, sans-serif; background: Canvas; color: CanvasText }
main { max-width: 32rem; margin: 0 auto; overflow-wrap: anywhere }
h1 { font-size: 1.375rem; line-height: 1.3; margin: 0 0 4px }
button { font: inherit; font-weight: 600; min-height: 44px; margin: 20px 0; padding: 8px 20px; border: 0; border-radius: 6px; background: #0b6b57; color: #fff; cursor: pointer }
button:focus-visible { outline: 3px solid; outline-offset: 2px }
p { margin: 0 }`

const pageOf = ({ expiresAt, once, tenant, title }: LinkedDocument): string => {
  const words = linkWordsOf(tenant.locale)
  const until = new Intl.DateTimeFormat(tenant.locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: tenant.timeZone
  }).format(toEpochMillis(expiresAt))
  const text = HtmlPage.escape
  return `<!doctype html>
<html lang="${words.language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${text(title)}</title><style>${style}</style></head>
<body><main><h1>${text(title)}</h1><p>${text(words.from(tenant.name))}</p>
<form method="post"><button>${text(words.open)}</button></form>
<p>${text(words.until(until))}${once ? ` ${text(words.once)}` : ""}</p></main></body></html>`
}

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
      return HttpServerResponse.setHeaders(HtmlPage.response(pageOf(linked)), secret)
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
