/** Makes documents: their data, their bytes, and the event that says so. It holds no policy. */
import {
  type DocumentFailure,
  type GeneratedDocument,
  isGenerated
} from "@quittance/domain/documents/Document"
import { documentHappening } from "@quittance/domain/documents/DocumentEvents"
import { type DocumentTemplate, imagesOf } from "@quittance/domain/documents/DocumentTemplate"
// from "@quittance/domain/documents/DocumentModel"
import { NotReady } from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import { documentModel } from "@quittance/documents/model/Model"
import type { StoredDocument } from "@quittance/persistence/documents/DocumentRow"
import {
  DocumentStatesRepo,
  type SteppedDocument
} from "@quittance/persistence/documents/DocumentStatesRepo"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer } from "effect"
import { Contents } from "../contents/Contents.ts"
import { DocumentInputs } from "./DocumentInputs.ts"
import { TenantTemplates } from "./TenantTemplates.ts"

export class DocumentMaking extends Context.Service<
  DocumentMaking,
  {
    /**
     * Makes a document that waits; answers it as it is then, and `undefined` where it is not there any more.
     * Its bytes are safe before its row says that they are there.
     */
    make(stored: StoredDocument): Effect.Effect<StoredDocument | undefined, never, CurrentTenant>
  }
>()("@quittance/operations/DocumentMaking") {
  static readonly layer = Layer.effect(
    DocumentMaking,
    Effect.gen(function* () {
      const clock = yield* TenantClockRepo
      const contents = yield* Contents
      const events = yield* EventsRepo
      const inputs = yield* DocumentInputs
      const renderer = yield* DocumentRenderer
      const repo = yield* DocumentStatesRepo
      const templates = yield* TenantTemplates
      const tenantSql = yield* TenantSql

      const modelOf = Effect.fnUntraced(function* (
        document: GeneratedDocument,
        about: StoredDocument["about"]
      ) {
        const { id, version } = document.template
        const template = yield* templates.find(id, version)
        if (template === undefined) return undefined
        const input = yield* inputs.of({ ...document, about }, template.locale)
        return { template, model: documentModel(input) }
      })

      /** The images that a template shows; the renderer says which of them is missing. */
      const filesOf = Effect.fnUntraced(function* (template: DocumentTemplate) {
        const files = new Map<string, Uint8Array>()
        for (const sha256 of imagesOf(template)) {
          const found = yield* contents.find(sha256)
          const bytes = found && (yield* contents.read(found.address))
          if (bytes !== undefined) files.set(sha256, bytes)
        }
        return files
      })

      const fileOf = Effect.fnUntraced(function* (sha256: string) {
        const found = yield* contents.find(sha256)
        if (found === undefined) return yield* failed("FILE_MISSING")
        return { contentAddress: found.address, sha256, size: found.size }
      })

      const rendered = Effect.fnUntraced(function* (
        document: GeneratedDocument,
        about: StoredDocument["about"]
      ) {
        const found = yield* modelOf(document, about)
        if (found === undefined) return yield* failed("TEMPLATE_MISSING")
        const files = yield* filesOf(found.template)
        const {
          bytes,
          pages,
          renderer: by
        } = yield* renderer.render({ ...found, files }).pipe(
          Effect.tapError((error) => Effect.logWarning("A document could not be made", error)),
          // Nothing was stored: who asks may come back in a few seconds.
          Effect.catchTag("RendererUnavailable", () => Effect.die(new NotReady({}))),
          Effect.mapError(({ paths, reason }) => ({ reason, paths }))
        )
        const { address, sha256, size } = yield* contents.put(bytes)
        return { contentAddress: address, sha256, size, pages, renderer: by }
      })

      const bytesOf = ({ about, document, sourceFile }: StoredDocument) =>
        isGenerated(document)
          ? rendered(document, about)
          : sourceFile === undefined
            ? failed("FILE_MISSING")
            : fileOf(sourceFile)

      const told = Effect.fnUntraced(function* (
        kind: "document.failed" | "document.ready",
        step: Effect.Effect<SteppedDocument | undefined, never, CurrentTenant>
      ) {
        const stepped = yield* step
        if (stepped?.isNew === true) {
          yield* events.insertOfRecords([documentHappening(kind, stepped.document)])
        }
        return stepped
      }, tenantSql.transaction)

      const make = Effect.fn("DocumentMaking.make")(
        function* (stored: StoredDocument) {
          const made = yield* bytesOf(stored)
          const { now } = yield* clock.read
          return yield* told("document.ready", repo.finish(stored.document.id, made, now))
        },
        (effect, { document }) =>
          Effect.catch(effect, (failure: DocumentFailure) =>
            told("document.failed", repo.fail(document.id, failure))
          )
      )

      return DocumentMaking.of({ make })
    })
  ).pipe(
    Layer.provide([
      Contents.layer,
      DocumentInputs.layer,
      DocumentStatesRepo.layer,
      EventsRepo.layer,
      TenantClockRepo.layer,
      TenantTemplates.layer
    ])
  )
}

const failed = (reason: DocumentFailure["reason"]): Effect.Effect<never, DocumentFailure> =>
  Effect.fail({ reason, paths: [] })
