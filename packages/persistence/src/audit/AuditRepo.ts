/** The audit trail as it is read. AuditTrailRepo writes it, AuditChainRepo chains it. */
import type { ListAudit } from "@quittance/domain/audit/AuditRequests"
import { advanceAction, AuditEntry } from "@quittance/domain/audit/Audit"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { InstantColumn, IntColumn, toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { AuditDetail, jobName } from "@quittance/domain/requests/Actor"

export class AuditRepo extends Context.Service<
  AuditRepo,
  {
    /** One page, the newest first, and how many there are. */
    list(
      filter: ListAudit,
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

      // Words of the statement and no parameters: the index of refusals is only for statements that say so.
      const is = { DONE: sql`outcome = 'DONE'`, REFUSED: sql`outcome = 'REFUSED'` }

      const conditions = (tenantId: string, filter: ListAudit) => [
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
        filter: ListAudit,
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

      return AuditRepo.of({ list })
    })
  )
}

const isNotOfWorker = ({ action, actorId }: ListAudit): boolean =>
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
