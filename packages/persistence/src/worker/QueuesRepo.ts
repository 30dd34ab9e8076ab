/** What waits in the queues of the database, and since when. */
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"
import { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"

const Queue = Schema.Struct({
  waiting: Schema.Int,
  /** For how many seconds the first of them has waited; 0 where none does. */
  oldestSeconds: Schema.Finite
})
export type Queue = typeof Queue.Type

/** How far a consumer is behind, over all tenants that are served. */
const Lag = Schema.Struct({ consumer: Schema.String, events: Schema.Int })
export type Lag = typeof Lag.Type

const decodeQueues = Schema.decodeUnknownEffect(Schema.Tuple([Queue]))
const decodeLetters = Schema.decodeUnknownEffect(
  Schema.Tuple([Schema.Struct({ ...Queue.fields, failed: Schema.Int })])
)
const decodeLags = Schema.decodeUnknownEffect(Schema.Array(Lag))
const decodeTenants = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ tenantId: TenantId }))
)

export class QueuesRepo extends Context.Service<
  QueuesRepo,
  {
    /** Letters that are due, of tenants that are served, and how many are tried no more. */
    readonly letters: Effect.Effect<Queue & { readonly failed: number }>
    /** The tenants with rows of the audit trail that wait for their seal. */
    readonly tenantsOfAudit: Effect.Effect<ReadonlyArray<TenantId>>
    /** Those rows of the tenant. */
    readonly audit: Effect.Effect<Queue, never, CurrentTenant>
    /** The tenants on real time with events that wait for a position. */
    readonly tenantsOfEvents: Effect.Effect<ReadonlyArray<TenantId>>
    /** Those events of the tenant. */
    readonly events: Effect.Effect<Queue, never, CurrentTenant>
    /** Records whose events are due at endpoints, of tenants that are served. */
    readonly webhooks: Effect.Effect<Queue>
    /** The tenants with endpoints. */
    readonly tenantsOfWebhooks: Effect.Effect<ReadonlyArray<TenantId>>
    /** How many events the tenant's receivers lack that are no longer tried by themselves. */
    readonly dead: Effect.Effect<number, never, CurrentTenant>
    /** How far each consumer is behind that has ever taken an event. */
    readonly lags: Effect.Effect<ReadonlyArray<Lag>>
  }
