/** Links that open one document without a sign-in: short-lived, and each opening is on record. */
import { Schema, Struct } from "effect"
import * as Prefixed from "../values/PrefixedId.ts"
import { CustomerId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import { DocumentAuthor, type DocumentStatus, DocumentId } from "./Document.ts"

export const DocumentLinkId = Prefixed.schema("document_link")
export type DocumentLinkId = typeof DocumentLinkId.Type

/** Links of a document that may be live at the same time. */
export const maximumLinks = 100

/** Seconds: a link lasts 15 minutes unless it is said, and from a minute to seven days. */
export const linkSeconds = { default: 900, minimum: 60, maximum: 604_800 } as const

/** A link as its maker sees it; who has the address can open the document. */
export const DocumentLink = Schema.Struct({
  id: DocumentLinkId,
  documentId: DocumentId,
  url: Schema.String,
  expiresAt: Instant,
  /** Whether it opens the document a single time. */
  once: Schema.Boolean,
  /** Whose opening it proves; absent where it proves none. */
  customerId: Schema.optionalKey(CustomerId)
}).annotate({ identifier: "DocumentLink" })
export type DocumentLink = typeof DocumentLink.Type

/** A link that works, as those see it who may make links. What opens the document was shown to its maker alone. */
export const LiveDocumentLink = Schema.Struct({
  ...Struct.omit(DocumentLink.fields, ["url"]),
  /** Who has made it. */
  author: DocumentAuthor,
  createdAt: Instant,
  /** When it was first opened; absent until then. */
  openedAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "LiveDocumentLink" })
export type LiveDocumentLink = typeof LiveDocumentLink.Type

/** A link that is asked for. */
export const MakeDocumentLink = Schema.Struct({
  /** Seconds. */
  expiresIn: Schema.optionalKey(
    Schema.Int.check(
      Schema.isBetween({ minimum: linkSeconds.minimum, maximum: linkSeconds.maximum })
    )
  ),
  once: Schema.optionalKey(Schema.Boolean),
  /** To whom it is sent, where others than the customer make it. */
  customerId: Schema.optionalKey(CustomerId)
}).annotate({ identifier: "MakeDocumentLink" })
export type MakeDocumentLink = typeof MakeDocumentLink.Type

/** What decides whether a link still opens its document. */
export interface LinkFacts {
  readonly isRevoked: boolean
  readonly isExpired: boolean
  /** The anonymous session that has made it is over. */
  readonly isSessionOver: boolean
  readonly once: boolean
  readonly isOpened: boolean
  readonly status: DocumentStatus
}

/** Whether a link opens its document now. It ends with its time, its use, its maker's session and its document. */
export const isLive = (link: LinkFacts): boolean =>
  !link.isRevoked &&
  !link.isExpired &&
  !link.isSessionOver &&
  !(link.once && link.isOpened) &&
  (link.status === "READY" || link.status === "PENDING")

/**
 * The address of a link below that of the service. Its token has the tenant, the link and what proves that the
 * service has made it.
 */
export const linkUrlOf = (
  baseUrl: string,
  {
    id,
    secret,
    tenant
  }: { readonly tenant: string; readonly id: DocumentLinkId; readonly secret: string }
): string => `${baseUrl}/documents/links/${tenant}.${id}.${secret}`

const isLinkId = Schema.is(DocumentLinkId)

/** The parts of a token; `undefined` for what no link of ours looks like. */
export const linkTokenParts = (token: string) => {
  const [tenant = "", id, secret = "", ...rest] = token.split(".")
  return isLinkId(id) && rest.length === 0 ? { tenant, id, secret } : undefined
}

export class DocumentLinkNotFound extends Schema.TaggedError<DocumentLinkNotFound>()(
  "DocumentLinkNotFound",
  { linkId: Schema.optionalKey(Schema.String) }
) {
  override get message() {
    return "There is no such link. Check the address, or ask for another link."
  }
}

/** A link of ours that opens nothing any more. */
export class DocumentLinkExpired extends Schema.TaggedError<DocumentLinkExpired>()(
  "DocumentLinkExpired",
  {}
) {
  override get message() {
    return "The link has ended. Ask the sender for another one."
  }
}

export class TooManyDocumentLinks extends Schema.TaggedError<TooManyDocumentLinks>()(
  "TooManyDocumentLinks",
  { maximum: Schema.Int }
) {
  override get message() {
    return `The document has ${this.maximum} links that work; withdraw one, or let them expire.`
  }
}
