/** Documents: who asks sees those of the policies that they may see, and of these what is theirs to see. */
import type { Coverage } from "@quittance/auth/Grants"
import {
  type Document,
  type DocumentFailure,
  type DocumentId,
  DocumentNotFound
} from "@quittance/domain/documents/Document"
import type { DocumentFilter } from "@quittance/domain/documents/DocumentRequests"
import type { DocumentTrigger } from "@quittance/domain/products/documents/DocumentDefinition"
import type { Action } from "@quittance/domain/requests/Action"
import { CurrentCaller, type Forbidden, subject } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { BranchId, PolicyId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { onPolicySql } from "../policies/PolicyMembersSql.ts"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import {
  documentColumns,
  type PlannedDocument,
  type StoredDocument,
  toStored
} from "./DocumentRow.ts"

type Scoped = CurrentTenant | CurrentCaller

export interface DocumentRows {
  readonly rows: ReadonlyArray<Document>
  readonly total: number
}

/** The bytes of a document that was made, and by what. */
export interface MadeDocument {
  readonly contentAddress: string
  readonly sha256: string
  readonly size: number
  readonly pages: number
  readonly renderer: string
}

export class DocumentsRepo extends Context.Service<
  DocumentsRepo,
  {
    /**
     * Fetches a document that the caller may see, with the permission on its policy. A client, whose
     * scope was checked, sees all of the tenant.
     */
    authorize(
      action: Action,
      id: DocumentId
    ): Effect.Effect<StoredDocument, DocumentNotFound | Forbidden, Scoped>
    /** Those of covered policies that the caller may see, the newest first. */
    list(
      filter: DocumentFilter,
      coverage: Coverage,
      page: PageRequest
    ): Effect.Effect<DocumentRows, never, Scoped>
    /** Writes documents down that are due, each once. */
    plan(documents: ReadonlyArray<PlannedDocument>): Effect.Effect<void, never, CurrentTenant>
    /**
     * Says that documents of these triggers no longer tell what a branch offers. What was never made is
     * removed: no reader has seen it.
     */
    outdate(
      of: { readonly policyId: PolicyId; readonly branchId: BranchId },
      triggers: ReadonlyArray<DocumentTrigger>
    ): Effect.Effect<void, never, CurrentTenant>
    /** Gives a document its bytes, unless it has some; answers it as it is then, if it is still there. */
    finish(
      id: DocumentId,
      made: MadeDocument,
      now: Instant
    ): Effect.Effect<StoredDocument | undefined, never, CurrentTenant>
    /** Says why a document could not be made, unless it was made meanwhile. */
    fail(
      id: DocumentId,
      failure: DocumentFailure
    ): Effect.Effect<StoredDocument | undefined, never, CurrentTenant>
  }
>()("@quittance/persistence/DocumentsRepo") {
  static readonly layer = Layer.effect(
    DocumentsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const { coveredBy } = onPolicySql(sql)
      const columns = sql.literal(documentColumns)
      const policy = { policyId: sql`p.id`, brokerageFirmId: sql`p.brokerage_firm_id` }

      const may = Effect.fnUntraced(function* (action: Action) {
        const caller = yield* CurrentCaller
        return caller._tag === "Client"
          ? sql`true`
          : yield* Effect.orDie(grants.onPolicy(action, policy))
      })

      /** Whether a document is for the caller, who may see those of its policy. */
      const isShown = Effect.map(
        Effect.all([may("internalDocument.read"), CurrentCaller]),
        // People on a policy see none of what others of them have added.
        ([internal, caller]) => sql`(${internal} OR (d.visibility = 'CUSTOMER'
          AND (d.origin <> 'UPLOADED' OR d.author_id = ${subject(caller)})))`
      )

      const authorize = Effect.fn("DocumentsRepo.authorize")(function* (
        action: Action,
        id: DocumentId
      ) {
        const tenantId = yield* CurrentTenant
        const granted = yield* may(action)
        const shown = yield* isShown
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<{ readonly granted: boolean; readonly shown: boolean }>`
            SELECT ${columns}, ${granted} AS granted, ${shown} AS shown
            FROM document d
            JOIN policy p ON p.tenant_id = d.tenant_id AND p.id = d.policy_id
            WHERE d.tenant_id = ${tenantId} AND d.id = ${id}
          `)
        )
        if (row === undefined) return yield* new DocumentNotFound({ documentId: id })
        const { granted: isGranted, shown: isVisible, ...stored } = row
        if (!isGranted) return yield* grants.refuse(action)
        if (!isVisible) return yield* new DocumentNotFound({ documentId: id })
        return toStored(stored)
      })

      const fits = ({
        createdAfter,
        createdBefore,
        kinds,
        policyId,
        statuses
      }: DocumentFilter): Statement.Fragment =>
        sql.and([
          sql`true`,
          ...(policyId === undefined ? [] : [sql`d.policy_id = ${policyId}`]),
          ...(kinds === undefined ? [] : [sql`d.kind = ANY (${[...kinds]})`]),
          ...(statuses === undefined ? [] : [sql`d.status = ANY (${[...statuses]})`]),
          ...(createdAfter === undefined ? [] : [sql`d.created_at >= ${toDate(createdAfter)}`]),
          ...(createdBefore === undefined ? [] : [sql`d.created_at < ${toDate(createdBefore)}`])
        ])

      const list = Effect.fn("DocumentsRepo.list")(function* (
        filter: DocumentFilter,
        coverage: Coverage,
        { count, page }: PageRequest
      ) {
        const found = sql`
          FROM document d JOIN policy p ON p.tenant_id = d.tenant_id AND p.id = d.policy_id
          WHERE d.tenant_id = ${yield* CurrentTenant} AND ${fits(filter)} AND ${yield* isShown}
            AND (${sql.join(" OR ", false)(coveredBy(coverage))})`
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} ${found}
          ORDER BY d.created_at DESC, d.id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const totals = yield* tenantSql.read(
          sql<{ readonly total: number }>`SELECT count(*)::int AS total ${found}`
        )
        return { rows: rows.map((row) => toStored(row).document), total: totals[0]!.total }
      }, Effect.orDie)

      const plan = Effect.fn("DocumentsRepo.plan")(function* (
        documents: ReadonlyArray<PlannedDocument>
      ) {
        const tenantId = yield* CurrentTenant
        for (const { createdAt, effectiveAt, knownAt, product, template, ...rest } of documents) {
          const { branchId, definitionId, invoiceId, policyId } = rest
          const [before] = yield* tenantSql.write(sql<{ readonly count: number }>`
            SELECT count(*)::int AS count FROM document
            WHERE tenant_id = ${tenantId} AND policy_id = ${policyId} AND branch_id = ${branchId}
              AND definition_id = ${definitionId}
              AND invoice_id IS NOT DISTINCT FROM ${invoiceId ?? null}::text
          `)
          const row = {
            tenantId,
            ...rest,
            status: "PENDING",
            version: before!.count + 1,
            productId: product.id,
            productVersion: product.version,
            templateId: template.id,
            templateVersion: template.version,
            effectiveAt: toDate(effectiveAt),
            knownAt: toDate(knownAt),
            createdAt: toDate(createdAt)
          }
          yield* tenantSql.write(sql`
            INSERT INTO document ${sql.insert(row)}
            ON CONFLICT (tenant_id, event_id, definition_id) DO NOTHING
          `)
        }
      }, Effect.orDie)

      const outdate = Effect.fn("DocumentsRepo.outdate")(function* (
        { branchId, policyId }: { readonly policyId: PolicyId; readonly branchId: BranchId },
        triggers: ReadonlyArray<DocumentTrigger>
      ) {
        const offered = sql`tenant_id = ${yield* CurrentTenant} AND policy_id = ${policyId}
          AND branch_id = ${branchId} AND trigger = ANY (${[...triggers]})`
        yield* tenantSql.write(
          sql`DELETE FROM document WHERE ${offered} AND content_address IS NULL`
        )
        yield* tenantSql.write(sql`UPDATE document SET status = 'VOID' WHERE ${offered}`)
      }, Effect.orDie)

      const find = Effect.fnUntraced(function* (id: DocumentId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT ${columns} FROM document d
          WHERE d.tenant_id = ${yield* CurrentTenant} AND d.id = ${id}
        `)
        return row === undefined ? undefined : toStored(row)
      }, Effect.orDie)

      const finish = Effect.fn("DocumentsRepo.finish")(function* (
        id: DocumentId,
        { contentAddress, pages, renderer, sha256, size }: MadeDocument,
        now: Instant
      ) {
        yield* tenantSql.write(sql`
          UPDATE document SET status = 'READY', failure = NULL, content_address = ${contentAddress},
            sha256 = ${sha256}, size = ${size}, pages = ${pages}, renderer = ${renderer},
            ready_at = ${toDate(now)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
            AND status IN ('PENDING', 'FAILED')
        `)
        return yield* find(id)
      }, tenantSql.transaction)

      const fail = Effect.fn("DocumentsRepo.fail")(function* (
        id: DocumentId,
        failure: DocumentFailure
      ) {
        yield* tenantSql.write(sql`
          UPDATE document SET status = 'FAILED', failure = ${PgTypes.jsonb(failure)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
            AND status IN ('PENDING', 'FAILED')
        `)
        return yield* find(id)
      }, tenantSql.transaction)

      return DocumentsRepo.of({ authorize, list, plan, outdate, finish, fail })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
