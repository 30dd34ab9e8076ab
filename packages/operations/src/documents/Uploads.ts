/** Files that people add to a policy: judged by their bytes before they are taken. */
import { judge } from "@quittance/documents/uploads/UploadJudgement"
import type { Document } from "@quittance/domain/documents/Document"
import {
  maximumOfPolicy,
  type ReceivedUpload,
  UploadRejected
} from "@quittance/domain/documents/Upload"
import type { PolicyNotFound } from "@quittance/domain/policies/Policy"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  UnsupportedMediaType
} from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import * as Turns from "@quittance/domain/requests/Turns"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { type AuthorizedPolicy, PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { type NewUpload, UploadsRepo } from "@quittance/persistence/documents/UploadsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer, type Scope } from "effect"
import { Contents } from "../contents/Contents.ts"
import { requestActor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { sha256 } from "../values/Sha256.ts"

/** Files that a program has in its memory at a time, each of up to 25 MiB; of a tenant one waits for the other. */
const inMemory = { atOnce: 1, each: 1, waiting: 32 }

export type UploadFailure =
  | Forbidden
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | PolicyNotFound
  | UnsupportedMediaType
  | UploadRejected
  | UserNotFound

export class Uploads extends Context.Service<
  Uploads,
  {
    /**
     * Adds a file to a policy. The form is only received from who may add one. Its bytes are safe once this
     * answers, and can't be read before they were scanned. With an idempotency key the same form, byte for
     * byte, is answered as it was the first time.
     */
    add<E, R>(
      policyId: PolicyId,
      form: Effect.Effect<ReceivedUpload, E, R | Scope.Scope>
    ): Effect.Effect<
      Document,
      E | UploadFailure,
      CurrentTenant | CurrentCaller | CurrentRequest | Exclude<R, Scope.Scope>
    >
  }
>()("@quittance/operations/Uploads") {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const command = yield* Command
      const contents = yield* Contents
      const ids = yield* Ids
      const policies = yield* PoliciesRepo
      const repo = yield* UploadsRepo
      const turns = Turns.make("LARGE_REQUESTS", inMemory)

      const insert = Effect.fnUntraced(function* (
        { head, now }: AuthorizedPolicy,
        facts: Omit<NewUpload, "author" | "createdAt" | "id" | "policyId">,
        contentAddress: string
      ) {
        const there = yield* repo.ofPolicy(head.id)
        const { count, size } = maximumOfPolicy
        if (there.count >= count || there.size + facts.size > size) {
          return yield* new UploadRejected({ reason: "TOO_MANY_UPLOADS" })
        }
        const { id, kind } = yield* requestActor
        const upload: NewUpload = {
          ...facts,
          id: ids.next("document"),
          policyId: head.id,
          author: { kind, id },
          createdAt: now
        }
        yield* repo.insert(upload, contentAddress)
        yield* audit.record({
          action: "document.upload",
          recordId: upload.id,
          after: upload,
          detail: { policyId: head.id, sha256: upload.sha256 }
        })
        const document: Document = {
          ...upload,
          origin: "UPLOADED",
          status: "QUARANTINED",
          version: 1
        }
        return document
      })

      /** Judges a file and makes its bytes safe, one file after the other. */
      const taken = Effect.fnUntraced(function* ({ file }: ReceivedUpload) {
        const work = Effect.gen(function* () {
          const bytes = yield* file.bytes
          const judged = yield* judge({ mediaType: file.mediaType, bytes })
          return { judged, content: yield* contents.put(bytes) }
        })
        return yield* turns.run(yield* CurrentTenant, work)
      })

      const add: Uploads["Service"]["add"] = (policyId, form) =>
        Effect.gen(function* () {
          yield* policies.authorize("document.upload", policyId)
          const received = yield* form
          const { content, judged } = yield* taken(received)
          const { kind, title } = received.fields
          const facts = {
            ...judged,
            kind,
            title: title ?? titleOf(received.file.name),
            visibility: "CUSTOMER",
            sha256: content.sha256,
            size: content.size
          } as const
          const request = yield* CurrentRequest
          return yield* command
            .run({
              authorize: policies.authorize("document.upload", policyId, { lock: true }),
              decide: (policy) => insert(policy, facts, content.address)
            })
            .pipe(Effect.provideService(CurrentRequest, withForm(request, received)))
        }).pipe(Effect.scoped, Effect.withSpan("Uploads.add"))

      return Uploads.of({ add })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Command.layer,
      Contents.layer,
      PoliciesRepo.layer,
      UploadsRepo.layer
    ])
  )
}

/** A name that lists can show; what a file is called is up to its sender. */
const titleOf = (name: string): string =>
  name.toWellFormed().replaceAll(/\p{C}/gu, " ").trim().slice(0, 200).toWellFormed() || "upload"

/**
 * What makes two requests the same one is their form as well, and only its receiver has read it. Two keys
 * of one form are two requests, as everywhere.
 */
const withForm = (
  request: CurrentRequest["Service"],
  { fields, file }: ReceivedUpload
): CurrentRequest["Service"] => {
  const { idempotency } = request
  if (idempotency === undefined) return request
  const { mediaType, name, sha256: digest } = file
  const form = { ...fields, name, mediaType, digest }
  const fingerprint = sha256(canonicalJson([idempotency.fingerprint, form]))
  return { ...request, idempotency: { ...idempotency, fingerprint } }
}
