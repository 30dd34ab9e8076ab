/** Documents as people see them: lists, and their bytes, which are made when they are first asked for. */
import {
  type Document,
  DocumentErased,
  type DocumentId,
  DocumentNotFound,
  DocumentNotReady,
  type GeneratedDocument,
  isGenerated
} from "@quittance/domain/documents/Document"
import type { DocumentFilter } from "@quittance/domain/documents/DocumentRequests"
import type { PolicyNotFound } from "@quittance/domain/policies/Policy"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import { NotReady } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PolicyId } from "@quittance/domain/values/Ids"
import * as Page from "@quittance/domain/values/Page"
import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import { documentModel } from "@quittance/documents/model/Model"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import type { StoredDocument } from "@quittance/persistence/documents/DocumentRow"
import { DocumentsRepo } from "@quittance/persistence/documents/DocumentsRepo"
import { DocumentTemplatesRepo } from "@quittance/persistence/documents/DocumentTemplatesRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { type CheckedContent, Contents } from "../contents/Contents.ts"
import { DocumentInputs } from "./DocumentInputs.ts"

type Scoped = CurrentTenant | CurrentCaller

/** A document with its bytes. */
export interface DocumentContent {
  readonly document: Document
  readonly content: CheckedContent
}

export class Documents extends Context.Service<
  Documents,
  {
    /** The documents that the caller may see, the newest first. */
    list(
      filter: DocumentFilter,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Document>, Forbidden, Scoped>
    /** The same of one policy. */
    listByPolicy(
      policyId: PolicyId,
      filter: DocumentFilter,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Document>, Forbidden | PolicyNotFound | UserNotFound, Scoped>
    get(id: DocumentId): Effect.Effect<Document, DocumentNotFound | Forbidden, Scoped>
    /**
     * The bytes of a document, which is made now if it has none yet. They are safe before they are
     * answered, and the same for everybody from then on.
     */
    content(
      id: DocumentId
    ): Effect.Effect<
      DocumentContent,
      DocumentErased | DocumentNotFound | DocumentNotReady | Forbidden,
      Scoped
    >
  }
>()("@quittance/operations/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const clock = yield* TenantClockRepo
      const contents = yield* Contents
      const grants = yield* GrantsRepo
      const inputs = yield* DocumentInputs
      const policies = yield* PoliciesRepo
      const renderer = yield* DocumentRenderer
      const repo = yield* DocumentsRepo
      const templates = yield* DocumentTemplatesRepo

      const list = Effect.fn("Documents.list")(function* (
        filter: DocumentFilter,
        page: Page.PageRequest
      ) {
        const coverage = yield* grants.coverage("document.read")
        const { rows, total } = yield* repo.list(filter, coverage, page)
        return Page.make(rows, total, page)
      })

      const listByPolicy = Effect.fn("Documents.listByPolicy")(function* (
        policyId: PolicyId,
        filter: DocumentFilter,
        page: Page.PageRequest
      ) {
        yield* policies.authorize("document.read", policyId)
        const { rows, total } = yield* repo.list({ ...filter, policyId }, everywhere, page)
        return Page.make(rows, total, page)
      })

      const get = Effect.fn("Documents.get")(function* (id: DocumentId) {
        return (yield* repo.authorize("document.read", id)).document
      })

      const rendered = Effect.fnUntraced(function* (document: GeneratedDocument) {
        const { template: wanted } = document
        const template = yield* templates.find(wanted.id, wanted.version)
        if (template === undefined) {
          return yield* Effect.fail({ reason: "TEMPLATE_MISSING" as const, paths: [] })
        }
        const model = documentModel(yield* inputs.of(document))
        return yield* renderer.render({ template, model, files: new Map() }).pipe(
          Effect.tapError((error) => Effect.logWarning("A document could not be made", error)),
          // Nothing was stored: who asks may come back in a few seconds.
          Effect.catchTag("RendererUnavailable", () => Effect.die(new NotReady({}))),
          Effect.mapError(({ paths, reason }) => ({ reason, paths }))
        )
      })

      const make = Effect.fn("Documents.make")(
        function* (document: GeneratedDocument) {
          const { bytes, pages, renderer: by } = yield* rendered(document)
          const { address, sha256, size } = yield* contents.put(bytes)
          const { now } = yield* clock.read
          const made = { contentAddress: address, sha256, size, pages, renderer: by }
          return yield* repo.finish(document.id, made, now)
        },
        (effect, { id }) => Effect.catch(effect, (failure) => repo.fail(id, failure))
      )

      /** What is to be made is made now; an upload has its bytes from the start. */
      const withBytes = (stored: StoredDocument) =>
        stored.contentAddress === undefined &&
        isGenerated(stored.document) &&
        stored.document.status !== "ERASED"
          ? make(stored.document)
          : Effect.succeed(stored)

      const content = Effect.fn("Documents.content")(function* (id: DocumentId) {
        const made = yield* withBytes(yield* repo.authorize("document.read", id))
        // The offer has changed meanwhile.
        if (made === undefined) return yield* new DocumentNotFound({ documentId: id })
        const { contentAddress, document } = made
        const { failure, status } = document
        if (status === "ERASED") return yield* new DocumentErased({ documentId: id })
        if (contentAddress === undefined || status === "QUARANTINED") {
          const why = failure === undefined ? {} : { failure }
          return yield* new DocumentNotReady({ status, ...why })
        }
        // What some document has can't be destroyed.
        return { document, content: (yield* contents.open(contentAddress))! }
      })

      return Documents.of({ list, listByPolicy, get, content })
    })
  ).pipe(
    Layer.provide([
      Contents.layer,
      DocumentInputs.layer,
      DocumentsRepo.layer,
      DocumentTemplatesRepo.layer,
      GrantsRepo.layer,
      PoliciesRepo.layer,
      TenantClockRepo.layer
    ])
  )
}

/** Of a policy that was authorized before. */
const everywhere = { _tag: "Tenant" } as const
