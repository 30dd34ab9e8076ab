/** Files that people have added, and which of them wait for the scanner. */
import type { Document, DocumentFailure, DocumentId } from "@quittance/domain/documents/Document"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import type { PolicyId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { documentColumns, type StoredDocument, toStored } from "./DocumentRow.ts"

/** A file that a caller adds. */
export type NewUpload = Required<
  Pick<
    Document,
    | "author"
    | "createdAt"
    | "id"
    | "kind"
    | "mediaType"
    | "policyId"
    | "sha256"
    | "size"
    | "title"
    | "visibility"
  >
> &
  Pick<Document, "pages">

export class UploadsRepo extends Context.Service<
  UploadsRepo,
  {
    /** Adds a file, which waits for the scanner then. */
    insert(upload: NewUpload, contentAddress: string): Effect.Effect<void, never, CurrentTenant>
    /** How many a policy has, and their bytes; those that were not taken are not counted. */
    ofPolicy(
      policyId: PolicyId
    ): Effect.Effect<{ readonly count: number; readonly size: number }, never, CurrentTenant>
    /** Tenants with uploads that wait and whose time has come. */
    readonly waitingTenants: Effect.Effect<ReadonlyArray<TenantId>>
    /** The uploads whose time has come, the longest waiting first. */
    waiting(limit: number): Effect.Effect<ReadonlyArray<DocumentId>, never, CurrentTenant>
    /** An upload that waits; it stays locked until the transaction ends. `undefined` where another one has it. */
    hold(id: DocumentId): Effect.Effect<StoredDocument | undefined, never, CurrentTenant>
    /** Has an upload tried again, later each time: after a second, at most after five minutes. */
    postpone(id: DocumentId): Effect.Effect<void, never, CurrentTenant>
    /** Lets an upload be read. */
    accept(id: DocumentId, now: Instant): Effect.Effect<void, never, CurrentTenant>
    /** Takes the bytes from an upload that holds malware. */
    reject(id: DocumentId, failure: DocumentFailure): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/UploadsRepo") {
  static readonly layer = Layer.effect(
    UploadsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const insert = Effect.fn("UploadsRepo.insert")(function* (
        { author, createdAt, ...upload }: NewUpload,
        contentAddress: string
      ) {
        const tenantId = yield* CurrentTenant
        const row = {
          tenantId,
          ...upload,
          origin: "UPLOADED",
          status: "QUARANTINED",
          version: 1,
          contentAddress,
          authorKind: author.kind,
          authorId: author.id,
          createdAt: toDate(createdAt)
        }
        yield* tenantSql.write(sql`INSERT INTO document ${sql.insert(row)}`)
        yield* tenantSql.write(sql`
          INSERT INTO document_scan (tenant_id, document_id) VALUES (${tenantId}, ${upload.id})
        `)
      }, Effect.orDie)

      const ofPolicy = Effect.fn("UploadsRepo.ofPolicy")(function* (policyId: PolicyId) {
        const [row] = yield* tenantSql.read(sql<{ readonly count: number; readonly size: number }>`
          SELECT count(*)::int AS count, coalesce(sum(size), 0)::float8 AS size FROM document
          WHERE tenant_id = ${yield* CurrentTenant} AND policy_id = ${policyId}
            AND origin = 'UPLOADED' AND content_address IS NOT NULL
        `)
        return row!
      }, Effect.orDie)

      const waitingTenants = tenantSql
        .unscoped(
          "document_scan",
          sql<{ readonly tenantId: TenantId }>`
            SELECT DISTINCT tenant_id FROM document_scan WHERE try_at <= clock_timestamp()
          `
        )
        .pipe(
          Effect.map((rows) => rows.map(({ tenantId }) => tenantId)),
          Effect.orDie,
          Effect.withSpan("UploadsRepo.waitingTenants")
        )

      const waiting = Effect.fn("UploadsRepo.waiting")(function* (limit: number) {
        const rows = yield* tenantSql.read(sql<{ readonly documentId: DocumentId }>`
          SELECT document_id FROM document_scan
          WHERE tenant_id = ${yield* CurrentTenant} AND try_at <= clock_timestamp()
          ORDER BY try_at, document_id LIMIT ${limit}
        `)
        return rows.map(({ documentId }) => documentId)
      }, Effect.orDie)

      const hold = Effect.fn("UploadsRepo.hold")(function* (id: DocumentId) {
        const [row] = yield* tenantSql.write(sql`
          SELECT ${sql.literal(documentColumns)} FROM document d
          JOIN document_scan s ON s.tenant_id = d.tenant_id AND s.document_id = d.id
          WHERE d.tenant_id = ${yield* CurrentTenant} AND d.id = ${id} AND d.status = 'QUARANTINED'
          FOR UPDATE SKIP LOCKED
        `)
        return row === undefined ? undefined : toStored(row)
      }, Effect.orDie)

      const postpone = Effect.fn("UploadsRepo.postpone")(function* (id: DocumentId) {
        yield* tenantSql.write(sql`
          UPDATE document_scan SET tries = tries + 1,
            try_at = clock_timestamp() + least(300, power(2, least(tries, 10))) * interval '1 second'
          WHERE tenant_id = ${yield* CurrentTenant} AND document_id = ${id}
        `)
      }, tenantSql.transaction)

      const judged = Effect.fnUntraced(function* (id: DocumentId) {
        yield* tenantSql.write(sql`
          DELETE FROM document_scan
          WHERE tenant_id = ${yield* CurrentTenant} AND document_id = ${id}
        `)
      })

      const accept = Effect.fn("UploadsRepo.accept")(function* (id: DocumentId, now: Instant) {
        yield* judged(id)
        yield* tenantSql.write(sql`
          UPDATE document SET status = 'READY', ready_at = ${toDate(now)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
      }, Effect.orDie)

      const reject = Effect.fn("UploadsRepo.reject")(function* (
        id: DocumentId,
        failure: DocumentFailure
      ) {
        yield* judged(id)
        yield* tenantSql.write(sql`
          UPDATE document SET status = 'REJECTED', content_address = NULL,
            failure = ${PgTypes.jsonb(failure)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
      }, Effect.orDie)

      return UploadsRepo.of({
        insert,
        ofPolicy,
        waitingTenants,
        waiting,
        hold,
        postpone,
        accept,
        reject
      })
    })
  )
}
