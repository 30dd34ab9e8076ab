/** The pages of a link of a document: what it opens, and why it opens nothing. They need no script. */
import type { DocumentNotReady } from "@quittance/domain/documents/Document"
import type {
  DocumentLinkExpired,
  DocumentLinkNotFound
} from "@quittance/domain/documents/DocumentLink"
import { linkWordsOf } from "@quittance/domain/documents/LinkWords"
import type { RateLimited } from "@quittance/domain/requests/RateLimit"
import { toEpochMillis } from "@quittance/domain/values/Instant"
import { escape } from "@quittance/http/HtmlPage"
import * as HostedPage from "@quittance/http/HostedPage"
import type { LinkedDocument } from "@quittance/operations/documents/links/LinkOpenings"

export type LinkRefusal =
  | DocumentLinkExpired
  | DocumentLinkNotFound
  | DocumentNotReady
  | RateLimited

/** What the link opens, with the button that opens it. */
export const linkPage = (
  { expiresAt, once, tenant, title }: LinkedDocument,
  action: string
): HostedPage.Page => {
  const words = linkWordsOf(tenant.locale)
  const until = new Intl.DateTimeFormat(tenant.locale, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: tenant.timeZone
  }).format(toEpochMillis(expiresAt))
  const note = `${words.until(until)}${once ? ` ${words.once}` : ""}`
  return {
    tenant,
    language: { code: words.language, error: words.error },
    heading: title,
    lead: words.from(tenant.name),
    content: [
      HostedPage.form({ action, hidden: [], fields: [], button: words.open }),
      `<p class="note">${escape(note)}</p>`
    ].join("\n")
  }
}

/** Of a link that opens nothing: nothing tells whose it was. */
export const refusedLinkPage = (
  error: LinkRefusal,
  languages: ReadonlyArray<string>
): HostedPage.Page => {
  const words = linkWordsOf(...languages)
  const language = { code: words.language, error: words.error }
  const page = { tenant: undefined, language, content: "" }
  switch (error._tag) {
    case "DocumentLinkExpired":
      return { ...page, ...words.ended }
    case "DocumentLinkNotFound":
      return { ...page, ...words.wrong }
    case "DocumentNotReady":
      return { ...page, ...words.notReady }
    case "RateLimited":
      return {
        ...page,
        heading: words.open,
        problem: words.wait(Math.ceil(error.retryAfter / 60))
      }
  }
}
