/** Files that people add to a policy: judged by their bytes before they are taken. */
import type { Document } from "@quittance/domain/documents/Document"
import type { ReceivedUpload, UploadRejected } from "@quittance/domain/documents/Upload"
import type { PolicyNotFound } from "@quittance/domain/policies/Policy"
import type { CurrentCaller, Forbidden, UserNotFound } from "@quittance/domain/requests/Caller"
import { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import type {
  IdempotencyKeyInUse,
  IdempotencyKeyReused,
  UnsupportedMediaType
} from "@quittance/domain/requests/RequestErrors"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import type { PolicyId } from "@quittance/domain/values/Ids"
import { type AuthorizedPolicy, PoliciesRepo } from "@quittance/persistence/policies/PoliciesRepo"
import { Context, Effect, Layer, type Scope } from "effect"
import { requestActor } from "../requests/Actor.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"
import { Command } from "../requests/Command.ts"
import { sha256 } from "../values/Sha256.ts"
import { type IntakeFailure, type SafeFile, UploadIntake } from "./UploadIntake.ts"

export type UploadFailure =
  | Forbidden
  | IdempotencyKeyInUse
  | IdempotencyKeyReused
  | IntakeFailure
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
      const intake = yield* UploadIntake
      const policies = yield* PoliciesRepo

      const insert = Effect.fnUntraced(function* ({ head, now }: AuthorizedPolicy, file: SafeFile) {
        const { id, kind } = yield* requestActor
        const author = { kind, id }
        const { requestId } = file.received.fields
        const { document, write } = yield* intake.add(file, {
          policyId: head.id,
          now,
          author,
          requestId
        })
        yield* audit.record(write)
        return document
      })

      const add: Uploads["Service"]["add"] = (policyId, form) =>
        Effect.gen(function* () {
          yield* policies.authorize("document.upload", policyId)
          const received = yield* form
          const file = yield* intake.secure(received)
          const request = yield* CurrentRequest
          return yield* command
            .run({
              authorize: policies.authorize("document.upload", policyId, { lock: true }),
              decide: (policy) => insert(policy, file)
            })
            .pipe(Effect.provideService(CurrentRequest, withForm(request, received)))
        }).pipe(Effect.scoped, Effect.withSpan("Uploads.add"))

      return Uploads.of({ add })
    })
  ).pipe(Layer.provide([AuditTrail.layer, Command.layer, PoliciesRepo.layer, UploadIntake.layer]))
}

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
