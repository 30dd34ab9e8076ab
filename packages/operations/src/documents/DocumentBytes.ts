/** The bytes of documents: made where there are none yet, and fixed from then on. */
import {
  type Document,
  DocumentErased,
  DocumentNotFound,
  DocumentNotReady
} from "@quittance/domain/documents/Document"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { StoredDocument } from "@quittance/persistence/documents/DocumentRow"
import { DocumentStatesRepo } from "@quittance/persistence/documents/DocumentStatesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer } from "effect"
import { DocumentMaking } from "./DocumentMaking.ts"

/** A document that has bytes for good, and where they are. */
export interface FixedDocument {
  readonly document: Document & Required<Pick<Document, "sha256" | "size">>
  readonly contentAddress: string
}

export type WithoutBytes = DocumentErased | DocumentNotFound | DocumentNotReady

export class DocumentBytes extends Context.Service<
  DocumentBytes,
  {
    /**
     * A document with its bytes. What waits to be made, or has failed to be, is made now; an upload has its
     * bytes from the start, and can't be read before it was judged.
     */
    of(stored: StoredDocument): Effect.Effect<FixedDocument, WithoutBytes, CurrentTenant>
  }
>()("@quittance/operations/DocumentBytes") {
  static readonly layer = Layer.effect(
    DocumentBytes,
    Effect.gen(function* () {
      const making = yield* DocumentMaking
      const states = yield* DocumentStatesRepo
      const tenantSql = yield* TenantSql

      const made = Effect.fnUntraced(function* (stored: StoredDocument) {
        const { id, status } = stored.document
        const waiting =
          status === "FAILED" ? yield* tenantSql.transaction(states.retry(id)) : stored
        return waiting?.document.status === "PENDING" ? yield* making.make(waiting) : waiting
      })

      const of = Effect.fn("DocumentBytes.of")(function* (stored: StoredDocument) {
        const { id } = stored.document
        const found = yield* made(stored)
        // The offer has changed meanwhile.
        if (found === undefined) return yield* new DocumentNotFound({ documentId: id })
        const { contentAddress, document } = found
        const { failure, sha256, size, status } = document
        if (status === "ERASED") return yield* new DocumentErased({ documentId: id })
        if (
          contentAddress === undefined ||
          sha256 === undefined ||
          size === undefined ||
          status === "QUARANTINED"
        ) {
          const why = failure === undefined ? {} : { failure }
          return yield* new DocumentNotReady({ status, ...why })
        }
        return { document: { ...document, sha256, size }, contentAddress }
      })

      return DocumentBytes.of({ of })
    })
  ).pipe(Layer.provide([DocumentMaking.layer, DocumentStatesRepo.layer]))
}
