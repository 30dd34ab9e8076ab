/** Links that open a document without a sign-in: made, looked at, opened, withdrawn. */
import * as Secret from "@quittance/auth/Secret"
import * as SourceAddress from "@quittance/auth/SourceAddress"
import {
  type Document,
  DocumentErased,
  type DocumentId,
  type DocumentNotFound,
  DocumentNotReady
} from "@quittance/domain/documents/Document"
import {
  type DocumentLink,
  DocumentLinkExpired,
  type DocumentLinkId,
  DocumentLinkNotFound,
  linkSeconds,
  linkTokenOf,
  linkTokenParts,
  type MakeDocumentLink,
  maximumLinks,
  TooManyDocumentLinks
} from "@quittance/domain/documents/DocumentLink"
import { CurrentCaller, type Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type { RateLimit, RateLimited } from "@quittance/domain/requests/RateLimit"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import type { Tenant } from "@quittance/domain/tenants/Tenant"
import type { CustomerId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { DeliveriesRepo } from "@quittance/persistence/documents/DeliveriesRepo"
import {
  DocumentLinksRepo,
  type StoredDocumentLink
} from "@quittance/persistence/documents/DocumentLinksRepo"
import { DocumentMakingRepo } from "@quittance/persistence/documents/DocumentMakingRepo"
import { DocumentsRepo } from "@quittance/persistence/documents/DocumentsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { OneTimeLinkKey } from "../access/OneTimeLinkKey.ts"
import { type CheckedContent, Contents } from "../contents/Contents.ts"
import { requestActor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { RateLimits } from "../requests/RateLimits.ts"
import { TenantDirectory } from "../tenants/TenantDirectory.ts"
import { Issuers } from "../tokens/Issuers.ts"
import { Deliveries } from "./Deliveries.ts"
import { DocumentBytes } from "./DocumentBytes.ts"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest
type Written<E> = E | DocumentNotFound | Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused
type Unusable = DocumentLinkExpired | DocumentLinkNotFound | RateLimited

/** Who uses a link, without a sign-in. */
export interface LinkReader {
  readonly address: string
  readonly userAgent: string
}

/** What a link would open, for the page that asks whether to. */
export interface LinkedDocument {
  readonly tenant: Tenant
  readonly title: string
  readonly expiresAt: Instant
  readonly once: boolean
}

/** Uses of links from one address. */
const uses: RateLimit = { limit: 60, windowSeconds: 60 }

export class DocumentLinks extends Context.Service<
  DocumentLinks,
  {
    /** Makes a link. Its secret is stored nowhere, and a repetition with the same key answers it again. */
    make(
      id: DocumentId,
      input: MakeDocumentLink
    ): Effect.Effect<
      DocumentLink,
      Written<DocumentErased | DocumentNotReady | InvalidReference | TooManyDocumentLinks>,
      Scoped
    >
    /** Ends a link at once; one that has ended already stays so. */
    revoke(id: DocumentLinkId): Effect.Effect<void, Written<DocumentLinkNotFound>, Scoped>
    /** What a link opens. Programs that look into letters ask for it, so nothing changes. */
    look(token: string, reader: LinkReader): Effect.Effect<LinkedDocument, Unusable>
    /** Opens a link: it is on record, and proves that the customer has read what it was made for. */
    open(
      token: string,
      reader: LinkReader
    ): Effect.Effect<
      { readonly document: Document; readonly content: CheckedContent; readonly tenant: Tenant },
      DocumentNotReady | Unusable
    >
  }
>()("@quittance/operations/DocumentLinks") {
  static readonly layer = Layer.effect(
    DocumentLinks,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const bytes = yield* DocumentBytes
      const command = yield* Command
      const contents = yield* Contents
      const deliveries = yield* Deliveries
      const documents = yield* DocumentsRepo
      const ids = yield* Ids
      const issuers = yield* Issuers
      const keys = yield* OneTimeLinkKey
      const limits = yield* RateLimits
      const making = yield* DocumentMakingRepo
      const readers = yield* DeliveriesRepo
      const repo = yield* DocumentLinksRepo
      const tenants = yield* TenantDirectory
      const tenantSql = yield* TenantSql

      const secretOf = (tenant: TenantId, id: DocumentLinkId) =>
        Redacted.value(keys.token(tenant, id))

      /** Whose opening a link proves: the customer's who makes it, else of the one that it is sent to. */
      const customerOf = Effect.fnUntraced(function* (
        { id, policyId }: Document,
        asked: CustomerId | undefined
      ) {
        const own = yield* readers.readerOf(id)
        if (asked === undefined) return own
        const fits = own === undefined ? yield* readers.isOn(asked, policyId) : own === asked
        if (fits) return asked
        const expected =
          "a customer of the document's policy, and oneself where one is its customer"
        return yield* new InvalidReference({ field: "customerId", value: asked, expected })
      })

      const make = Effect.fn("DocumentLinks.make")(function* (
        documentId: DocumentId,
        { customerId: asked, expiresIn = linkSeconds.default, once = false }: MakeDocumentLink
      ) {
        const tenant = yield* CurrentTenant
        const made = yield* command.run({
          authorize: documents.authorize("document.read", documentId),
          decide: Effect.fnUntraced(function* ({ document }) {
            const { status } = document
            if (status === "ERASED") return yield* new DocumentErased({ documentId })
            if (status !== "READY" && status !== "PENDING") {
              return yield* new DocumentNotReady({ status })
            }
            const customerId = yield* customerOf(document, asked)
            if ((yield* repo.countLive(documentId)) >= maximumLinks) {
              return yield* new TooManyDocumentLinks({ maximum: maximumLinks })
            }
            const id = ids.next("document_link")
            const caller = yield* CurrentCaller
            const { id: authorId, kind } = yield* requestActor
            const sessionId = caller._tag === "Anonymous" ? caller.sessionId : undefined
            const author = { kind, id: authorId }
            const tokenHash = Secret.hash(secretOf(tenant, id))
            const link = { id, documentId, tokenHash, once, customerId, sessionId, author }
            const expiresAt = yield* repo.insert(link, expiresIn)
            const of = customerId === undefined ? {} : { customerId }
            const after = { id, documentId, expiresAt, once, ...of }
            yield* audit.record({
              action: "document.link",
              recordId: documentId,
              after,
              detail: { linkId: id }
            })
            return after
          })
        })
        const token = linkTokenOf(tenant, made.id, secretOf(tenant, made.id))
        return { ...made, url: `${issuers.audience}/documents/links/${token}` }
      })

      const revoke = Effect.fn("DocumentLinks.revoke")((id: DocumentLinkId) =>
        command.run({
          authorize: Effect.gen(function* () {
            const link = yield* repo.find(id)
            if (link === undefined) return yield* new DocumentLinkNotFound({ linkId: id })
            yield* documents.authorize("document.read", link.documentId)
            return link
          }),
          decide: Effect.fnUntraced(function* (before) {
            yield* repo.revoke(id)
            yield* audit.record({
              action: "document.unlink",
              recordId: before.documentId,
              before,
              detail: { linkId: id }
            })
          })
        })
      )

      /** The tenant and the link of a token, each try counted by the address that it comes from. */
      const usable = Effect.fnUntraced(function* (token: string, { address }: LinkReader) {
        const parts = linkTokenParts(token)
        const tenant =
          parts !== undefined && isTenantId(parts.tenant)
            ? yield* tenants.find(parts.tenant)
            : undefined
        if (parts === undefined || tenant === undefined) return yield* new DocumentLinkNotFound({})
        const find = Effect.gen(function* () {
          yield* limits.take(`documentLink:${SourceAddress.key(address)}`, uses)
          const made = keys
            .tokens(tenant.id, parts.id)
            .map((one) => Secret.hash(Redacted.value(one)))
          if (!Secret.matches(parts.secret, made)) return undefined
          return yield* repo.ofToken(parts.id, Secret.hash(parts.secret))
        })
        const link = yield* Effect.provideService(find, CurrentTenant, tenant.id)
        if (link === undefined) return yield* new DocumentLinkNotFound({})
        if (!link.isLive) return yield* new DocumentLinkExpired({})
        return { tenant, link }
      })

      const look = Effect.fn("DocumentLinks.look")(function* (token: string, reader: LinkReader) {
        const { link, tenant } = yield* usable(token, reader)
        const { documentId, expiresAt, once } = link
        const found = yield* Effect.provideService(
          making.find(documentId),
          CurrentTenant,
          tenant.id
        )
        return { tenant, title: found.document.title, expiresAt, once }
      })

      const opened = Effect.fnUntraced(function* (
        { customerId, id }: StoredDocumentLink,
        document: Document & { readonly sha256: string; readonly size: number },
        reader: LinkReader
      ) {
        if (!(yield* repo.open(id))) return yield* new DocumentLinkExpired({})
        const actor = { kind: "ANONYMOUS", id } as const
        // A file that people have added is no paper that they have to be given.
        if (customerId !== null && document.origin !== "UPLOADED") {
          const handing = { customerId, channel: "LINK", level: "OPENED" } as const
          yield* deliveries.prove(document, handing, { actor, ...reader })
        }
        yield* audit.recordBy(actor, {
          action: "document.openLink",
          recordId: document.id,
          detail: { linkId: id, sha256: document.sha256 }
        })
      }, tenantSql.transaction)

      const openIn = Effect.fnUntraced(function* (link: StoredDocumentLink, reader: LinkReader) {
        const fixed = yield* bytes.of(yield* making.find(link.documentId)).pipe(
          // It went with its document.
          Effect.catchTags({
            DocumentErased: () => new DocumentLinkExpired({}),
            DocumentNotFound: () => new DocumentLinkExpired({})
          })
        )
        // What some document has can't be destroyed.
        const content = (yield* contents.open(fixed.contentAddress))!
        yield* opened(link, fixed.document, reader)
        return { document: fixed.document, content }
      })

      const open = Effect.fn("DocumentLinks.open")(function* (token: string, reader: LinkReader) {
        const { link, tenant } = yield* usable(token, reader)
        const found = yield* Effect.provideService(openIn(link, reader), CurrentTenant, tenant.id)
        return { ...found, tenant }
      })

      return DocumentLinks.of({ make, revoke, look, open })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      Contents.layer,
      Deliveries.layer,
      DeliveriesRepo.layer,
      DocumentBytes.layer,
      DocumentLinksRepo.layer,
      DocumentMakingRepo.layer,
      DocumentsRepo.layer,
      OneTimeLinkKey.layer,
      RateLimits.layer,
      TenantDirectory.layer
    ])
  )
}

const isTenantId = Schema.is(TenantId)
