/** Templates of documents: read from files, and published for a tenant. */
import { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import { TemplateInUse } from "@quittance/domain/documents/TemplateVersions"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { canonicalJson } from "@quittance/domain/values/CanonicalJson"
import { DocumentTemplatesRepo } from "@quittance/persistence/documents/DocumentTemplatesRepo"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { Context, Effect, Layer, Schema } from "effect"
import type * as TemplateFiles from "./TemplateFiles.ts"
import { TenantTemplates } from "./TenantTemplates.ts"

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
    ): Effect.Effect<void, TemplateInUse, CurrentTenant>
  }
>()("@quittance/operations/DocumentTemplates") {
  static readonly layer = Layer.effect(
    DocumentTemplates,
    Effect.gen(function* () {
      const repo = yield* DocumentTemplatesRepo
      const templates = yield* TenantTemplates
      const tenantSql = yield* TenantSql

      /** A tenant that has published nothing has its documents made of the shipped text. */
      const differing = Effect.fnUntraced(function* (wanted: ReadonlyArray<DocumentTemplate>) {
        const shipped = yield* templates.shipped
        return wanted.find((template) =>
          shipped.some((one) => isSameVersion(one, template) && textOf(one) !== textOf(template))
        )
      })

      const publish = Effect.fn("DocumentTemplates.publish")(function* (
        wanted: ReadonlyArray<DocumentTemplate>
      ) {
        const other = (yield* differing(wanted)) ?? (yield* repo.publish(wanted))[0]
        if (other === undefined) return
        const { templateId, version } = other
        return yield* new TemplateInUse({ templateId, version })
      }, tenantSql.transaction)

      return DocumentTemplates.of({ read: templates.read, publish })
    })
  ).pipe(Layer.provide([DocumentTemplatesRepo.layer, TenantTemplates.layer]))
}

const isSameVersion = (one: DocumentTemplate, other: DocumentTemplate): boolean =>
  one.templateId === other.templateId && one.version === other.version

const encode = Schema.encodeSync(DocumentTemplate)
const textOf = (template: DocumentTemplate): string => canonicalJson(encode(template))
