/** Templates of documents: read from files, and published for a tenant. */
import { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { DocumentTemplatesRepo } from "@quittance/persistence/documents/DocumentTemplatesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, FileSystem, Layer, Path, Schema } from "effect"

export class TemplateFileError extends Schema.TaggedError<TemplateFileError>()(
  "TemplateFileError",
  { file: Schema.String, problem: Schema.String }
) {
  override get message() {
    return `The template in ${this.file} can't be published: ${this.problem}`
  }
}

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
    read(folder: string): Effect.Effect<ReadonlyArray<DocumentTemplate>, TemplateFileError>
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

      const readFile = (file: string) =>
        fs.readFileString(file).pipe(
          Effect.flatMap(decode),
          Effect.mapError(({ message }) => new TemplateFileError({ file, problem: message }))
        )

      const read = Effect.fn("DocumentTemplates.read")(function* (folder: string) {
        const names = yield* Effect.orElseSucceed(
          fs.readDirectory(folder, { recursive: true }),
          () => []
        )
        const files = names.filter((name) => name.endsWith(".json")).sort()
        return yield* Effect.forEach(files, (name) => readFile(path.join(folder, name)))
      })

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

const decode = Schema.decodeEffect(Schema.fromJsonString(DocumentTemplate))
