/** The bytes of documents: made where there are none yet, and fixed from then on. */
import {
  type Document,
  DocumentErased,
  DocumentNotFound,
  DocumentNotReady
} from "@quittance/domain/documents/Document"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
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
    /** The same for a command: its dry run makes nothing, and refuses a document that has no bytes yet. */
    ofCommand(
      stored: StoredDocument
    ): Effect.Effect<FixedDocument, WithoutBytes, CurrentTenant | CurrentRequest>
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
        const found = yield* made(stored)
        // The offer has changed meanwhile.
        if (found === undefined)
          return yield* new DocumentNotFound({ documentId: stored.document.id })
        return yield* fixed(found)
      })

      const ofCommand = Effect.fn("DocumentBytes.ofCommand")(function* (stored: StoredDocument) {
        const { dryRun } = yield* CurrentRequest
        return yield* dryRun ? fixed(stored) : of(stored)
      })

      return DocumentBytes.of({ of, ofCommand })
    })
  ).pipe(Layer.provide([DocumentMaking.layer, DocumentStatesRepo.layer]))
}

/** A document as it stands, with the bytes that it has. */
const fixed = ({
  contentAddress,
  document
}: StoredDocument): Effect.Effect<FixedDocument, DocumentErased | DocumentNotReady> => {
  const { failure, id, sha256, size, status } = document
  if (status === "ERASED") return Effect.fail(new DocumentErased({ documentId: id }))
  if (
    contentAddress === undefined ||
    sha256 === undefined ||
    size === undefined ||
    status === "QUARANTINED"
  ) {
    const why = failure === undefined ? {} : { failure }
    return Effect.fail(new DocumentNotReady({ status, ...why }))
  }
  return Effect.succeed({ document: { ...document, sha256, size }, contentAddress })
}
