/** Documents: who asks sees those of the policies that they may see, and of these what is theirs to see. */
import type { Coverage } from "@quittance/auth/Grants"
import {
  type Document,
  type DocumentId,
  DocumentNotFound
} from "@quittance/domain/documents/Document"
import { asKnown } from "@quittance/domain/documents/DocumentAsKnown"
import type { DocumentFilter, DocumentView } from "@quittance/domain/documents/DocumentRequests"
import type { Action } from "@quittance/domain/requests/Action"
import { CurrentCaller, type Forbidden, subject } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { onPolicySql } from "../policies/PolicyMembersSql.ts"
import { lastInstant, toDate } from "../sql/Columns.ts"
import { TenantClockRepo } from "../tenants/TenantClockRepo.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { documentColumns, type StoredDocument, toStored } from "./DocumentRow.ts"
import { documentsInForceSql } from "./DocumentsInForceSql.ts"

type Scoped = CurrentTenant | CurrentCaller

export interface DocumentRows {
  readonly rows: ReadonlyArray<Document>
  readonly total: number
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
    /**
     * Those of covered policies that the caller may see, the newest first; of one policy those in force
     * before the others. As of `whenAt` they are those that are in force then, of `knownAt` as the list
     * was then.
     */
    list(
      filter: DocumentFilter & DocumentView,
      coverage: Coverage,
      page: PageRequest
    ): Effect.Effect<DocumentRows, never, Scoped>
  }
>()("@quittance/persistence/DocumentsRepo") {
  static readonly layer = Layer.effect(
    DocumentsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const { coveredBy } = onPolicySql(sql)
      const clock = yield* TenantClockRepo
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
        const { links } = documentsInForceSql(sql, { whenAt: lastInstant })
        const [row] = yield* Effect.orDie(
          tenantSql.read(sql<{ readonly granted: boolean; readonly shown: boolean }>`
            SELECT ${columns}, ${links}, ${granted} AS granted, ${shown} AS shown
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

      const fits = (
        {
          branchId,
          createdAfter,
          createdBefore,
          kinds,
          policyId,
          statuses,
          whenAt
        }: DocumentFilter & DocumentView,
        at: ReturnType<typeof documentsInForceSql>
      ): Statement.Fragment =>
        sql.and([
          at.known,
          ...(branchId === undefined ? [] : [sql`d.branch_id = ${branchId}`]),
          ...(whenAt === undefined ? [] : [at.inForce]),
          ...(policyId === undefined ? [] : [sql`d.policy_id = ${policyId}`]),
          ...(kinds === undefined ? [] : [sql`d.kind = ANY (${[...kinds]})`]),
          ...(statuses === undefined ? [] : [sql`${at.status} = ANY (${[...statuses]})`]),
          ...(createdAfter === undefined ? [] : [sql`d.created_at >= ${toDate(createdAfter)}`]),
          ...(createdBefore === undefined ? [] : [sql`d.created_at < ${toDate(createdBefore)}`])
        ])

      const list = Effect.fn("DocumentsRepo.list")(function* (
        filter: DocumentFilter & DocumentView,
        coverage: Coverage,
        { count, page }: PageRequest
      ) {
        const { knownAt, policyId } = filter
        const { now } = yield* clock.read
        const whenAt = filter.whenAt ?? knownAt ?? now
        const at = documentsInForceSql(sql, { knownAt, whenAt })
        // In a list of all policies one in force says little.
        const first =
          policyId === undefined ? sql`` : sql`${at.inForce} DESC, ${at.status} = 'VOID',`
        const found = sql`
          FROM document d JOIN policy p ON p.tenant_id = d.tenant_id AND p.id = d.policy_id
          WHERE d.tenant_id = ${yield* CurrentTenant} AND ${fits(filter, at)} AND ${yield* isShown}
            AND (${sql.join(" OR ", false)(coveredBy(coverage))})`
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns}, ${at.links} ${found}
          ORDER BY ${first} d.created_at DESC, d.id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const totals = yield* tenantSql.read(
          sql<{ readonly total: number }>`SELECT count(*)::int AS total ${found}`
        )
        return { rows: rows.map((row) => asKnown(toStored(row), knownAt)), total: totals[0]!.total }
      }, Effect.orDie)

      return DocumentsRepo.of({ authorize, list })
    })
  ).pipe(Layer.provide([GrantsRepo.layer, TenantClockRepo.layer]))
}
