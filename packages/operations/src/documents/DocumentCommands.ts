/** What people do with single documents: try one again that has failed, withdraw one; and its data. */
import {
  type Document,
  type DocumentId,
  DocumentNotFound
} from "@quittance/domain/documents/Document"
import type { VoidDocument } from "@quittance/domain/documents/DocumentRequests"
import { statesBefore } from "@quittance/domain/documents/DocumentTransitions"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import {
  type IdempotencyKeyInUse,
  type IdempotencyKeyReused,
  InvalidTransition
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import { DocumentsRepo } from "@quittance/persistence/documents/DocumentsRepo"
import { DocumentStatesRepo } from "@quittance/persistence/documents/DocumentStatesRepo"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer, Schema } from "effect"
import { Contents } from "../contents/Contents.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { DocumentBytes, type WithoutBytes } from "./DocumentBytes.ts"

type Changed = Effect.Effect<
  Document,
  DocumentNotFound | Forbidden | IdempotencyKeyInUse | IdempotencyKeyReused | InvalidTransition,
  CurrentTenant | CurrentCaller | CurrentRequest
>

export class DocumentCommands extends Context.Service<
  DocumentCommands,
  {
    /** Lets a document that has failed be made again: at its next read. */
    retry(id: DocumentId): Changed
    /** Withdraws a document that says something wrong. Its bytes stay for those who could read them. */
    void(id: DocumentId, input: VoidDocument): Changed
    /** The data that a document was made of, as it carries them. A file that was not made here carries none. */
    data(
      id: DocumentId
    ): Effect.Effect<Schema.Json, Forbidden | WithoutBytes, CurrentTenant | CurrentCaller>
  }
>()("@quittance/operations/DocumentCommands") {
  static readonly layer = Layer.effect(
    DocumentCommands,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const bytes = yield* DocumentBytes
      const clock = yield* TenantClockRepo
      const command = yield* Command
      const contents = yield* Contents
      const renderer = yield* DocumentRenderer
      const repo = yield* DocumentsRepo
      const states = yield* DocumentStatesRepo

      const refused = ({ status }: Document, name: string) =>
        new InvalidTransition({ status, command: name, allowed: [] })

      const retry = Effect.fn("DocumentCommands.retry")((id: DocumentId) =>
        command.run({
          authorize: repo.authorize("document.write", id),
          decide: Effect.fnUntraced(function* ({ document: before }) {
            const stepped = yield* states.retry(id)
            if (stepped === undefined) return yield* new DocumentNotFound({ documentId: id })
            const { document: after, isNew } = stepped
            if (!isNew) return yield* refused(after, "retry")
            yield* audit.record({ action: "document.retry", recordId: id, before, after })
            return after
          })
        })
      )

      const takeBack = Effect.fn("DocumentCommands.void")(
        (id: DocumentId, { reason }: VoidDocument) =>
          command.run({
            authorize: repo.authorize("document.write", id),
            decide: Effect.fnUntraced(function* ({ document: before }) {
              // An upload is no paper of the house.
              if (before.origin === "UPLOADED" || !statesBefore("VOID").includes(before.status)) {
                return yield* refused(before, "void")
              }
              const { now } = yield* clock.read
              const stepped = yield* states.takeBack(id, reason, now)
              if (stepped === undefined) return yield* new DocumentNotFound({ documentId: id })
              const { document: after, isNew } = stepped
              if (!isNew) return yield* refused(after, "void")
              yield* audit.record({ action: "document.void", recordId: id, before, after })
              return after
            })
          })
      )

      const data = Effect.fn("DocumentCommands.data")(function* (id: DocumentId) {
        const stored = yield* repo.authorize("document.read", id)
        if (stored.document.origin !== "GENERATED") {
          return yield* new DocumentNotFound({ documentId: id })
        }
        const { contentAddress } = yield* bytes.of(stored)
        const file = yield* contents.read(contentAddress)
        const carried = file === undefined ? undefined : renderer.dataOf(file)
        if (carried === undefined) return yield* new DocumentNotFound({ documentId: id })
        return yield* Effect.orDie(parse(carried))
      })

      return DocumentCommands.of({ retry, void: takeBack, data })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      Contents.layer,
      DocumentBytes.layer,
      DocumentsRepo.layer,
      DocumentStatesRepo.layer,
      TenantClockRepo.layer
    ])
  )
}

const parse = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Json))