>()("@quittance/persistence/QueuesRepo") {
  static readonly layer = Layer.effect(
    QueuesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const letters = Effect.gen(function* () {
        const rows = yield* tenantSql.unscoped(
          "letter",
          sql`
            SELECT count(*) FILTER (WHERE l.due_at <= now() AND t.disabled_at IS NULL)::int AS waiting,
              coalesce(extract(epoch FROM now() - min(l.due_at)
                FILTER (WHERE l.due_at <= now() AND t.disabled_at IS NULL)), 0)::float8 AS oldest_seconds,
              count(*) FILTER (WHERE l.due_at = 'infinity')::int AS failed
            FROM (
              SELECT tenant_id, due_at FROM letter UNION ALL SELECT tenant_id, due_at FROM notice_letter
              UNION ALL SELECT tenant_id, due_at FROM withdrawal_letter
              UNION ALL SELECT tenant_id, due_at FROM signer_letter
              UNION ALL SELECT tenant_id, due_at FROM debit_letter
              UNION ALL SELECT tenant_id, due_at FROM document_letter
                WHERE coalesce(not_sent, 'TRIES') IN ('ADDRESS', 'TRIES')
              UNION ALL SELECT tenant_id, due_at FROM document_request_letter
                WHERE coalesce(not_sent, 'TRIES') IN ('ADDRESS', 'TRIES')
              UNION ALL SELECT tenant_id, due_at FROM signer_request_letter
            ) l JOIN tenant t ON t.tenant_id = l.tenant_id
          `
        )
        return (yield* decodeLetters(rows))[0]
      }).pipe(Effect.orDie, Effect.withSpan("QueuesRepo.letters"))

      const tenantsOfAudit = Effect.gen(function* () {
        const rows = yield* tenantSql.unscoped(
          "audit_pending",
          sql`
            SELECT t.tenant_id FROM tenant t WHERE EXISTS (
              SELECT FROM audit_pending p WHERE p.tenant_id = t.tenant_id
            ) ORDER BY t.tenant_id
          `
        )
        return (yield* decodeTenants(rows)).map(({ tenantId }) => tenantId)
      }).pipe(Effect.orDie, Effect.withSpan("QueuesRepo.tenantsOfAudit"))

      const audit = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT count(*)::int AS waiting,
            coalesce(extract(epoch FROM clock_timestamp() - min(a.recorded_at)), 0)::float8
              AS oldest_seconds
          FROM audit_pending p JOIN audit a ON a.tenant_id = p.tenant_id AND a.id = p.id
          WHERE p.tenant_id = ${tenantId}
        `)
        return (yield* decodeQueues(rows))[0]
      }).pipe(Effect.orDie, Effect.withSpan("QueuesRepo.audit"))

      // What a tenant with a test clock records is of another time than this one.
      const tenantsOfEvents = Effect.gen(function* () {
        const rows = yield* tenantSql.unscoped(
          "event_pending",
          sql`
            SELECT t.tenant_id FROM tenant t WHERE t.test_clock IS NULL AND EXISTS (
              SELECT FROM event_pending p WHERE p.tenant_id = t.tenant_id
            ) ORDER BY t.tenant_id
          `
        )
        return (yield* decodeTenants(rows)).map(({ tenantId }) => tenantId)
      }).pipe(Effect.orDie, Effect.withSpan("QueuesRepo.tenantsOfEvents"))

      const events = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        // The first ticket is the oldest, but for a transaction that took long to commit.
        const rows = yield* tenantSql.read(sql`
          SELECT (SELECT count(*) FROM event_pending WHERE tenant_id = ${tenantId})::int AS waiting,
            coalesce((
              SELECT extract(epoch FROM clock_timestamp() - e.recorded_at) FROM (
                SELECT subject, seq FROM event_pending WHERE tenant_id = ${tenantId}
                ORDER BY ticket LIMIT 1
              ) p JOIN event e ON e.tenant_id = ${tenantId} AND e.subject = p.subject AND e.seq = p.seq
            ), 0)::float8 AS oldest_seconds
        `)
        return (yield* decodeQueues(rows))[0]
      }).pipe(Effect.orDie, Effect.withSpan("QueuesRepo.events"))

      const webhooks = Effect.gen(function* () {
        const rows = yield* tenantSql.unscoped(
          "webhook_lane",
          sql`
            SELECT count(*)::int AS waiting,
              coalesce(extract(epoch FROM now() - min(l.due_at)), 0)::float8 AS oldest_seconds
            FROM webhook_lane l
            JOIN webhook_stream s ON s.tenant_id = l.tenant_id AND s.webhook_id = l.webhook_id
            JOIN tenant t ON t.tenant_id = l.tenant_id
            WHERE l.due_at <= now() AND s.is_enabled AND t.disabled_at IS NULL
          `
        )
        return (yield* decodeQueues(rows))[0]
      }).pipe(Effect.orDie, Effect.withSpan("QueuesRepo.webhooks"))

      const tenantsOfWebhooks = Effect.gen(function* () {
        const rows = yield* tenantSql.unscoped(
          "webhook_stream",
          sql`SELECT DISTINCT tenant_id FROM webhook_stream ORDER BY tenant_id`
        )
        return (yield* decodeTenants(rows)).map(({ tenantId }) => tenantId)
      }).pipe(Effect.orDie, Effect.withSpan("QueuesRepo.tenantsOfWebhooks"))

      const dead = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const [row] = yield* tenantSql.read(sql<{ readonly count: number }>`
          SELECT count(*)::int AS count FROM webhook_dead WHERE tenant_id = ${tenantId}
        `)
        return row!.count
      }).pipe(Effect.orDie, Effect.withSpan("QueuesRepo.dead"))

      const lags = Effect.gen(function* () {
        const rows = yield* tenantSql.unscoped(
          "event_consumer",
          sql`
            SELECT n.name AS consumer, coalesce(sum(h.position - coalesce(c.position, 0)), 0)::int AS events
            FROM (SELECT DISTINCT name FROM event_consumer) n
            CROSS JOIN (
              event_head h JOIN tenant t ON t.tenant_id = h.tenant_id AND t.disabled_at IS NULL
            )
            LEFT JOIN event_consumer c ON c.tenant_id = h.tenant_id AND c.name = n.name
            GROUP BY n.name ORDER BY n.name
          `
        )
        return yield* decodeLags(rows)
      }).pipe(Effect.orDie, Effect.withSpan("QueuesRepo.lags"))

      return QueuesRepo.of({
        letters,
        tenantsOfAudit,
        audit,
        tenantsOfEvents,
        events,
        webhooks,
        tenantsOfWebhooks,
        dead,
        lags
      })
    })
  )
}
