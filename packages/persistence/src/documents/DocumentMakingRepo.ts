/** Which documents are to be made without a reader, and who is making them. */
import type { DocumentId } from "@quittance/domain/documents/Document"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"
import { documentColumns, type StoredDocument, toStored } from "./DocumentRow.ts"

/** A document that is to be made, and how often that was begun. */
export interface DueMaking {
  readonly id: DocumentId
  readonly tries: number
}

export class DocumentMakingRepo extends Context.Service<
  DocumentMakingRepo,
  {
    /** Tenants with documents whose time has come. */
    readonly tenants: Effect.Effect<ReadonlyArray<TenantId>>
    /**
     * Takes documents whose time has come, the longest waiting first. They are taken by no other for half a
     * minute, and longer each time: those of a program that was killed are taken again then.
     */
    take(limit: number): Effect.Effect<ReadonlyArray<DueMaking>, never, CurrentTenant>
    find(id: DocumentId): Effect.Effect<StoredDocument, never, CurrentTenant>
    /** A document needs no more making. */
    done(id: DocumentId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/DocumentMakingRepo") {
  static readonly layer = Layer.effect(
    DocumentMakingRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const tenants = tenantSql
        .unscoped(
          "document_making",
          sql<{ readonly tenantId: TenantId }>`
            SELECT DISTINCT tenant_id FROM document_making WHERE try_at <= clock_timestamp()
          `
        )
        .pipe(
          Effect.map((rows) => rows.map(({ tenantId }) => tenantId)),
          Effect.orDie,
          Effect.withSpan("DocumentMakingRepo.tenants")
        )

      const take = Effect.fn("DocumentMakingRepo.take")(function* (limit: number) {
        const tenantId = yield* CurrentTenant
        return yield* Effect.orDie(
          tenantSql.write(sql<DueMaking>`
            UPDATE document_making m SET tries = tries + 1, try_at = clock_timestamp()
              + least(600, 30 * power(2, least(tries, 5))) * interval '1 second'
            WHERE m.tenant_id = ${tenantId} AND m.document_id IN (
              SELECT d.document_id FROM document_making d
              WHERE d.tenant_id = ${tenantId} AND d.try_at <= clock_timestamp()
              ORDER BY d.try_at, d.document_id LIMIT ${limit} FOR UPDATE SKIP LOCKED)
            RETURNING m.document_id AS id, m.tries
          `)
        )
      }, tenantSql.transaction)

      const find = Effect.fn("DocumentMakingRepo.find")(function* (id: DocumentId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT ${sql.literal(documentColumns)} FROM document d
          WHERE d.tenant_id = ${yield* CurrentTenant} AND d.id = ${id}
        `)
        // A document that is to be made can't be deleted.
        return toStored(row!)
      }, Effect.orDie)

      const done = Effect.fn("DocumentMakingRepo.done")(
        function* (id: DocumentId) {
          yield* tenantSql.write(sql`
            DELETE FROM document_making
            WHERE tenant_id = ${yield* CurrentTenant} AND document_id = ${id}
          `)
        },
        Effect.orDie,
        tenantSql.transaction
      )

      return DocumentMakingRepo.of({ tenants, take, find, done })
    })
  )
}
