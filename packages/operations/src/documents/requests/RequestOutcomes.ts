/** What becomes of a request once the scanner has judged the file that came for it. */
import type { DocumentId } from "@quittance/domain/documents/Document"
import { requestHappening } from "@quittance/domain/documents/DocumentRequestEvents"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { DocumentRequestLettersRepo } from "@quittance/persistence/documents/requests/DocumentRequestLettersRepo"
import { DocumentRequestsRepo } from "@quittance/persistence/documents/requests/DocumentRequestsRepo"
import { EventsRepo } from "@quittance/persistence/requests/EventsRepo"
import { Context, Effect, Layer } from "effect"
import type { Actor } from "../../requests/Actor.ts"
import { AuditTrail } from "../../requests/AuditTrail.ts"

interface Judged {
  readonly documentId: DocumentId
  readonly isClean: boolean
  readonly now: Instant
  /** Who has judged it. */
  readonly actor: Actor
}

export class RequestOutcomes extends Context.Service<
  RequestOutcomes,
  {
    /**
     * Fulfils the request that a file came for, or opens it again and asks once more, by another link. One that was
     * cancelled meanwhile stays so.
     */
    settle(judged: Judged): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/operations/RequestOutcomes") {
  static readonly layer = Layer.effect(
    RequestOutcomes,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const events = yield* EventsRepo
      const letters = yield* DocumentRequestLettersRepo
      const repo = yield* DocumentRequestsRepo

      const settle = Effect.fn("RequestOutcomes.settle")(function* ({
        actor,
        documentId,
        isClean,
        now
      }: Judged) {
        const after = isClean ? yield* repo.fulfil(documentId, now) : yield* repo.reopen(documentId)
        if (after === undefined) return
        yield* isClean ? letters.forget(after.id) : letters.write(after.id)
        yield* audit.recordAll(actor, [
          {
            action: isClean ? "document_request.fulfil" : "document_request.reopen",
            recordId: after.id,
            after,
            detail: { documentId }
          }
        ])
        const kind = isClean ? "document_request.fulfilled" : "document_request.reopened"
        yield* events.insertOfRecords([requestHappening(kind, { ...after, documentId })])
      })

      return RequestOutcomes.of({ settle })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      DocumentRequestLettersRepo.layer,
      DocumentRequestsRepo.layer,
      EventsRepo.layer
    ])
  )
}
