/** Notices, holds, and who sends a tenant's notices. */
import type { StoredHold, StoredNotice } from "@quittance/domain/dunning/DunningRecords"
import {
  NoticeChannel,
  NoticeDispatch,
  NoticeEvidence,
  NoticeStatus
} from "@quittance/domain/dunning/Dunning"
import { type Instant, InstantFromString } from "@quittance/domain/values/Instant"
import { PgTypes } from "@effect/sql-pg"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import {
  CustomerId,
  FormalNoticeId,
  HoldId,
  InvoiceId,
  PolicyId
} from "@quittance/domain/values/Ids"
import { LocalDate } from "@quittance/domain/values/LocalDate"
import { TimeZone } from "@quittance/domain/values/TimeZone"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"

const NoticeRow = Schema.Struct({
  id: FormalNoticeId,
  policyId: PolicyId,
  customerId: CustomerId,
  invoiceIds: Schema.Array(InvoiceId),
  status: NoticeStatus,
  channel: NoticeChannel,
  createdAt: InstantFromString,
  sentAt: Schema.NullOr(InstantFromString),
  evidence: Schema.NullOr(NoticeEvidence),
  announcesTermination: Schema.Boolean
})

const HoldRow = Schema.Struct({
  id: HoldId,
  policyId: Schema.NullOr(PolicyId),
  productIds: Schema.NullOr(Schema.Array(Schema.String)),
  from: InstantFromString,
  to: Schema.NullOr(InstantFromString),
  reason: Schema.String
})

const RecordsRow = Schema.Struct({
  dispatch: NoticeDispatch,
  /** In the order in which they were made. */
  notices: Schema.Array(NoticeRow),
  /** Those of the policies, and every moratorium of the tenant. */
  holds: Schema.Array(HoldRow),
  /** Their invoices whose debits a file or a bank has, by the days at the account. */
  inFlight: Schema.Array(
    Schema.Struct({
      policyId: PolicyId,
      invoiceId: InvoiceId,
      collectOn: LocalDate,
      timeZone: TimeZone
    })
  )
})
/** The records of policies as they are stored. */
type StoredDunning = typeof RecordsRow.Type
const decode = Schema.decodeUnknownEffect(Schema.Tuple([RecordsRow]))

