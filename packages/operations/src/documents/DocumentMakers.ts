/** Makes notices and confirmations without a reader: they are to be sent, and have to be there. */
import {
  DocumentMakingRepo,
  type DueMaking
} from "@quittance/persistence/documents/DocumentMakingRepo"
import { Context, Effect, Layer } from "effect"
import * as TenantBatch from "../requests/TenantBatch.ts"
import { DocumentBytes } from "./DocumentBytes.ts"

/** Documents of a tenant in one round. A renderer takes about a hundredth of a second for each. */
const madeOfRound = 20
/** Rounds that a document may fail in; from then on it is `FAILED` until it is read. */
const tries = 3

export class DocumentMakers extends Context.Service<
  DocumentMakers,
  {
    /** Makes documents of all tenants that wait for no reader; whether more may. */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/DocumentMakers") {
  static readonly layer = Layer.effect(
    DocumentMakers,
    Effect.gen(function* () {
      const bytes = yield* DocumentBytes
      const repo = yield* DocumentMakingRepo

      /** What the typesetter refuses may come through the next time; what has no renderer stays in line. */
      const make = Effect.fnUntraced(function* ({ id, tries: begun }: DueMaking) {
        const stored = yield* repo.find(id)
        const isMade = yield* bytes.of(stored).pipe(
          Effect.as(true),
          Effect.catchTags({
            DocumentErased: () => Effect.succeed(true),
            DocumentNotFound: () => Effect.succeed(true),
            DocumentNotReady: ({ status }) => Effect.succeed(status !== "FAILED" || begun >= tries)
          })
        )
        if (isMade) yield* repo.done(id)
      })

      const makeOrLeave = (due: DueMaking) =>
        Effect.catchCause(make(due), (cause) =>
          Effect.logWarning("A document waits to be made", cause)
        )

      const ofTenant = Effect.gen(function* () {
        const due = yield* repo.take(madeOfRound)
        yield* Effect.forEach(due, makeOrLeave, { discard: true })
        return due.length === madeOfRound
      })

      const round = Effect.gen(function* () {
        let more = false
        for (const tenant of yield* repo.tenants) {
          const isFull = yield* TenantBatch.runFor(tenant, ofTenant, {
            message: "Documents could not be made",
            answer: false
          })
          more ||= isFull
        }
        return more
      }).pipe(Effect.withSpan("DocumentMakers.round"))

      return DocumentMakers.of({ round })
    })
  ).pipe(Layer.provide([DocumentBytes.layer, DocumentMakingRepo.layer]))
}
