/** Files of a tenant that its products and templates name. */
import type { DocumentFile } from "@quittance/domain/documents/DocumentFile"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

export class DocumentFilesRepo extends Context.Service<
  DocumentFilesRepo,
  {
    /** Adds a file; one that is there stays as it is. */
    add(
      file: DocumentFile,
      contentAddress: string,
      at: Instant
    ): Effect.Effect<void, never, CurrentTenant>
    /** Those of the hashes that the tenant has a file of. */
    existing(
      hashes: ReadonlyArray<string>
    ): Effect.Effect<ReadonlySet<string>, never, CurrentTenant>
  }
>()("@quittance/persistence/DocumentFilesRepo") {
  static readonly layer = Layer.effect(
    DocumentFilesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const add = Effect.fn("DocumentFilesRepo.add")(function* (
        { mediaType, pages, sha256, size }: DocumentFile,
        contentAddress: string,
        at: Instant
      ) {
        yield* tenantSql.write(sql`
          INSERT INTO document_file (tenant_id, sha256, size, media_type, pages, content_address, added_at)
          VALUES (${yield* CurrentTenant}, ${sha256}, ${size}, ${mediaType}, ${pages ?? null},
            ${contentAddress}, ${at}) ON CONFLICT DO NOTHING
        `)
      }, Effect.orDie)

      const existing = Effect.fn("DocumentFilesRepo.existing")(function* (
        hashes: ReadonlyArray<string>
      ) {
        if (hashes.length === 0) return new Set<string>()
        const rows = yield* tenantSql.read(sql<{ readonly sha256: string }>`
          SELECT sha256 FROM document_file
          WHERE tenant_id = ${yield* CurrentTenant} AND ${sql.in("sha256", hashes)}
        `)
        return new Set(rows.map(({ sha256 }) => sha256))
      }, Effect.orDie)

      return DocumentFilesRepo.of({ add, existing })
    })
  )
}
