/** Links that open a document without a sign-in: made, listed, withdrawn. */
import * as Secret from "@quittance/auth/Secret"
import {
  type Document,
  DocumentErased,
  type DocumentId,
  type DocumentNotFound,
  DocumentNotReady
} from "@quittance/domain/documents/Document"
import {
  type DocumentLink,
  type DocumentLinkId,
  DocumentLinkNotFound,
  linkSeconds,
  linkUrlOf,
  type LiveDocumentLink,
  type MakeDocumentLink,
  maximumLinks,
  TooManyDocumentLinks
} from "@quittance/domain/documents/DocumentLink"
import { CurrentCaller, type Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidReference
} from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import type { CustomerId } from "@quittance/domain/values/Ids"
import * as Page from "@quittance/domain/values/Page"
import { DeliveriesRepo } from "@quittance/persistence/documents/DeliveriesRepo"
import { DocumentLinksRepo } from "@quittance/persistence/documents/DocumentLinksRepo"
import { DocumentsRepo } from "@quittance/persistence/documents/DocumentsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer, Redacted } from "effect"
import { OneTimeLinkKey } from "../../access/OneTimeLinkKey.ts"
import { requestActor } from "../../requests/Actor.ts"
import { AuditTrail } from "../../requests/AuditTrail.ts"
import { Command } from "../../requests/Command.ts"
import { Issuers } from "../../tokens/Issuers.ts"

type Scoped = CurrentTenant | CurrentCaller | CurrentRequest
type Written<E> = E | DocumentNotFound | Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused

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
    /** The links of a document that work, the latest first. Customers see those that are for them. */
    list(
      id: DocumentId,
      page: Page.PageRequest
    ): Effect.Effect<
      Page.Page<LiveDocumentLink>,
      DocumentNotFound | Forbidden,
      CurrentTenant | CurrentCaller
    >
    /** Ends a link at once; one that has ended already stays so. */
    revoke(id: DocumentLinkId): Effect.Effect<void, Written<DocumentLinkNotFound>, Scoped>
  }
>()("@quittance/operations/DocumentLinks") {
  static readonly layer = Layer.effect(
    DocumentLinks,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const command = yield* Command
      const documents = yield* DocumentsRepo
      const ids = yield* Ids
      const issuers = yield* Issuers
      const keys = yield* OneTimeLinkKey
      const readers = yield* DeliveriesRepo
      const repo = yield* DocumentLinksRepo

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
        const secret = secretOf(tenant, made.id)
        return { ...made, url: linkUrlOf(issuers.audience, { tenant, id: made.id, secret }) }
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

      const list = Effect.fn("DocumentLinks.list")(function* (
        id: DocumentId,
        page: Page.PageRequest
      ) {
        yield* documents.authorize("document.read", id)
        const { rows, total } = yield* repo.listLive(id, yield* readers.readerOf(id), page)
        return Page.make(rows, total, page)
      })

      return DocumentLinks.of({ make, list, revoke })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      DeliveriesRepo.layer,
      DocumentLinksRepo.layer,
      DocumentsRepo.layer,
      OneTimeLinkKey.layer
    ])
  )
}
