/** Templates of documents that a tenant has published. */
import { DocumentTemplate } from "@quittance/domain/documents/DocumentTemplate"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const decode = Schema.decodeUnknownEffect(DocumentTemplate)
const encode = Schema.encodeSync(DocumentTemplate)

const VersionRow = Schema.Struct({ version: Schema.String, publishedAt: InstantColumn })
export type TemplateVersionRow = typeof VersionRow.Type
const decodeVersions = Schema.decodeUnknownEffect(Schema.Array(VersionRow))

export class DocumentTemplatesRepo extends Context.Service<
  DocumentTemplatesRepo,
  {
    find(
      templateId: string,
      version: string
    ): Effect.Effect<DocumentTemplate | undefined, never, CurrentTenant>
    /** Adds versions. One that is there stays as it is; answers those that are there with another text. */
    publish(
      templates: ReadonlyArray<DocumentTemplate>
    ): Effect.Effect<ReadonlyArray<DocumentTemplate>, never, CurrentTenant>
    /** The versions that the tenant has published of a template, the newest first. */
    versions(
      templateId: string
    ): Effect.Effect<ReadonlyArray<TemplateVersionRow>, never, CurrentTenant>
  }
>()("@quittance/persistence/DocumentTemplatesRepo") {
  static readonly layer = Layer.effect(
    DocumentTemplatesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const find = Effect.fn("DocumentTemplatesRepo.find")(function* (
        templateId: string,
        version: string
      ) {
        const [row] = yield* tenantSql.read(sql<{ readonly definition: unknown }>`
          SELECT definition FROM document_template
          WHERE tenant_id = ${yield* CurrentTenant} AND template_id = ${templateId}
            AND version = ${version}
        `)
        return row === undefined ? undefined : yield* decode(row.definition)
      }, Effect.orDie)

      const publish = Effect.fn("DocumentTemplatesRepo.publish")(function* (
        templates: ReadonlyArray<DocumentTemplate>
      ) {
        const tenantId = yield* CurrentTenant
        const others: Array<DocumentTemplate> = []
        for (const template of templates) {
          const { templateId, version } = template
          const definition = PgTypes.jsonb(encode(template))
          const [row] = yield* tenantSql.write(sql<{ readonly isSame: boolean }>`
            WITH added AS (
              INSERT INTO document_template (tenant_id, template_id, version, definition)
              VALUES (${tenantId}, ${templateId}, ${version}, ${definition})
              ON CONFLICT DO NOTHING
            ) SELECT definition = ${definition} AS is_same FROM document_template
              WHERE tenant_id = ${tenantId} AND template_id = ${templateId} AND version = ${version}
          `)
          if (row?.isSame === false) others.push(template)
        }
        return others
      }, Effect.orDie)

      const versions = Effect.fn("DocumentTemplatesRepo.versions")(function* (templateId: string) {
        const rows = yield* tenantSql.read(sql`
          SELECT version, published_at FROM document_template
          WHERE tenant_id = ${yield* CurrentTenant} AND template_id = ${templateId}
          ORDER BY published_at DESC, version DESC
        `)
        return yield* decodeVersions(rows)
      }, Effect.orDie)

      return DocumentTemplatesRepo.of({ find, publish, versions })
    })
  )
}
