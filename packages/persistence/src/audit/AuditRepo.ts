/** The audit trail as it is written and read. What chains it is in AuditChainRepo. */
import {
  advanceAction,
  type AuditActorKind,
  AuditDetail,
  AuditEntry,
  type AuditOutcome,
  jobName
} from "@quittance/domain/audit/Audit"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { Ids } from "../sql/Ids.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { unnested } from "../sql/UnnestRows.ts"

/** A row to be written. When it was recorded is real time and the database's to say. */
export interface AuditRecord {
  readonly actorKind: AuditActorKind
  readonly actorId: string
  readonly action: string
  readonly recordId: string
  readonly requestId: string
  readonly outcome: AuditOutcome
  readonly detail: AuditDetail
  /** The tenant's now, unless it is said. */
  readonly businessAt?: Instant
}

/** What a list is narrowed to; `from` is inclusive and `to` exclusive, both of the recording. */
export interface AuditFilter {
  readonly actorId?: string
  readonly recordId?: string
  readonly action?: string
  readonly outcome?: AuditOutcome
  readonly from?: Instant
  readonly to?: Instant
}

export class AuditRepo extends Context.Service<
  AuditRepo,
  {
    /** Adds rows, in the transaction of what they tell. No writer waits for another. */
    insert(records: ReadonlyArray<AuditRecord>): Effect.Effect<void, never, CurrentTenant>
    /** One page, the newest first, and how many there are. */
    list(
      filter: AuditFilter,
      page: PageRequest
    ): Effect.Effect<
      { readonly entries: ReadonlyArray<AuditEntry>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/AuditRepo") {
  static readonly layer = Layer.effect(
    AuditRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const ids = yield* Ids

      const insert = Effect.fn("AuditRepo.insert")(function* (records: ReadonlyArray<AuditRecord>) {
        const tenantId = yield* CurrentTenant
        if (records.length === 0) return
        const rows = records.map((record) => ({ ...record, id: ids.next("event") }))
        // The sealer learns of all of them by one.
        yield* tenantSql.write(sql`
          WITH written AS (
            INSERT INTO audit (tenant_id, id, business_at, actor_kind, actor_id, action, record_id,
              request_id, outcome, detail)
            SELECT ${tenantId}, a.id,
              coalesce(a."businessAt", t.test_clock, clock_timestamp()), a."actorKind",
              a."actorId", a.action, a."recordId", a."requestId", a.outcome, a.detail
            FROM tenant t, ${unnested(sql, rows, insertedTypes)} AS a
            WHERE t.tenant_id = ${tenantId}
          )
          INSERT INTO audit_pending (tenant_id, id) VALUES (${tenantId}, ${rows[0]!.id})
        `)
      }, Effect.orDie)

      // Words of the statement and no parameters: the index of refusals is only for statements that say so.
      const is = { DONE: sql`outcome = 'DONE'`, REFUSED: sql`outcome = 'REFUSED'` }

      const conditions = (tenantId: string, filter: AuditFilter) => [
        sql`tenant_id = ${tenantId}`,
        ...(filter.actorId === undefined ? [] : [sql`actor_id = ${filter.actorId}`]),
        // What the worker does to policies is most of a trail, and is in neither index: so the statement
        // says in words that it looks for something else.
        ...(isNotOfWorker(filter) ? [sql`action <> ${sql.literal(`'${advanceAction}'`)}`] : []),
        ...(filter.recordId === undefined ? [] : [sql`record_id = ${filter.recordId}`]),
        ...(filter.action === undefined ? [] : [sql`action = ${filter.action}`]),
        ...(filter.outcome === undefined ? [] : [is[filter.outcome]]),
        ...(filter.from === undefined ? [] : [sql`recorded_at >= ${toDate(filter.from)}`]),
        ...(filter.to === undefined ? [] : [sql`recorded_at < ${toDate(filter.to)}`])
      ]

      /** All there is: positions have no gaps, so only what is not sealed yet has to be counted. */
      const counted = (tenantId: string) => sql`
        SELECT coalesce(max(position), 0)
          + (SELECT count(*) FROM audit WHERE tenant_id = ${tenantId} AND position IS NULL) AS total
        FROM audit WHERE tenant_id = ${tenantId} AND position IS NOT NULL
      `

      const list = Effect.fn("AuditRepo.list")(function* (
        filter: AuditFilter,
        { count, page }: PageRequest
      ) {
        const tenantId = yield* CurrentTenant
        const where = sql.and(conditions(tenantId, filter))
        const rows = yield* tenantSql.read(sql`
          SELECT id, recorded_at, business_at, actor_kind, actor_id, action, record_id, outcome,
            request_id, detail, position, encode(hash, 'hex') AS hash, sealed_at
          FROM audit WHERE ${where}
          ORDER BY recorded_at DESC, id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [{ total }] = yield* decodeTotal(
          yield* tenantSql.read(
            Object.keys(filter).length === 0
              ? counted(tenantId)
              : sql`SELECT count(*) AS total FROM audit WHERE ${where}`
          )
        )
        return { entries: (yield* decodeRows(rows)).map(toEntry), total }
      }, Effect.orDie)

      return AuditRepo.of({ insert, list })
    })
  )
}

const insertedTypes = {
  id: "text",
  businessAt: "timestamptz",
  actorKind: "text",
  actorId: "text",
  action: "text",
  recordId: "text",
  requestId: "text",
  outcome: "text",
  detail: "jsonb"
} as const

const isNotOfWorker = ({ action, actorId }: AuditFilter): boolean =>
  (actorId !== undefined && actorId !== jobName) ||
  (action !== undefined && action !== advanceAction)

const Row = Schema.Struct({
  id: AuditEntry.fields.id,
  recordedAt: InstantColumn,
  businessAt: InstantColumn,
  actorKind: AuditEntry.fields.actor.fields.kind,
  actorId: Schema.String,
  action: Schema.String,
  recordId: Schema.String,
  outcome: AuditEntry.fields.outcome,
  requestId: Schema.String,
  detail: AuditDetail,
  position: Schema.NullOr(IntColumn),
  hash: Schema.NullOr(Schema.String),
  sealedAt: Schema.NullOr(InstantColumn)
})
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))
const decodeTotal = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ total: IntColumn })]))

const toEntry = (row: typeof Row.Type): AuditEntry => {
  const { actorId, actorKind, detail: facts, hash, position, sealedAt, ...rest } = row
  const { after, before, ...detail } = facts
  return {
    ...rest,
    actor: { kind: actorKind, id: actorId },
    ...(typeof before === "string" ? { before } : {}),
    ...(typeof after === "string" ? { after } : {}),
    detail,
    ...(position === null || hash === null || sealedAt === null
      ? {}
      : { seal: { position, hash, sealedAt } })
  }
}
