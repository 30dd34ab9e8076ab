/** Requests for documents: each takes one file at a time, and its row's lock decides which. */
import type { DocumentId } from "@quittance/domain/documents/Document"
import { DocumentAuthor } from "@quittance/domain/documents/Document"
import {
  DocumentRequest,
  type DocumentRequestFilter,
  type DocumentRequestId
} from "@quittance/domain/documents/requests/DocumentRequest"
import { CurrentCaller, subject } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo } from "../../access/GrantsRepo.ts"
import { InstantColumn, toDate } from "../../sql/Columns.ts"
import { withoutNulls } from "../../sql/Rows.ts"
import { TenantSql } from "../../sql/TenantSql.ts"
import { policyReadersSql } from "../PolicyReadersSql.ts"

const Row = Schema.Struct({
  ...Struct.omit(DocumentRequest.fields, ["author"]),
  authorKind: Schema.optionalKey(DocumentAuthor.fields.kind),
  authorId: Schema.optionalKey(Schema.String),
  createdAt: InstantColumn,
  receivedAt: Schema.optionalKey(InstantColumn),
  fulfilledAt: Schema.optionalKey(InstantColumn),
  cancelledAt: Schema.optionalKey(InstantColumn)
})
const decode = Schema.decodeUnknownSync(Row)

/** A request that is made now. */
export type NewDocumentRequest = Omit<DocumentRequest, "status">

type Asked = CurrentTenant | CurrentCaller

