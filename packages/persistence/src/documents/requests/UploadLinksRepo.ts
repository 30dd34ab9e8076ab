/** The links that take the files of requests: the hash of the last one of each, and until when it works. */
import type { DocumentRequestId } from "@quittance/domain/documents/requests/DocumentRequest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { PolicyId } from "@quittance/domain/values/Ids"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../../sql/Columns.ts"
import { withoutNulls } from "../../sql/Rows.ts"
import { TenantSql } from "../../sql/TenantSql.ts"
import { tenantNow } from "../../tenants/TenantNow.ts"

const Link = Schema.Struct({ hash: Schema.Uint8Array, expiresAt: InstantColumn })
export type StoredUploadLink = typeof Link.Type

const Linked = Schema.Struct({
  policyId: PolicyId,
  label: Schema.String,
  note: Schema.optionalKey(Schema.String)
})
/** What a link that works asks for. */
export type AskedByLink = typeof Linked.Type

const decodeLink = Schema.decodeUnknownSync(Link)
const decodeLinked = Schema.decodeUnknownSync(Linked)

export class UploadLinksRepo extends Context.Service<
  UploadLinksRepo,
  {
    /** The link of a request; `undefined` where none was made, or it has taken a file. */
    find(id: DocumentRequestId): Effect.Effect<StoredUploadLink | undefined, never, CurrentTenant>
    /** Gives a request a link that lasts so many seconds from the tenant's now; the one before ends. */
    set(
      id: DocumentRequestId,
      hash: Uint8Array,
      seconds: number
    ): Effect.Effect<StoredUploadLink, never, CurrentTenant>
    /** What the link with this hash asks for, while its time lasts and its request is open. */
    open(
      id: DocumentRequestId,
      hash: Uint8Array
    ): Effect.Effect<AskedByLink | undefined, never, CurrentTenant>
  }
>()("@quittance/persistence/UploadLinksRepo") {
  static readonly layer = Layer.effect(
    UploadLinksRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const columns = sql.literal("link_hash AS hash, link_expires_at AS expires_at")

      const find = Effect.fn("UploadLinksRepo.find")(function* (id: DocumentRequestId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM document_request
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id} AND link_hash IS NOT NULL
        `)
        return row === undefined ? undefined : decodeLink(row)
      }, Effect.orDie)

      const set = Effect.fn("UploadLinksRepo.set")(function* (
        id: DocumentRequestId,
        hash: Uint8Array,
        seconds: number
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql`
          UPDATE document_request SET link_hash = ${hash},
            link_expires_at = ${tenantNow(sql, tenantId)} + ${seconds}::int * interval '1 second'
          WHERE tenant_id = ${tenantId} AND id = ${id} RETURNING ${columns}
        `)
        return decodeLink(row)
      }, Effect.orDie)

      const open = Effect.fn("UploadLinksRepo.open")(function* (
        id: DocumentRequestId,
        hash: Uint8Array
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql`
          SELECT policy_id, label, note FROM document_request
          WHERE tenant_id = ${tenantId} AND id = ${id} AND link_hash = ${hash}
            AND link_expires_at > ${tenantNow(sql, tenantId)} AND status = 'OPEN'
        `)
        return row === undefined ? undefined : decodeLinked(withoutNulls(row))
      }, Effect.orDie)

      return UploadLinksRepo.of({ find, set, open })
    })
  )
}
