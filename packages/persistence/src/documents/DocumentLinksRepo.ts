/** Links of documents: how many work, what each opens, and that one which opens once does so once. */
import type {
  DocumentAuthor,
  DocumentId,
  DocumentStatus
} from "@quittance/domain/documents/Document"
import {
  type DocumentLinkId,
  isLive,
  type LinkFacts
} from "@quittance/domain/documents/DocumentLink"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { CustomerId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

/** A link that is made now. */
export interface NewDocumentLink {
  readonly id: DocumentLinkId
  readonly documentId: DocumentId
  readonly tokenHash: Uint8Array
  readonly once: boolean
  readonly customerId: CustomerId | undefined
  readonly sessionId: string | undefined
  readonly author: DocumentAuthor
}

/** A link that works, or has. */
export interface StoredDocumentLink {
  readonly id: DocumentLinkId
  readonly documentId: DocumentId
  readonly customerId: CustomerId | null
  readonly once: boolean
  readonly expiresAt: Instant
  readonly isLive: boolean
}

interface LinkRow extends LinkFacts {
  readonly id: DocumentLinkId
  readonly documentId: DocumentId
  readonly customerId: CustomerId | null
  readonly expiresAt: unknown
  readonly status: DocumentStatus
}

const decodeInstant = Schema.decodeUnknownSync(InstantColumn)

export class DocumentLinksRepo extends Context.Service<
  DocumentLinksRepo,
  {
    /** How many links of a document work. None is added to it until the transaction ends. */
    countLive(documentId: DocumentId): Effect.Effect<number, never, CurrentTenant>
    /** Adds a link that lasts so many seconds from now; answers until when. */
    insert(link: NewDocumentLink, seconds: number): Effect.Effect<Instant, never, CurrentTenant>
    find(id: DocumentLinkId): Effect.Effect<StoredDocumentLink | undefined, never, CurrentTenant>
    /** The link with this secret. */
    ofToken(
      id: DocumentLinkId,
      tokenHash: Uint8Array
    ): Effect.Effect<StoredDocumentLink | undefined, never, CurrentTenant>
    /**
     * Opens a link: `false` where it has ended meanwhile. Of any number of callers at once one opens a link
     * that opens once.
     */
    open(id: DocumentLinkId): Effect.Effect<boolean, never, CurrentTenant>
    /** Ends a link; one that has ended stays as it is. */
    revoke(id: DocumentLinkId): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/DocumentLinksRepo") {
  static readonly layer = Layer.effect(
    DocumentLinksRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const countLive = Effect.fn("DocumentLinksRepo.countLive")(function* (
        documentId: DocumentId
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          SELECT FROM document WHERE tenant_id = ${tenantId} AND id = ${documentId}
          FOR NO KEY UPDATE
        `)
        const [row] = yield* tenantSql.read(sql<{ readonly live: number }>`
          SELECT count(*)::int AS live FROM document_link
          WHERE tenant_id = ${tenantId} AND document_id = ${documentId} AND revoked_at IS NULL
            AND expires_at > clock_timestamp() AND NOT (once AND opened_at IS NOT NULL)
        `)
        return row!.live
      }, Effect.orDie)

      const insert = Effect.fn("DocumentLinksRepo.insert")(function* (
        { author, customerId, sessionId, ...link }: NewDocumentLink,
        seconds: number
      ) {
        const [row] = yield* tenantSql.write(sql<{ readonly expiresAt: unknown }>`
          INSERT INTO document_link (tenant_id, id, document_id, token_hash, once, customer_id,
            session_id, author_kind, author_id, expires_at)
          VALUES (${yield* CurrentTenant}, ${link.id}, ${link.documentId}, ${link.tokenHash},
            ${link.once}, ${customerId ?? null}, ${sessionId ?? null}, ${author.kind}, ${author.id},
            clock_timestamp() + ${seconds} * interval '1 second')
          RETURNING expires_at
        `)
        return decodeInstant(row!.expiresAt)
      }, Effect.orDie)

      const stored = Effect.fnUntraced(function* (
        id: DocumentLinkId,
        tokenHash: Uint8Array | null
      ) {
        const [row] = yield* tenantSql.read(sql<LinkRow>`
          SELECT l.id, l.document_id, l.customer_id, l.once, l.expires_at,
            l.revoked_at IS NOT NULL AS is_revoked, l.expires_at <= clock_timestamp() AS is_expired,
            l.opened_at IS NOT NULL AS is_opened, d.status,
            coalesce(s.revoked_at IS NOT NULL OR s.expires_at <= clock_timestamp(), false)
              AS is_session_over
          FROM document_link l
          JOIN document d ON d.tenant_id = l.tenant_id AND d.id = l.document_id
          LEFT JOIN anonymous_session s ON s.tenant_id = l.tenant_id AND s.id = l.session_id
          WHERE l.tenant_id = ${yield* CurrentTenant} AND l.id = ${id}
            AND (${tokenHash}::bytea IS NULL OR l.token_hash = ${tokenHash})
        `)
        if (row === undefined) return undefined
        const { customerId, documentId, expiresAt, once } = row
        const until = decodeInstant(expiresAt)
        return { id, documentId, customerId, once, expiresAt: until, isLive: isLive(row) }
      }, Effect.orDie)

      const find = Effect.fn("DocumentLinksRepo.find")((id: DocumentLinkId) => stored(id, null))

      const open = Effect.fn("DocumentLinksRepo.open")(function* (id: DocumentLinkId) {
        const rows = yield* tenantSql.write(sql`
          UPDATE document_link SET opened_at = coalesce(opened_at, clock_timestamp())
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id} AND revoked_at IS NULL
            AND expires_at > clock_timestamp() AND NOT (once AND opened_at IS NOT NULL)
          RETURNING id
        `)
        return rows.length > 0
      }, Effect.orDie)

      const revoke = Effect.fn("DocumentLinksRepo.revoke")(function* (id: DocumentLinkId) {
        yield* tenantSql.write(sql`
          UPDATE document_link SET revoked_at = clock_timestamp()
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id} AND revoked_at IS NULL
        `)
      }, Effect.orDie)

      return DocumentLinksRepo.of({ countLive, insert, find, ofToken: stored, open, revoke })
    })
  )
}
