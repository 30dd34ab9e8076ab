/** Which documents are due: what the events are about, and the rows that follow from them. */
import { DocumentAbout } from "@quittance/domain/documents/DocumentAbout"
import { isMadeAhead } from "@quittance/domain/documents/DocumentPlan"
import type { DocumentMove } from "@quittance/domain/documents/DocumentBatch"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { BranchId, CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { withoutNulls } from "../sql/Rows.ts"
import { Ids } from "../sql/Ids.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"
import type { PlannedDocument } from "./DocumentRow.ts"

/** An event about money: whose policy it is of, when, and which record it names. */
export interface BilledEvent {
  readonly policyId: PolicyId
  readonly at: Instant
  /** Of an invoice, a credit note or a formal notice. */
  readonly recordId: string
}

const BilledRow = Schema.Struct({
  policyId: PolicyId,
  branchId: BranchId,
  productId: Schema.String,
  productVersion: Schema.String,
  /** Absent where the record is not there any more. */
  payerId: Schema.optionalKey(CustomerId),
  /** Of a formal notice. */
  owed: DocumentAbout.fields.owed
})
export type BilledFacts = typeof BilledRow.Type
const decodeBilled = Schema.decodeUnknownSync(BilledRow)

const plannedTypes = {
  place: "integer",
  id: "text",
  eventId: "text",
  changeId: "text",
  definitionId: "text",
  kind: "text",
  title: "text",
  origin: "text",
  visibility: "text",
  trigger: "text",
  policyId: "text",
  branchId: "text",
  customerId: "text",
  assetId: "text",
  invoiceId: "text",
  formalNoticeId: "text",
  mediaType: "text",
  effectiveAt: "timestamptz",
  knownAt: "timestamptz",
  createdAt: "timestamptz",
  productId: "text",
  productVersion: "text",
  templateId: "text",
  templateVersion: "text",
  sourceFile: "text",
  about: "jsonb",
  status: "text",
  inForceAt: "timestamptz",
  inForceKnownAt: "timestamptz",
  endedAt: "timestamptz",
  restoredAt: "timestamptz",
  voidedAt: "timestamptz"
} as const

const moveTypes = {
  policyId: "text",
  branchId: "text",
  changeId: "text",
  formalNoticeId: "text",
  trigger: "text",
  at: "timestamptz",
  inForceAt: "timestamptz",
  anew: "text[]"
} as const

const moves = {
  VOID: `SET status = 'VOID', failure = NULL, voided_at = m.at FROM m
    WHERE d.status IN ('PENDING', 'READY', 'FAILED')
      AND (d.in_force_at IS NULL OR m."formalNoticeId" IS NOT NULL)`,
  MERGE: `SET in_force_at = m."inForceAt", in_force_known_at = m.at FROM m
    WHERE d.in_force_at IS NULL AND d.voided_at IS NULL AND NOT d.definition_id = ANY (m.anew)`,
  END: `SET ended_at = m.at FROM m WHERE d.in_force_at IS NOT NULL`,
  RESTORE: `SET restored_at = m.at FROM m WHERE d.ended_at IS NOT NULL`
} as const satisfies Record<DocumentMove["kind"], string>

export class DocumentPlansRepo extends Context.Service<
  DocumentPlansRepo,
  {
    /** What is known of each event about money, in their order; `undefined` where its policy is not there. */
    billed(
      events: ReadonlyArray<BilledEvent>
    ): Effect.Effect<ReadonlyArray<BilledFacts | undefined>, never, CurrentTenant>
    /** Changes documents that there are. */
    move(moved: ReadonlyArray<DocumentMove>): Effect.Effect<void, never, CurrentTenant>
    /** Writes documents down that are due, each once, numbered among those of their definition. */
    plan(documents: ReadonlyArray<PlannedDocument>): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/DocumentPlansRepo") {
  static readonly layer = Layer.effect(
    DocumentPlansRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const ids = yield* Ids

      const billed = Effect.fn("DocumentPlansRepo.billed")(function* (
        events: ReadonlyArray<BilledEvent>
      ) {
        if (events.length === 0) return []
        const tenantId = yield* CurrentTenant
        const asked = events.map((event, place) => ({ ...event, place }))
        const types = {
          place: "integer",
          policyId: "text",
          at: "timestamptz",
          recordId: "text"
        } as const
        const rows = yield* tenantSql.read(sql<{ readonly place: number }>`
          SELECT e.place, p.id AS policy_id, p.default_branch_id AS branch_id, p.product_id,
            coalesce(v.state ->> 'productVersion', p.product_version) AS product_version,
            coalesce(i.customer_id, n.customer_id) AS payer_id,
            (SELECT jsonb_agg(jsonb_build_object('invoiceId', o.id, 'due', o.total - o.paid)
              ORDER BY o.issued_at, o.id) FROM invoice o
              WHERE o.tenant_id = n.tenant_id AND o.id = ANY (n.invoice_ids)) AS owed
          FROM ${unnested(sql, asked, types)} AS e
          JOIN policy p ON p.tenant_id = ${tenantId} AND p.id = e."policyId"
          LEFT JOIN validity v ON v.tenant_id = p.tenant_id AND v.policy_id = p.id
            AND v.branch_id = p.default_branch_id AND v.entity_id = p.id
            AND v.valid_from <= e.at AND v.valid_to > e.at
          LEFT JOIN invoice i ON i.tenant_id = p.tenant_id AND i.id = e."recordId"
          LEFT JOIN notice n ON n.tenant_id = p.tenant_id AND n.id = e."recordId"
        `)
        const facts = new Map(
          rows.map(({ place, ...row }) => [place, decodeBilled(withoutNulls(row))])
        )
        return events.map((_, place) => facts.get(place))
      }, Effect.orDie)

      /** A row is moved once, by the first event that does so. */
      const moveAll = Effect.fnUntraced(function* (
        kind: DocumentMove["kind"],
        all: ReadonlyArray<DocumentMove>
      ) {
        const first = new Map(
          all.toReversed().map(({ at, ...rest }) => [JSON.stringify(rest), { ...rest, at }])
        )
        if (first.size === 0) return
        yield* tenantSql.write(sql`
          WITH m AS (SELECT * FROM ${unnested(sql, [...first.values()], moveTypes)} AS r)
          UPDATE document d ${sql.literal(moves[kind])}
            AND d.tenant_id = ${yield* CurrentTenant} AND d.policy_id = m."policyId"
            AND (m."branchId" IS NULL OR d.branch_id = m."branchId")
            AND (m."changeId" IS NULL OR d.change_id = m."changeId")
            AND (m."formalNoticeId" IS NULL OR d.formal_notice_id = m."formalNoticeId")
            AND (m.trigger IS NULL OR d.trigger = m.trigger)
        `)
      })

      const move = Effect.fn("DocumentPlansRepo.move")(function* (
        moved: ReadonlyArray<DocumentMove>
      ) {
        for (const [kind, all] of Map.groupBy(moved, (one) => one.kind)) yield* moveAll(kind, all)
      }, Effect.orDie)

      /** Has documents made without a reader; what was due before, or is void by now, is none of them. */
      const makeAhead = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
        if (ids.length === 0) return
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO document_making (tenant_id, document_id)
          SELECT tenant_id, id FROM document
          WHERE tenant_id = ${tenantId} AND id = ANY (${[...ids]}) AND status = 'PENDING'
            AND origin = 'GENERATED'
          ON CONFLICT DO NOTHING
        `)
      })

      /** Letters of documents that are due now; what was due before has its own, and what is void has none. */
      const addLetters = Effect.fnUntraced(function* (documents: ReadonlyArray<PlannedDocument>) {
        const rows = documents.flatMap(({ id, letters }) =>
          letters.map((customerId) => ({
            id: ids.next("document_link"),
            documentId: id,
            customerId
          }))
        )
        if (rows.length === 0) return
        const types = { id: "text", documentId: "text", customerId: "text" } as const
        yield* tenantSql.write(sql`
          INSERT INTO document_letter (tenant_id, id, document_id, customer_id)
          SELECT d.tenant_id, l.id, d.id, l."customerId" FROM ${unnested(sql, rows, types)} AS l
          JOIN document d ON d.tenant_id = ${yield* CurrentTenant} AND d.id = l."documentId"
          WHERE d.status = 'PENDING'
          ON CONFLICT DO NOTHING
        `)
      })

      const plan = Effect.fn("DocumentPlansRepo.plan")(function* (
        documents: ReadonlyArray<PlannedDocument>
      ) {
        if (documents.length === 0) return
        const tenantId = yield* CurrentTenant
        const rows = documents.map(({ product, template, ...rest }, place) => ({
          ...rest,
          place,
          origin: template === undefined ? "STATIC" : "GENERATED",
          status: rest.voidedAt === undefined ? "PENDING" : "VOID",
          productId: product.id,
          productVersion: product.version,
          templateId: template?.id,
          templateVersion: template?.version
        }))
        // The endorsements of a policy count on where those that came into force before have ended.
        yield* tenantSql.write(sql`
          WITH due AS MATERIALIZED (SELECT * FROM ${unnested(sql, rows, plannedTypes)} AS r),
          numbered AS (
            SELECT due.id, min(place) OVER (PARTITION BY due."eventId") AS event_place,
              "policyId" AS policy_id, kind = 'ENDORSEMENT' AND trigger = 'MERGED' AS counts
            FROM due
          ),
          numbers AS (
            SELECT id, dense_rank() OVER (PARTITION BY policy_id ORDER BY event_place)
                + coalesce((SELECT max(d.number) FROM document d
                  WHERE d.tenant_id = ${tenantId} AND d.policy_id = n.policy_id), 0) AS number
            FROM numbered n WHERE counts
          )
          INSERT INTO document (tenant_id, id, event_id, change_id, definition_id, kind, title, origin,
            visibility, trigger, policy_id, branch_id, customer_id, asset_id, invoice_id,
            formal_notice_id, media_type, effective_at, known_at, created_at, product_id,
            product_version, template_id, template_version, source_file, about, status, in_force_at,
            in_force_known_at, ended_at, restored_at, voided_at, number, version)
          SELECT ${tenantId}, due.id, "eventId", "changeId", "definitionId", kind, title, origin, visibility, trigger,
            "policyId", "branchId", "customerId", "assetId", "invoiceId", "formalNoticeId",
            "mediaType", "effectiveAt", "knownAt", "createdAt", "productId", "productVersion",
            "templateId", "templateVersion", "sourceFile", about, status, "inForceAt",
            "inForceKnownAt", "endedAt", "restoredAt", "voidedAt", numbers.number,
            row_number() OVER (PARTITION BY "policyId", "branchId", "definitionId", "customerId",
              "assetId", "invoiceId", "formalNoticeId" ORDER BY place) + (
              SELECT coalesce(max(d.version), 0) FROM document d
              WHERE d.tenant_id = ${tenantId} AND d.policy_id = due."policyId"
                AND d.branch_id = due."branchId" AND d.definition_id = due."definitionId"
                AND d.customer_id IS NOT DISTINCT FROM due."customerId"
                AND d.asset_id IS NOT DISTINCT FROM due."assetId"
                AND d.invoice_id IS NOT DISTINCT FROM due."invoiceId"
                AND d.formal_notice_id IS NOT DISTINCT FROM due."formalNoticeId")
          FROM due LEFT JOIN numbers ON numbers.id = due.id
          ON CONFLICT DO NOTHING
        `)
        yield* makeAhead(documents.filter(isMadeAhead).map(({ id }) => id))
        yield* addLetters(documents)
      }, Effect.orDie)

      return DocumentPlansRepo.of({ billed, move, plan })
    })
  )
}
