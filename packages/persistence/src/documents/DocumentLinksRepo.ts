/** Links of documents: how many work, what each opens, and that one which opens once does so once. */
import {
  DocumentAuthor,
  type DocumentId,
  type DocumentStatus
} from "@quittance/domain/documents/Document"
import {
  type DocumentLinkId,
  isLive,
  type LinkFacts,
  LiveDocumentLink
} from "@quittance/domain/documents/DocumentLink"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { CustomerId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { tenantNow } from "../tenants/TenantNow.ts"

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

const LiveRow = Schema.Struct({
  ...Struct.omit(LiveDocumentLink.fields, ["author"]),
  authorKind: DocumentAuthor.fields.kind,
  authorId: Schema.String,
  createdAt: InstantColumn,
  expiresAt: InstantColumn,
  openedAt: Schema.optionalKey(InstantColumn)
})

const decodeInstant = Schema.decodeUnknownSync(InstantColumn)
const decodeLive = Schema.decodeUnknownSync(LiveRow)

export class DocumentLinksRepo extends Context.Service<
  DocumentLinksRepo,
  {
    /** How many links of a document work. None is added to it until the transaction ends. */
    countLive(documentId: DocumentId): Effect.Effect<number, never, CurrentTenant>
    /** The links of a document that work, the latest first; for a customer only those that are for them. */
    listLive(
      documentId: DocumentId,
      customerId: CustomerId | undefined,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<LiveDocumentLink>; readonly total: number },
      never,
      CurrentTenant
    >
    /** Adds a link that lasts so many seconds from the tenant's now; answers until when. */
    insert(link: NewDocumentLink, seconds: number): Effect.Effect<Instant, never, CurrentTenant>
    /** Whether a link of a document was made for a customer by an instant. */
    isMadeFor(
      customerId: CustomerId,
      documentId: DocumentId,
      at: Instant
    ): Effect.Effect<boolean, never, CurrentTenant>
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

      /** Links `l` that have not ended with their time, their use or by hand. */
      const unended = (tenantId: string) => sql`l.revoked_at IS NULL
        AND l.expires_at > ${tenantNow(sql, tenantId)} AND NOT (l.once AND l.opened_at IS NOT NULL)`

      /** Whether the session `s` of a link's maker is over: tokens live in real time. */
      const isSessionOver = sql.literal(
        "coalesce(s.revoked_at IS NOT NULL OR s.expires_at <= clock_timestamp(), false)"
      )

      const countLive = Effect.fn("DocumentLinksRepo.countLive")(function* (
        documentId: DocumentId
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          SELECT FROM document WHERE tenant_id = ${tenantId} AND id = ${documentId}
          FOR NO KEY UPDATE
        `)
        const [row] = yield* tenantSql.read(sql<{ readonly live: number }>`
          SELECT count(*)::int AS live FROM document_link l
          WHERE l.tenant_id = ${tenantId} AND l.document_id = ${documentId} AND ${unended(tenantId)}
        `)
        return row!.live
      }, Effect.orDie)

      const listLive = Effect.fn("DocumentLinksRepo.listLive")(function* (
        documentId: DocumentId,
        customerId: CustomerId | undefined,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const found = sql`FROM document_link l
          JOIN document d ON d.tenant_id = l.tenant_id AND d.id = l.document_id
          LEFT JOIN anonymous_session s ON s.tenant_id = l.tenant_id AND s.id = l.session_id
          WHERE l.tenant_id = ${tenantId} AND l.document_id = ${documentId} AND ${unended(tenantId)}
            AND NOT ${isSessionOver} AND d.status IN ('READY', 'PENDING')
            ${customerId === undefined ? sql`` : sql`AND l.customer_id = ${customerId}`}`
        const rows = yield* tenantSql.read(sql`
          SELECT l.id, l.document_id, l.author_kind, l.author_id, l.created_at, l.expires_at, l.once,
            l.opened_at, l.customer_id ${found}
          ORDER BY l.created_at DESC, l.id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(
          sql<{ readonly total: number }>`SELECT count(*)::int AS total ${found}`
        )
        return { rows: rows.map(toLive), total: counted!.total }
      }, Effect.orDie)

      const insert = Effect.fn("DocumentLinksRepo.insert")(function* (
        { author, customerId, sessionId, ...link }: NewDocumentLink,
        seconds: number
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.write(sql<{ readonly expiresAt: unknown }>`
          INSERT INTO document_link (tenant_id, id, document_id, token_hash, once, customer_id,
            session_id, author_kind, author_id, created_at, expires_at)
          SELECT ${tenantId}, ${link.id}, ${link.documentId}, ${link.tokenHash}, ${link.once},
            ${customerId ?? null}, ${sessionId ?? null}, ${author.kind}, ${author.id}, at,
            at + ${seconds}::int * interval '1 second'
          FROM (SELECT ${tenantNow(sql, tenantId)} AS at) made
          RETURNING expires_at
        `)
        return decodeInstant(row!.expiresAt)
      }, Effect.orDie)

      const stored = Effect.fnUntraced(function* (
        id: DocumentLinkId,
        tokenHash: Uint8Array | null
      ) {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<LinkRow>`
          SELECT l.id, l.document_id, l.customer_id, l.once, l.expires_at,
            l.revoked_at IS NOT NULL AS is_revoked,
            l.expires_at <= ${tenantNow(sql, tenantId)} AS is_expired,
            l.opened_at IS NOT NULL AS is_opened, d.status, ${isSessionOver} AS is_session_over
          FROM document_link l
          JOIN document d ON d.tenant_id = l.tenant_id AND d.id = l.document_id
          LEFT JOIN anonymous_session s ON s.tenant_id = l.tenant_id AND s.id = l.session_id
          WHERE l.tenant_id = ${tenantId} AND l.id = ${id}
            AND (${tokenHash}::bytea IS NULL OR l.token_hash = ${tokenHash})
        `)
        if (row === undefined) return undefined
        const { customerId, documentId, expiresAt, once } = row
        const until = decodeInstant(expiresAt)
        return { id, documentId, customerId, once, expiresAt: until, isLive: isLive(row) }
      }, Effect.orDie)

      const isMadeFor = Effect.fn("DocumentLinksRepo.isMadeFor")(function* (
        customerId: CustomerId,
        documentId: DocumentId,
        at: Instant
      ) {
        const rows = yield* tenantSql.read(sql`
          SELECT FROM document_link WHERE tenant_id = ${yield* CurrentTenant}
            AND customer_id = ${customerId} AND document_id = ${documentId}
            AND created_at <= ${toDate(at)}
          LIMIT 1
        `)
        return rows.length > 0
      }, Effect.orDie)

      const find = Effect.fn("DocumentLinksRepo.find")((id: DocumentLinkId) => stored(id, null))

      const open = Effect.fn("DocumentLinksRepo.open")(function* (id: DocumentLinkId) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.write(sql`
          UPDATE document_link l SET opened_at = coalesce(opened_at, ${tenantNow(sql, tenantId)})
          WHERE l.tenant_id = ${tenantId} AND l.id = ${id} AND ${unended(tenantId)}
          RETURNING l.id
        `)
        return rows.length > 0
      }, Effect.orDie)

      const revoke = Effect.fn("DocumentLinksRepo.revoke")(function* (id: DocumentLinkId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE document_link SET revoked_at = ${tenantNow(sql, tenantId)}
          WHERE tenant_id = ${tenantId} AND id = ${id} AND revoked_at IS NULL
        `)
      }, Effect.orDie)

      return DocumentLinksRepo.of({
        countLive,
        listLive,
        insert,
        isMadeFor,
        find,
        ofToken: stored,
        open,
        revoke
      })
    })
  )
}

const toLive = (row: object): LiveDocumentLink => {
  const { authorId, authorKind, ...rest } = decodeLive(withoutNulls(row))
  return { ...rest, author: { kind: authorKind, id: authorId } }
}
