/** How a file of people comes in, by whichever way: judged by its bytes, made safe, kept from all readers. */
import { judge } from "@quittance/documents/uploads/UploadJudgement"
import type { Document, DocumentAuthor } from "@quittance/domain/documents/Document"
import {
  DocumentRequestClosed,
  type DocumentRequestId
} from "@quittance/domain/documents/requests/DocumentRequest"
import {
  maximumOfPolicy,
  type ReceivedUpload,
  UploadRejected
} from "@quittance/domain/documents/Upload"
import {
  InvalidReference,
  type UnsupportedMediaType
} from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import * as Turns from "@quittance/domain/requests/Turns"
import type { PolicyId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { DocumentRequestsRepo } from "@quittance/persistence/documents/requests/DocumentRequestsRepo"
import { type NewUpload, UploadsRepo } from "@quittance/persistence/documents/UploadsRepo"
import { Ids } from "@quittance/persistence/sql/Ids"
import { Context, Effect, Layer } from "effect"
import { Contents } from "../contents/Contents.ts"
import type { RecordedWrite } from "../requests/AuditTrail.ts"

/** Files that a program has in its memory at a time, each of up to 25 MiB; of a tenant one waits for the other. */
const inMemory = { atOnce: 1, each: 1, waiting: 32 }

/** A file whose bytes are safe. */
export interface SafeFile {
  readonly received: ReceivedUpload
  readonly facts: Pick<NewUpload, "mediaType" | "pages" | "sha256" | "size">
  readonly contentAddress: string
}

/** Where a file goes, and who adds it. */
export interface Destination {
  /** It is locked. */
  readonly policyId: PolicyId
  readonly now: Instant
  readonly author: DocumentAuthor
  readonly requestId?: DocumentRequestId | undefined
}

export type IntakeFailure = DocumentRequestClosed | InvalidReference | UploadRejected

/** A document as it waits for the scanner, and what the audit trail is to say. */
export interface TakenUpload {
  readonly document: Document
  readonly write: RecordedWrite
}

export class UploadIntake extends Context.Service<
  UploadIntake,
  {
    /** Judges a file and makes its bytes safe, one file after the other. */
    secure(
      received: ReceivedUpload
    ): Effect.Effect<SafeFile, UnsupportedMediaType | UploadRejected, CurrentTenant>
    /** Adds a safe file to a policy; of an open request it is the file that has come for it. */
    add(
      file: SafeFile,
      destination: Destination
    ): Effect.Effect<TakenUpload, IntakeFailure, CurrentTenant>
  }
>()("@quittance/operations/UploadIntake") {
  static readonly layer = Layer.effect(
    UploadIntake,
    Effect.gen(function* () {
      const contents = yield* Contents
      const ids = yield* Ids
      const repo = yield* UploadsRepo
      const requests = yield* DocumentRequestsRepo
      const turns = Turns.make("LARGE_REQUESTS", inMemory)

      const secure = Effect.fn("UploadIntake.secure")(function* (received: ReceivedUpload) {
        const { file } = received
        const work = Effect.gen(function* () {
          const bytes = yield* file.bytes
          const judged = yield* judge({ mediaType: file.mediaType, bytes })
          const { address, sha256, size } = yield* contents.put(bytes)
          return { received, facts: { ...judged, sha256, size }, contentAddress: address }
        })
        return yield* turns.run(yield* CurrentTenant, work)
      })

      /** The request that a file is for: open, and of the same policy. It stays locked. */
      const openRequest = Effect.fnUntraced(function* (id: DocumentRequestId, policyId: PolicyId) {
        const request = yield* requests.hold(id)
        if (request?.policyId !== policyId) {
          const expected = "a request of the policy"
          return yield* new InvalidReference({ field: "requestId", value: id, expected })
        }
        const { status } = request
        if (status !== "OPEN") return yield* new DocumentRequestClosed({ status })
        return request
      })

      const add = Effect.fn("UploadIntake.add")(function* (
        { contentAddress, facts, received }: SafeFile,
        { author, now, policyId, requestId }: Destination
      ) {
        const request =
          requestId === undefined ? undefined : yield* openRequest(requestId, policyId)
        const there = yield* repo.ofPolicy(policyId)
        const { count, size } = maximumOfPolicy
        if (there.count >= count || there.size + facts.size > size) {
          return yield* new UploadRejected({ reason: "TOO_MANY_UPLOADS" })
        }
        const { kind, title = request?.label ?? titleOf(received.file.name) } = received.fields
        const upload: NewUpload = {
          ...facts,
          id: ids.next("document"),
          policyId,
          kind,
          title,
          visibility: "CUSTOMER",
          author,
          createdAt: now
        }
        yield* repo.insert(upload, contentAddress)
        if (request !== undefined) yield* requests.receive(request.id, upload.id, now)
        const of = request === undefined ? {} : { requestId: request.id }
        const write = {
          action: "document.upload",
          recordId: upload.id,
          after: upload,
          detail: { policyId, sha256: upload.sha256, ...of }
        }
        const document: Document = {
          ...upload,
          origin: "UPLOADED",
          status: "QUARANTINED",
          version: 1
        }
        return { document, write }
      })

      return UploadIntake.of({ secure, add })
    })
  ).pipe(Layer.provide([Contents.layer, DocumentRequestsRepo.layer, UploadsRepo.layer]))
}

/** A name that lists can show; what a file is called is up to its sender. */
const titleOf = (name: string): string =>
  name.toWellFormed().replaceAll(/\p{C}/gu, " ").trim().slice(0, 200).toWellFormed() || "upload"
