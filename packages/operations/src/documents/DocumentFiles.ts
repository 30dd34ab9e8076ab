/** Files of a tenant that its products and templates name, such as general conditions and logos. */
import { judge } from "@quittance/documents/uploads/UploadJudgement"
import type { DocumentFile } from "@quittance/domain/documents/DocumentFile"
import type { ReceivedUpload, UploadRejected } from "@quittance/domain/documents/Upload"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { UnsupportedMediaType } from "@quittance/domain/requests/RequestErrors"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import * as Turns from "@quittance/domain/requests/Turns"
import { GrantsRepo } from "@quittance/persistence/access/GrantsRepo"
import { DocumentFilesRepo } from "@quittance/persistence/documents/DocumentFilesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantClockRepo } from "@quittance/persistence/tenants/TenantClockRepo"
import { Context, Effect, Layer, type Scope } from "effect"
import { tenantPermission } from "../access/TenantPermission.ts"
import { Contents } from "../contents/Contents.ts"
import { AuditTrail } from "../requests/AuditTrail.ts"

/** Files that a program has in its memory at a time; of a tenant one waits for the other. */
const inMemory = { atOnce: 1, each: 1, waiting: 32 }

/** Documents are PDF files; images are what the typesetter can show. */
const accepted: ReadonlyArray<string> = ["application/pdf", "image/jpeg", "image/png"]

export class DocumentFiles extends Context.Service<
  DocumentFiles,
  {
    /** Adds a file, once its bytes are safe. The same bytes again change nothing. */
    add<E, R>(
      form: Effect.Effect<Pick<ReceivedUpload, "file">, E, R | Scope.Scope>
    ): Effect.Effect<
      DocumentFile,
      E | Forbidden | UnsupportedMediaType | UploadRejected,
      CurrentTenant | CurrentCaller | CurrentRequest | Exclude<R, Scope.Scope>
    >
  }
>()("@quittance/operations/DocumentFiles") {
  static readonly layer = Layer.effect(
    DocumentFiles,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const clock = yield* TenantClockRepo
      const contents = yield* Contents
      const grants = yield* GrantsRepo
      const repo = yield* DocumentFilesRepo
      const tenantSql = yield* TenantSql
      const permit = tenantPermission(grants)
      const turns = Turns.make("LARGE_REQUESTS", inMemory)

      const stored = Effect.fnUntraced(function* ({ bytes, mediaType }: ReceivedUpload["file"]) {
        const work = Effect.gen(function* () {
          const all = yield* bytes
          const judged = yield* judge({ mediaType, bytes: all })
          if (!accepted.includes(judged.mediaType)) {
            return yield* new UnsupportedMediaType({ accepted })
          }
          const { address, sha256, size } = yield* contents.put(all)
          const file: DocumentFile = { ...judged, sha256, size }
          return { address, file }
        })
        return yield* turns.run(yield* CurrentTenant, work)
      })

      const listed = Effect.fnUntraced(function* (file: DocumentFile, address: string) {
        if ((yield* repo.existing([file.sha256])).has(file.sha256)) return
        const { now } = yield* clock.read
        yield* repo.add(file, address, now)
        yield* audit.record({
          action: "document_file.add",
          recordId: file.sha256,
          after: file
        })
      }, tenantSql.transaction)

      const add: DocumentFiles["Service"]["add"] = (form) =>
        Effect.gen(function* () {
          yield* permit("template.write")
          const { address, file } = yield* stored((yield* form).file)
          yield* listed(file, address)
          return file
        }).pipe(Effect.scoped, Effect.withSpan("DocumentFiles.add"))

      return DocumentFiles.of({ add })
    })
  ).pipe(
    Layer.provide([
      AuditTrail.layer,
      Contents.layer,
      DocumentFilesRepo.layer,
      GrantsRepo.layer,
      TenantClockRepo.layer
    ])
  )
}
