/** Documents as people see them: lists, and their bytes, which are made when they are first asked for. */
import type { Document, DocumentId, DocumentNotFound } from "@quittance/domain/documents/Document"
import type { DocumentFilter, DocumentView } from "@quittance/domain/documents/DocumentRequests"
import type { PolicyNotFound } from "@quittance/domain/policies/Policy"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { InvalidEffectiveDate } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PolicyId } from "@quittance/domain/values/Ids"
import * as Page from "@quittance/domain/values/Page"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { DocumentsRepo } from "@quittance/persistence/documents/DocumentsRepo"
import { PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer } from "effect"
import { type CheckedContent, Contents } from "../contents/Contents.ts"
import { Deliveries } from "./Deliveries.ts"
import { DocumentBytes, type WithoutBytes } from "./DocumentBytes.ts"

type Scoped = CurrentTenant | CurrentCaller

/** A document with its bytes. */
export interface DocumentContent {
  readonly document: Document
  readonly content: CheckedContent
  /** Keeps that the caller has read it; for the answer that has the whole file, and for no other. */
  readonly opened: Effect.Effect<void, never, CurrentRequest | Scoped>
}

export class Documents extends Context.Service<
  Documents,
  {
    /** The documents that the caller may see, the newest first. */
    list(
      filter: DocumentFilter,
      page: Page.PageRequest
    ): Effect.Effect<Page.Page<Document>, Forbidden, Scoped>
    /** The same of one policy, those in force first; as of an instant, or as it was known then. */
    listByPolicy(
      policyId: PolicyId,
      filter: DocumentFilter & DocumentView,
      page: Page.PageRequest
    ): Effect.Effect<
      Page.Page<Document>,
      Forbidden | InvalidEffectiveDate | PolicyNotFound | UserNotFound,
      Scoped
    >
    get(id: DocumentId): Effect.Effect<Document, DocumentNotFound | Forbidden, Scoped>
    /**
     * The bytes of a document, which is made now if it has none yet. They are safe before they are
     * answered, and the same for everybody from then on. What a customer reads themselves is a delivery.
     */
    content(
      id: DocumentId
    ): Effect.Effect<DocumentContent, Forbidden | WithoutBytes, CurrentRequest | Scoped>
  }
>()("@quittance/operations/Documents") {
  static readonly layer = Layer.effect(
    Documents,
    Effect.gen(function* () {
      const bytes = yield* DocumentBytes
      const contents = yield* Contents
      const deliveries = yield* Deliveries
      const grants = yield* GrantsRepo
      const policies = yield* PoliciesRepo
      const repo = yield* DocumentsRepo

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
        filter: DocumentFilter & DocumentView,
        page: Page.PageRequest
      ) {
        const { knownAt } = filter
        const latest = knownAt === undefined ? undefined : yield* policies.settled([policyId])
        yield* policies.authorize("document.read", policyId)
        if (knownAt !== undefined && latest !== undefined && knownAt > latest) {
          return yield* new InvalidEffectiveDate({ field: "knownAt", latest })
        }
        const { rows, total } = yield* repo.list({ ...filter, policyId }, everywhere, page)
        return Page.make(rows, total, page)
      })

      const get = Effect.fn("Documents.get")(function* (id: DocumentId) {
        return (yield* repo.authorize("document.read", id)).document
      })

      const content = Effect.fn("Documents.content")(function* (id: DocumentId) {
        const fixed = yield* bytes.of(yield* repo.authorize("document.read", id))
        const { contentAddress, document } = fixed
        // What some document has can't be destroyed.
        const content = (yield* contents.open(contentAddress))!
        return { document, content, opened: deliveries.opened(document) }
      })

      return Documents.of({ list, listByPolicy, get, content })
    })
  ).pipe(
    Layer.provide([
      Contents.layer,
      Deliveries.layer,
      DocumentBytes.layer,
      DocumentsRepo.layer,
      GrantsRepo.layer,
      PoliciesRepo.layer
    ])
  )
}

/** Of a policy that was authorized before. */
const everywhere = { _tag: "Tenant" } as const