export class DocumentRequestsRepo extends Context.Service<
  DocumentRequestsRepo,
  {
    /** Adds a request, open; `false` where the product asks the same customer for the same already. */
    insert(request: NewDocumentRequest): Effect.Effect<boolean, never, CurrentTenant>
    find(id: DocumentRequestId): Effect.Effect<DocumentRequest | undefined, never, CurrentTenant>
    /** The same, locked until the transaction ends. */
    hold(id: DocumentRequestId): Effect.Effect<DocumentRequest | undefined, never, CurrentTenant>
    /** Those of a policy, the latest first: all to those who work on it, to others those asked of them. */
    list(
      policyId: PolicyId,
      filter: DocumentRequestFilter,
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<DocumentRequest>; readonly total: number },
      never,
      Asked
    >
    /** All of a policy that are not cancelled, the earliest first. */
    ofPolicy(
      policyId: PolicyId
    ): Effect.Effect<ReadonlyArray<DocumentRequest>, never, CurrentTenant>
    /** Those of a branch that the product asks for and that take a file; they stay locked. */
    holdOpenOf(
      branchId: BranchId
    ): Effect.Effect<ReadonlyArray<DocumentRequest>, never, CurrentTenant>
    /** Gives an open request, which is held, its file. */
    receive(
      id: DocumentRequestId,
      documentId: DocumentId,
      at: Instant
    ): Effect.Effect<void, never, CurrentTenant>
    /** Fulfils the request that waits for a file, now that this is clean; `undefined` where none does. */
    fulfil(
      documentId: DocumentId,
      at: Instant
    ): Effect.Effect<DocumentRequest | undefined, never, CurrentTenant>
    /** Lets the request that waits for a file take another one. */
    reopen(documentId: DocumentId): Effect.Effect<DocumentRequest | undefined, never, CurrentTenant>
    /** Cancels a request that is held. */
    cancel(id: DocumentRequestId, at: Instant): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/DocumentRequestsRepo") {
  static readonly layer = Layer.effect(
    DocumentRequestsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const readers = policyReadersSql(sql)
      const policy = { policyId: sql`p.id`, brokerageFirmId: sql`p.brokerage_firm_id` }
      const columns = sql`r.id, r.policy_id, r.branch_id, r.customer_id, r.kind, r.label, r.note,
        r.due_on::text, r.status, r.document_id, r.author_kind, r.author_id, r.created_at,
        r.received_at, r.fulfilled_at, r.cancelled_at`

      const insert = Effect.fn("DocumentRequestsRepo.insert")(function* (
        request: NewDocumentRequest
      ) {
        const { author, branchId, createdAt, dueOn, note, ...rest } = request
        const rows = yield* tenantSql.write(sql`
          INSERT INTO document_request (tenant_id, id, policy_id, branch_id, customer_id, kind, label,
            note, due_on, author_kind, author_id, created_at)
          VALUES (${yield* CurrentTenant}, ${rest.id}, ${rest.policyId}, ${branchId ?? null},
            ${rest.customerId}, ${rest.kind}, ${rest.label}, ${note ?? null}, ${dueOn ?? null}::date,
            ${author?.kind ?? null}, ${author?.id ?? null}, ${toDate(createdAt)})
          ON CONFLICT DO NOTHING RETURNING id
        `)
        return rows.length > 0
      }, Effect.orDie)

      const find = Effect.fn("DocumentRequestsRepo.find")(function* (id: DocumentRequestId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM document_request r
          WHERE r.tenant_id = ${yield* CurrentTenant} AND r.id = ${id}
        `)
        return row === undefined ? undefined : toRequest(row)
      }, Effect.orDie)

      const hold = Effect.fn("DocumentRequestsRepo.hold")(function* (id: DocumentRequestId) {
        const [row] = yield* tenantSql.write(sql`
          SELECT ${columns} FROM document_request r
          WHERE r.tenant_id = ${yield* CurrentTenant} AND r.id = ${id} FOR UPDATE
        `)
        return row === undefined ? undefined : toRequest(row)
      }, Effect.orDie)

      /** Whether the caller, who may see documents of the policy `p`, is shown the request `r`. */
      const shown = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const caller = yield* CurrentCaller
        if (caller._tag === "Client") return sql`true`
        const works = yield* Effect.orDie(grants.onPolicy("internalDocument.read", policy))
        const own = sql`coalesce(${readers.visitor(tenantId, caller)}, ${readers.policyholder(tenantId)})`
        return sql`(${works}
          OR (${readers.isGiven(tenantId, caller)} AND r.customer_id = ${own})
          OR EXISTS (SELECT FROM permission_grant g WHERE g.tenant_id = ${tenantId}
            AND g.subject_id = ${subject(caller)} AND g.kind = 'RECORD'
            AND g.record_id = r.customer_id))`
      })

      const list = Effect.fn("DocumentRequestsRepo.list")(function* (
        policyId: PolicyId,
        { statuses }: DocumentRequestFilter,
        { count, page }: PageRequest
      ) {
        const found = sql`
          FROM document_request r JOIN policy p ON p.tenant_id = r.tenant_id AND p.id = r.policy_id
          WHERE r.tenant_id = ${yield* CurrentTenant} AND r.policy_id = ${policyId}
            AND ${statuses === undefined ? sql`true` : sql`r.status = ANY (${[...statuses]})`}
            AND ${yield* shown}`
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} ${found}
          ORDER BY r.created_at DESC, r.id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(
          sql<{ readonly total: number }>`SELECT count(*)::int AS total ${found}`
        )
        return { rows: rows.map(toRequest), total: counted!.total }
      }, Effect.orDie)

      const ofPolicy = Effect.fn("DocumentRequestsRepo.ofPolicy")(function* (policyId: PolicyId) {
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM document_request r
          WHERE r.tenant_id = ${yield* CurrentTenant} AND r.policy_id = ${policyId}
            AND r.status <> 'CANCELLED'
          ORDER BY r.created_at, r.id
        `)
        return rows.map(toRequest)
      }, Effect.orDie)

      const holdOpenOf = Effect.fn("DocumentRequestsRepo.holdOpenOf")(function* (
        branchId: BranchId
      ) {
        const rows = yield* tenantSql.write(sql`
          SELECT ${columns} FROM document_request r
          WHERE r.tenant_id = ${yield* CurrentTenant} AND r.branch_id = ${branchId}
            AND r.status = 'OPEN'
          ORDER BY r.id FOR UPDATE
        `)
        return rows.map(toRequest)
      }, Effect.orDie)

      const receive = Effect.fn("DocumentRequestsRepo.receive")(function* (
        id: DocumentRequestId,
        documentId: DocumentId,
        at: Instant
      ) {
        yield* tenantSql.write(sql`
          UPDATE document_request
          SET status = 'RECEIVED', document_id = ${documentId}, received_at = ${toDate(at)},
            link_hash = NULL
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id} AND status = 'OPEN'
        `)
      }, Effect.orDie)

      const fulfil = Effect.fn("DocumentRequestsRepo.fulfil")(function* (
        documentId: DocumentId,
        at: Instant
      ) {
        const [row] = yield* tenantSql.write(sql`
          UPDATE document_request r SET status = 'FULFILLED', fulfilled_at = ${toDate(at)}
          WHERE r.tenant_id = ${yield* CurrentTenant} AND r.document_id = ${documentId}
            AND r.status = 'RECEIVED'
          RETURNING ${columns}
        `)
        return row === undefined ? undefined : toRequest(row)
      }, Effect.orDie)

      const reopen = Effect.fn("DocumentRequestsRepo.reopen")(function* (documentId: DocumentId) {
        const [row] = yield* tenantSql.write(sql`
          UPDATE document_request r SET status = 'OPEN', document_id = NULL, received_at = NULL,
            refusals = r.refusals + 1
          WHERE r.tenant_id = ${yield* CurrentTenant} AND r.document_id = ${documentId}
            AND r.status = 'RECEIVED'
          RETURNING ${columns}
        `)
        return row === undefined ? undefined : toRequest(row)
      }, Effect.orDie)

      const cancel = Effect.fn("DocumentRequestsRepo.cancel")(function* (
        id: DocumentRequestId,
        at: Instant
      ) {
        yield* tenantSql.write(sql`
          UPDATE document_request SET status = 'CANCELLED', cancelled_at = ${toDate(at)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
            AND status IN ('OPEN', 'RECEIVED')
        `)
      }, Effect.orDie)

      return DocumentRequestsRepo.of({
        insert,
        find,
        hold,
        list,
        ofPolicy,
        holdOpenOf,
        receive,
        fulfil,
        reopen,
        cancel
      })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}

const toRequest = (row: object): DocumentRequest => {
  const { authorId, authorKind, ...rest } = decode(withoutNulls(row))
  // Both are there, or neither, as the table says.
  return {
    ...rest,
    ...(authorKind === undefined ? {} : { author: { kind: authorKind, id: authorId! } })
  }
}
