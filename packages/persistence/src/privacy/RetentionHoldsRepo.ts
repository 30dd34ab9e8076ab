/** Holds on data of customers and policies. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Action } from "@quittance/domain/requests/Action"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import {
  RetentionHold,
  type RetentionHoldId,
  RetentionHoldNotFound
} from "@quittance/domain/privacy/RetentionHold"
import type { CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import type { PageRequest } from "@quittance/domain/values/Page"
import { Context, Effect, Layer, Schema, Struct } from "effect"
import { SqlClient } from "effect/sql"
import { GrantsRepo } from "../access/GrantsRepo.ts"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Row = Schema.Struct({
  ...Struct.omit(RetentionHold.fields, ["liftedAt", "placedAt", "until"]),
  until: Schema.optionalKey(InstantColumn),
  placedAt: InstantColumn,
  liftedAt: Schema.optionalKey(InstantColumn)
})
const decode = Schema.decodeUnknownEffect(Row)
const found = (row: object) => Effect.orDie(decode(withoutNulls(row)))

export class RetentionHoldsRepo extends Context.Service<
  RetentionHoldsRepo,
  {
    insert(hold: RetentionHold): Effect.Effect<void, never, CurrentTenant>
    /** Fetches a hold that was not lifted yet, locked until the transaction ends, with the permission on it. */
    authorize(
      action: Action,
      id: RetentionHoldId
    ): Effect.Effect<
      RetentionHold,
      Forbidden | RetentionHoldNotFound,
      CurrentTenant | CurrentCaller
    >
    lift(id: RetentionHoldId, at: Instant): Effect.Effect<void, never, CurrentTenant>
    /** The holds in force on these customers, or on policies that they were ever on. */
    inForce(
      customerIds: ReadonlyArray<CustomerId>,
      at: Instant
    ): Effect.Effect<ReadonlyArray<RetentionHoldId>, never, CurrentTenant>
    /** Whether the tenant has this policy. */
    hasPolicy(id: PolicyId): Effect.Effect<boolean, never, CurrentTenant>
    /** Those of the tenant, the newest first. */
    list(
      page: PageRequest
    ): Effect.Effect<
      { readonly rows: ReadonlyArray<RetentionHold>; readonly total: number },
      never,
      CurrentTenant
    >
  }
>()("@quittance/persistence/RetentionHoldsRepo") {
  static readonly layer = Layer.effect(
    RetentionHoldsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql
      const grants = yield* GrantsRepo
      const columns = sql`id, customer_id, policy_id, reason, until, placed_by, placed_at, lifted_at`

      const insert = Effect.fn("RetentionHoldsRepo.insert")(function* (hold: RetentionHold) {
        const row = {
          tenantId: yield* CurrentTenant,
          id: hold.id,
          customerId: hold.customerId ?? null,
          policyId: hold.policyId ?? null,
          reason: hold.reason,
          until: hold.until === undefined ? null : toDate(hold.until),
          placedBy: hold.placedBy,
          placedAt: toDate(hold.placedAt)
        }
        yield* tenantSql.write(sql`INSERT INTO retention_hold ${sql.insert(row)}`)
      }, Effect.orDie)

      const authorize = Effect.fn("RetentionHoldsRepo.authorize")(function* (
        action: Action,
        retentionHoldId: RetentionHoldId
      ) {
        const tenantId = yield* CurrentTenant
        const granted = yield* grants.onTenant(action)
        const [row] = yield* Effect.orDie(
          tenantSql.write(sql<{ readonly granted: boolean }>`
            SELECT ${columns}, ${granted} AS granted FROM retention_hold
            WHERE tenant_id = ${tenantId} AND id = ${retentionHoldId} AND lifted_at IS NULL
            FOR NO KEY UPDATE
          `)
        )
        if (row === undefined) return yield* new RetentionHoldNotFound({ retentionHoldId })
        if (!row.granted) return yield* grants.refuse(action)
        return yield* found(row)
      })

      const lift = Effect.fn("RetentionHoldsRepo.lift")(function* (
        id: RetentionHoldId,
        at: Instant
      ) {
        yield* tenantSql.write(sql`
          UPDATE retention_hold SET lifted_at = ${toDate(at)}
          WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
      }, Effect.orDie)

      const inForce = Effect.fn("RetentionHoldsRepo.inForce")(function* (
        customerIds: ReadonlyArray<CustomerId>,
        at: Instant
      ) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql<{ readonly id: RetentionHoldId }>`
          SELECT id FROM retention_hold
          WHERE tenant_id = ${tenantId} AND lifted_at IS NULL
            AND (until IS NULL OR until > ${toDate(at)})
            AND (customer_id = ANY (${[...customerIds]}) OR policy_id IN (
              SELECT policy_id FROM customer_policy
              WHERE tenant_id = ${tenantId} AND customer_id = ANY (${[...customerIds]})
            ))
          ORDER BY id
        `)
        return rows.map(({ id }) => id)
      }, Effect.orDie)

      const hasPolicy = Effect.fn("RetentionHoldsRepo.hasPolicy")(function* (id: PolicyId) {
        const [row] = yield* tenantSql.read(sql`
          SELECT id FROM policy WHERE tenant_id = ${yield* CurrentTenant} AND id = ${id}
        `)
        return row !== undefined
      }, Effect.orDie)

      const list = Effect.fn("RetentionHoldsRepo.list")(function* ({ count, page }: PageRequest) {
        const tenantId = yield* CurrentTenant
        const rows = yield* tenantSql.read(sql`
          SELECT ${columns} FROM retention_hold WHERE tenant_id = ${tenantId}
          ORDER BY placed_at DESC, id DESC LIMIT ${count} OFFSET ${(page - 1) * count}
        `)
        const [counted] = yield* tenantSql.read(sql<{ readonly total: number }>`
          SELECT count(*)::int AS total FROM retention_hold WHERE tenant_id = ${tenantId}
        `)
        return { rows: yield* Effect.forEach(rows, found), total: counted!.total }
      }, Effect.orDie)

      return RetentionHoldsRepo.of({ insert, authorize, lift, inForce, hasPolicy, list })
    })
  ).pipe(Layer.provide(GrantsRepo.layer))
}
