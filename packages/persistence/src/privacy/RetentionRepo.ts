/** How long a tenant keeps data, and when each of its customers is looked at the next time. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { PastErasure } from "@quittance/domain/privacy/RetentionPlan"
import { ErasableClass } from "@quittance/domain/privacy/Erasing"
import { OwnRetention } from "@quittance/domain/privacy/RetentionSettings"
import { CustomerId, PolicyId } from "@quittance/domain/values/Ids"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer, Schema } from "effect"
import { PgTypes } from "@effect/sql-pg"
import { SqlClient } from "effect/sql"
import { InstantColumn, toDate } from "../sql/Columns.ts"
import { withoutNulls } from "../sql/Rows.ts"
import { TenantSql } from "../sql/TenantSql.ts"

const Stored = Schema.Struct({
  isAutomatic: Schema.Boolean,
  rules: Schema.Array(OwnRetention),
  changedAt: InstantColumn,
  changedBy: Schema.String
})
/** What a tenant has said of its retention. */
export type StoredRetention = typeof Stored.Type
const decode = Schema.decodeUnknownEffect(Stored)

const Past = Schema.Struct({
  customerId: CustomerId,
  policyId: Schema.optionalKey(PolicyId),
  class: ErasableClass,
  erasedAt: InstantColumn
})
const decodePast = Schema.decodeUnknownEffect(Past)

/** So many new customers are found by one statement. */
const enlistedAtOnce = 5000

type Ids = Effect.Effect<ReadonlyArray<CustomerId>, never, CurrentTenant>

export class RetentionRepo extends Context.Service<
  RetentionRepo,
  {
    /** What the tenant has said; `undefined`: nothing yet. */
    readonly find: Effect.Effect<StoredRetention | undefined, never, CurrentTenant>
    /** Stores what the tenant says. All customers are then looked at once more. */
    put(setting: StoredRetention): Effect.Effect<void, never, CurrentTenant>
    /** Has customers looked at who were created since the last time; whether there may be more. */
    enlist(now: Instant): Effect.Effect<boolean, never, CurrentTenant>
    /** Customers to look at by an instant, the longest due first. */
    due(by: Instant, limit: number): Ids
    /** When the next customer is to be looked at. */
    readonly nextAt: Effect.Effect<Instant | undefined, never, CurrentTenant>
    /** Customers in the order of their identifiers, for a preview. */
    after(id: CustomerId | undefined, limit: number): Ids
    /** Locks the row of a customer; whether they are still due. */
    hold(id: CustomerId, by: Instant): Effect.Effect<boolean, never, CurrentTenant>
    lookAgain(id: CustomerId, at: Instant): Effect.Effect<void, never, CurrentTenant>
    /** What was erased of a customer. */
    past(id: CustomerId): Effect.Effect<ReadonlyArray<PastErasure>, never, CurrentTenant>
  }