export class DunningRepo extends Context.Service<
  DunningRepo,
  {
    ofPolicies(
      policyIds: ReadonlyArray<PolicyId>
    ): Effect.Effect<StoredDunning, never, CurrentTenant>
    /** Stores notices, new ones and those that were to be sent. */
    putNotices(notices: ReadonlyArray<StoredNotice>): Effect.Effect<void, never, CurrentTenant>
    /** Forgets notices that were never sent. */
    removeNotices(ids: ReadonlyArray<FormalNoticeId>): Effect.Effect<void, never, CurrentTenant>
    /** SHA-256 of the documents of a notice that have bytes, the latest first. */
    documentHashes(id: FormalNoticeId): Effect.Effect<ReadonlyArray<string>, never, CurrentTenant>
    insertHold(hold: StoredHold, createdAt: Instant): Effect.Effect<void, never, CurrentTenant>
    /** Ends a hold at an instant after its beginning. */
    endHold(id: HoldId, at: Instant): Effect.Effect<void, never, CurrentTenant>
    /** Forgets a hold that has not begun. */
    removeHold(id: HoldId): Effect.Effect<void, never, CurrentTenant>
    /** Says who sends the tenant's notices from now on. */
    setDispatch(dispatch: NoticeDispatch): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/DunningRepo") {
  static readonly layer = Layer.effect(
    DunningRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const ofPolicies = Effect.fn("DunningRepo.ofPolicies")(function* (
        policyIds: ReadonlyArray<PolicyId>
      ) {
        const tenantId = yield* CurrentTenant
        const ids = [...policyIds]
        const rows = yield* tenantSql.read(sql`
          SELECT t.notice_dispatch AS dispatch,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('id', n.id, 'policyId', n.policy_id,
              'customerId', n.customer_id, 'invoiceIds', n.invoice_ids, 'status', n.status,
              'channel', n.channel, 'createdAt', n.created_at, 'sentAt', n.sent_at,
              'evidence', n.evidence, 'announcesTermination', n.announces_termination)
              ORDER BY n.created_at, n.id), '[]') FROM notice n
              WHERE n.tenant_id = ${tenantId} AND n.policy_id = ANY(${ids})) AS notices,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'policyId', h.policy_id,
              'productIds', h.product_ids, 'from', h.from_at, 'to', h.to_at, 'reason', h.reason)
              ORDER BY h.from_at, h.id), '[]') FROM hold h
              WHERE h.tenant_id = ${tenantId} AND (h.policy_id = ANY(${ids})
                OR h.policy_id IS NULL)) AS holds,
            (SELECT coalesce(jsonb_agg(jsonb_build_object('policyId', d.policy_id,
              'invoiceId', i.invoice_id, 'collectOn', d.collect_on,
              'timeZone', a.settings ->> 'timeZone') ORDER BY d.id, i.position), '[]')
              FROM debit d
              JOIN debit_item i ON i.tenant_id = d.tenant_id AND i.debit_id = d.id
              JOIN bank_account a ON a.tenant_id = d.tenant_id AND a.id = d.bank_account_id
              WHERE d.tenant_id = ${tenantId} AND d.policy_id = ANY(${ids})
                AND d.status IN ('IN_FILE', 'SUBMITTED')) AS in_flight
          FROM tenant t WHERE t.tenant_id = ${tenantId}
        `)
        return (yield* decode(rows))[0]
      }, Effect.orDie)

      const putNotices = Effect.fn("DunningRepo.putNotices")(function* (
        notices: ReadonlyArray<StoredNotice>
      ) {
        if (notices.length === 0) return
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO notice (tenant_id, id, policy_id, customer_id, invoice_ids, status, channel,
            created_at, sent_at, evidence, announces_termination)
          SELECT ${tenantId}, id, "policyId", "customerId",
            ARRAY(SELECT jsonb_array_elements_text("invoiceIds")), status, channel, "createdAt",
            "sentAt", nullif(evidence, 'null'), "announcesTermination"
          FROM jsonb_to_recordset(${PgTypes.jsonb(notices)}) AS n(
            id text, "policyId" text, "customerId" text, "invoiceIds" jsonb, status text,
            channel text, "createdAt" timestamptz, "sentAt" timestamptz, evidence jsonb,
            "announcesTermination" boolean)
          ON CONFLICT (tenant_id, id) DO UPDATE SET invoice_ids = excluded.invoice_ids,
            status = excluded.status, channel = excluded.channel, sent_at = excluded.sent_at,
            evidence = excluded.evidence, announces_termination = excluded.announces_termination
        `)
      }, Effect.orDie)

      const removeNotices = Effect.fn("DunningRepo.removeNotices")(function* (
        ids: ReadonlyArray<FormalNoticeId>
      ) {
        if (ids.length === 0) return
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM notice
          WHERE tenant_id = ${tenantId} AND id = ANY(${[...ids]}) AND status = 'TO_SEND'
        `)
      }, Effect.orDie)

      const documentHashes = Effect.fn("DunningRepo.documentHashes")(function* (
        id: FormalNoticeId
      ) {
        const rows = yield* tenantSql.read(sql<{ readonly sha256: string }>`
          SELECT d.sha256 FROM notice n
          JOIN document d ON d.tenant_id = n.tenant_id AND d.policy_id = n.policy_id
            AND d.formal_notice_id = n.id AND d.kind = 'FORMAL_NOTICE' AND d.status = 'READY'
          WHERE n.tenant_id = ${yield* CurrentTenant} AND n.id = ${id}
          ORDER BY d.version DESC, d.id
        `)
        return rows.map(({ sha256 }) => sha256)
      }, Effect.orDie)

      const insertHold = Effect.fn("DunningRepo.insertHold")(function* (
        { from, id, policyId, productIds, reason, to }: StoredHold,
        createdAt: Instant
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          INSERT INTO hold (tenant_id, id, policy_id, product_ids, from_at, to_at, reason, created_at)
          VALUES (${tenantId}, ${id}, ${policyId}, ${productIds === null ? null : [...productIds]},
            ${toDate(from)}, ${to === null ? null : toDate(to)}, ${reason}, ${toDate(createdAt)})
        `)
      }, Effect.orDie)

      const endHold = Effect.fn("DunningRepo.endHold")(function* (id: HoldId, at: Instant) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE hold SET to_at = ${toDate(at)} WHERE tenant_id = ${tenantId} AND id = ${id}
        `)
      }, Effect.orDie)

      const removeHold = Effect.fn("DunningRepo.removeHold")(function* (id: HoldId) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`DELETE FROM hold WHERE tenant_id = ${tenantId} AND id = ${id}`)
      }, Effect.orDie)

      const setDispatch = Effect.fn("DunningRepo.setDispatch")(function* (
        dispatch: NoticeDispatch
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE tenant SET notice_dispatch = ${dispatch} WHERE tenant_id = ${tenantId}
        `)
      }, Effect.orDie)

      return DunningRepo.of({
        ofPolicies,
        putNotices,
        removeNotices,
        documentHashes,
        insertHold,
        endHold,
        removeHold,
        setDispatch
      })
    })
  )
}
