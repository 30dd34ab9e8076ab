/** What is recorded of a customer that decides how long their data are kept. */
import type { Action } from "@quittance/domain/requests/Action"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { CustomerNotFound } from "@quittance/domain/customers/Customer"
import { ClockWait, RetentionClass, type RetentionFact } from "@quittance/domain/privacy/Retention"
import type { CustomerId } from "@quittance/domain/values/Ids"
import { TimeZone } from "@quittance/domain/values/TimeZone"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { InstantColumn } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Fact = Schema.Struct({
  class: RetentionClass,
  recordId: Schema.String,
  startsAt: Schema.optionalKey(InstantColumn),
  waitsFor: Schema.optionalKey(ClockWait)
})
const decode = Schema.decodeUnknownEffect(Schema.Array(Fact))
const decodeZone = Schema.decodeUnknownEffect(TimeZone)

/** The facts about a customer, and the zone of the tenant's days. */
export interface RetentionFacts {
  readonly facts: ReadonlyArray<RetentionFact>
  readonly timeZone: TimeZone
}

export class RetentionFactsRepo extends Context.Service<
  RetentionFactsRepo,
  {
    /** The facts about a customer, with the permission to see them. */
    of(
      action: Action,
      id: CustomerId
    ): Effect.Effect<RetentionFacts, CustomerNotFound | Forbidden, CurrentTenant | CurrentCaller>
    /** The same for the job, which asks for no permission; the customer is there. */
    known(id: CustomerId): Effect.Effect<ReadonlyArray<RetentionFact>, never, CurrentTenant>
    /** The zone of the tenant's days. */
    readonly timeZone: Effect.Effect<TimeZone, never, CurrentTenant>
  }
>()("@quittance/persistence/RetentionFactsRepo") {
  static readonly layer = Layer.effect(
    RetentionFactsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo

      /**
       * The policies that a customer was ever on. A contract begins with its signature. It is over once it
       * is stopped and nothing of it is owed; then the last of stop and payments counts.
       */
      const policies = (tenantId: string, id: CustomerId) => sql`
        SELECT p.id, p.last_modified_at, EXISTS (
            SELECT FROM signature s WHERE s.tenant_id = p.tenant_id AND s.policy_id = p.id
              AND s.signed_at IS NOT NULL
          ) OR p.status IN ('POLICY_SIGNED', 'POLICY_STARTED', 'POLICY_SUSPENDED', 'POLICY_STOPPED')
            AS is_signed,
          p.status = 'POLICY_STOPPED' AS is_over,
          EXISTS (
            SELECT FROM receivable r
            WHERE r.tenant_id = p.tenant_id AND r.policy_id = p.id AND r.unpaid_count > 0
          ) AS is_owed,
          (
            SELECT max((v.state->>'stoppedAt')::timestamptz) FROM validity v
            WHERE v.tenant_id = p.tenant_id AND v.policy_id = p.id
              AND v.branch_id = p.default_branch_id AND v.entity_kind = 'POLICY'
          ) AS stopped_at,
          (
            SELECT max(i.paid_at) FROM invoice i
            WHERE i.tenant_id = p.tenant_id AND i.policy_id = p.id
          ) AS settled_at
        FROM customer_policy l JOIN policy p ON p.tenant_id = l.tenant_id AND p.id = l.policy_id
        WHERE l.tenant_id = ${tenantId} AND l.customer_id = ${id}`

      const factsOf = (tenantId: string, id: CustomerId) => sql`
        WITH held AS (${policies(tenantId, id)})
        SELECT 'CONTRACT' AS class, id AS record_id,
          CASE WHEN is_over AND NOT is_owed
            THEN greatest(coalesce(stopped_at, last_modified_at), settled_at) END AS starts_at,
          CASE WHEN NOT is_over THEN 'CONTRACT_OPEN' WHEN is_owed THEN 'DEBT_OPEN' END AS waits_for
        FROM held WHERE is_signed
        UNION ALL
        SELECT 'PROSPECT', c.id, greatest(c.last_modified_at, (SELECT max(last_modified_at) FROM held)),
          NULL
        FROM customer c WHERE c.tenant_id = ${tenantId} AND c.id = ${id}
          AND NOT EXISTS (SELECT FROM held WHERE is_signed)
        UNION ALL
        SELECT 'PROSPECT', id, last_modified_at, NULL FROM held WHERE NOT is_signed
        UNION ALL
        SELECT 'ACCOUNTING', i.id, coalesce(i.paid_at, i.issued_at), NULL
        FROM invoice i
        WHERE i.tenant_id = ${tenantId} AND i.customer_id = ${id} AND i.issued_at IS NOT NULL
        UNION ALL
        SELECT 'ACCOUNTING', p.id, p.recorded_at, NULL
        FROM payment p WHERE p.tenant_id = ${tenantId} AND p.customer_id = ${id}
        UNION ALL
        SELECT 'MANDATE', m.id,
          -- The day of a collection is the tenant's, so it begins at its midnight.
          coalesce(m.last_presented_on::timestamp AT TIME ZONE t.time_zone, m.created_at), NULL
        FROM mandate m JOIN tenant t ON t.tenant_id = m.tenant_id
        WHERE m.tenant_id = ${tenantId} AND m.customer_id = ${id}
        UNION ALL
        SELECT 'PRIVACY_REQUEST', r.id, r.closed_at, NULL
        FROM privacy_request r WHERE r.tenant_id = ${tenantId} AND ${id} = ANY (r.customer_ids)
        ORDER BY 1, 2`

      const of = Effect.fn("RetentionFactsRepo.of")(function* (action: Action, id: CustomerId) {
        const tenantId = yield* CurrentTenant
        const granted = yield* grants.onTenant(action)
        const [customer] = yield* Effect.orDie(
          tenantSql.read(sql<{ readonly granted: boolean; readonly timeZone: string }>`
            SELECT ${granted} AS granted, t.time_zone
            FROM customer c JOIN tenant t ON t.tenant_id = c.tenant_id
            WHERE c.tenant_id = ${tenantId} AND c.id = ${id}
          `)
        )
        if (customer === undefined) return yield* new CustomerNotFound({ customerId: id })
        if (!customer.granted) return yield* grants.refuse(action)
        return {
          facts: yield* known(id),
          timeZone: yield* Effect.orDie(decodeZone(customer.timeZone))
        }
      })

      const known = Effect.fn("RetentionFactsRepo.known")(function* (id: CustomerId) {
        const rows = yield* tenantSql.read(factsOf(yield* CurrentTenant, id))
        return yield* decode(rows.map(withoutNulls))
      }, Effect.orDie)

      const timeZone = Effect.gen(function* () {
        const [row] = yield* tenantSql.read(sql<{ readonly timeZone: string }>`
          SELECT time_zone FROM tenant WHERE tenant_id = ${yield* CurrentTenant}
        `)
        return yield* decodeZone(row!.timeZone)
      }).pipe(Effect.orDie, Effect.withSpan("RetentionFactsRepo.timeZone"))

      return RetentionFactsRepo.of({ of, known, timeZone })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
