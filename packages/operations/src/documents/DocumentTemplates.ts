/** Templates of documents: read from files, and published for a tenant. */
import type { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { DocumentTemplatesRepo } from "@quittance/persistence/documents/DocumentTemplatesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, FileSystem, Layer, Path, Schema } from "effect"
import * as TemplateFiles from "./TemplateFiles.ts"

/** Documents were made of the version that is there: it must be possible to make them again. */
export class TemplatePublished extends Schema.TaggedError<TemplatePublished>()(
  "TemplatePublished",
  { templateId: Schema.String, version: Schema.String }
) {
  override get message() {
    return `${this.templateId} has another text in its version ${this.version} already; give it a new version.`
  }
}

export class DocumentTemplates extends Context.Service<
  DocumentTemplates,
  {
    /** The templates of all `*.json` in a folder and the folders in it; none where it is not there. */
    read(
      folder: string
    ): Effect.Effect<ReadonlyArray<DocumentTemplate>, TemplateFiles.TemplateFileError>
    /** Publishes templates for the current tenant: all, or none. What is there already stays as it is. */
    publish(
      templates: ReadonlyArray<DocumentTemplate>
    ): Effect.Effect<void, TemplatePublished, CurrentTenant>
  }
>()("@quittance/operations/DocumentTemplates") {
  static readonly layer = Layer.effect(
    DocumentTemplates,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const repo = yield* DocumentTemplatesRepo
      const tenantSql = yield* TenantSql

      const read = (folder: string) =>
        TemplateFiles.read(folder).pipe(
          Effect.provideService(FileSystem.FileSystem, fs),
          Effect.provideService(Path.Path, path)
        )

      const publish = Effect.fn("DocumentTemplates.publish")(function* (
        templates: ReadonlyArray<DocumentTemplate>
      ) {
        const [other] = yield* repo.publish(templates)
        if (other === undefined) return
        const { templateId, version } = other
        return yield* new TemplatePublished({ templateId, version })
      }, tenantSql.transaction)

      return DocumentTemplates.of({ read, publish })
    })
  ).pipe(Layer.provide(DocumentTemplatesRepo.layer))
}