>()("@quittance/persistence/RetentionRepo") {
  static readonly layer = Layer.effect(
    RetentionRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const find = Effect.gen(function* () {
        const [row] = yield* tenantSql.read(sql`
          SELECT is_automatic, rules, changed_at, changed_by FROM retention_setting
          WHERE tenant_id = ${yield* CurrentTenant}
        `)
        return row === undefined ? undefined : yield* decode(row)
      }).pipe(Effect.orDie, Effect.withSpan("RetentionRepo.find"))

      const put = Effect.fn("RetentionRepo.put")(function* (setting: StoredRetention) {
        const tenantId = yield* CurrentTenant
        const { changedAt, changedBy, isAutomatic, rules } = setting
        yield* tenantSql.write(sql`
          INSERT INTO retention_setting (tenant_id, is_automatic, rules, changed_at, changed_by)
          VALUES (${tenantId}, ${isAutomatic}, ${PgTypes.jsonb(rules)}, ${toDate(changedAt)}, ${changedBy})
          ON CONFLICT (tenant_id) DO UPDATE SET is_automatic = excluded.is_automatic,
            rules = excluded.rules, found_until = NULL, changed_at = excluded.changed_at,
            changed_by = excluded.changed_by
        `)
        yield* tenantSql.write(sql`DELETE FROM retention_look WHERE tenant_id = ${tenantId}`)
      }, Effect.orDie)

      const enlist = Effect.fn("RetentionRepo.enlist")(function* (now: Instant) {
        const tenantId = yield* CurrentTenant
        // A day back: a transaction that was open the last time may have committed after it.
        const found = yield* tenantSql.write(sql<{ readonly createdAt: Date }>`
          WITH fresh AS (
            SELECT c.tenant_id, c.id, c.created_at FROM customer c
            JOIN retention_setting s ON s.tenant_id = c.tenant_id
            WHERE c.tenant_id = ${tenantId}
              AND c.created_at >= coalesce(s.found_until - interval '1 day', '-infinity')
              AND NOT EXISTS (
                SELECT FROM retention_look l
                WHERE l.tenant_id = c.tenant_id AND l.customer_id = c.id
              )
            ORDER BY c.created_at, c.id LIMIT ${enlistedAtOnce}
          ), looks AS (
            INSERT INTO retention_look (tenant_id, customer_id, look_at)
            SELECT tenant_id, id, created_at FROM fresh
            ON CONFLICT (tenant_id, customer_id) DO NOTHING
          )
          SELECT created_at FROM fresh ORDER BY created_at
        `)
        const more = found.length === enlistedAtOnce
        yield* tenantSql.write(sql`
          UPDATE retention_setting SET found_until = ${more ? found.at(-1)!.createdAt : toDate(now)}
          WHERE tenant_id = ${tenantId}
        `)
        return more
      }, Effect.orDie)

      const due = Effect.fn("RetentionRepo.due")(function* (by: Instant, limit: number) {
        const rows = yield* tenantSql.read(sql<{ readonly customerId: CustomerId }>`
          SELECT customer_id FROM retention_look
          WHERE tenant_id = ${yield* CurrentTenant} AND look_at <= ${toDate(by)}
          ORDER BY look_at, customer_id LIMIT ${limit}
        `)
        return rows.map(({ customerId }) => customerId)
      }, Effect.orDie)

      const nextAt = Effect.gen(function* () {
        const [row] = yield* tenantSql.read(sql<{ readonly lookAt: Date }>`
          SELECT look_at FROM retention_look WHERE tenant_id = ${yield* CurrentTenant}
          ORDER BY look_at LIMIT 1
        `)
        return row === undefined
          ? undefined
          : yield* Schema.decodeUnknownEffect(InstantColumn)(row.lookAt)
      }).pipe(Effect.orDie, Effect.withSpan("RetentionRepo.nextAt"))

      const after = Effect.fn("RetentionRepo.after")(function* (
        id: CustomerId | undefined,
        limit: number
      ) {
        const rows = yield* tenantSql.read(sql<{ readonly id: CustomerId }>`
          SELECT id FROM customer WHERE tenant_id = ${yield* CurrentTenant} AND id > ${id ?? ""}
          ORDER BY id LIMIT ${limit}
        `)
        return rows.map((row) => row.id)
      }, Effect.orDie)

      const hold = Effect.fn("RetentionRepo.hold")(function* (id: CustomerId, by: Instant) {
        const rows = yield* tenantSql.write(sql`
          SELECT customer_id FROM retention_look
          WHERE tenant_id = ${yield* CurrentTenant} AND customer_id = ${id}
            AND look_at <= ${toDate(by)} FOR UPDATE
        `)
        return rows.length > 0
      }, Effect.orDie)

      const lookAgain = Effect.fn("RetentionRepo.lookAgain")(function* (
        id: CustomerId,
        at: Instant
      ) {
        yield* tenantSql.write(sql`
          UPDATE retention_look SET look_at = ${toDate(at)}
          WHERE tenant_id = ${yield* CurrentTenant} AND customer_id = ${id}
        `)
      }, Effect.orDie)

      const past = Effect.fn("RetentionRepo.past")(function* (id: CustomerId) {
        const rows = yield* tenantSql.read(sql`
          SELECT customer_id, policy_id, class, erased_at FROM erasure
          WHERE tenant_id = ${yield* CurrentTenant} AND customer_id = ${id}
        `)
        return yield* Effect.forEach(rows, (row) => decodePast(withoutNulls(row)))
      }, Effect.orDie)

      return RetentionRepo.of({
        find,
        put,
        enlist,
        due,
        nextAt,
        after,
        hold,
        lookAgain,
        past
      })
    })
  )
}
