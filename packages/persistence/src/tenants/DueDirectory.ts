/** Which tenants have work for the worker: entries move back in a writer's transaction, forward in `settle`. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

export class DueDirectory extends Context.Service<
  DueDirectory,
  {
    /** Has the worker look at the tenant by an instant, at the latest. */
    announce(dueAt: Instant): Effect.Effect<void, never, CurrentTenant>
    /** Moves the tenant's entry to its next work, unless a writer is under way. */
    readonly settle: Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/DueDirectory") {
  static readonly layer = Layer.effect(
    DueDirectory,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      /**
       * Writers hold the lock shared until they commit, so that the directory is only moved forward
       * when every instant that was scheduled can be seen. It is a lock of memory, and no row.
       */
      const directoryLock = (tenantId: string) =>
        sql`hashtextextended('quittance due ' || ${tenantId}, 0)`

      const announce = Effect.fn("DueDirectory.announce")(function* (dueAt: Instant) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`SELECT pg_advisory_xact_lock_shared(${directoryLock(tenantId)})`)
        const at = toDate(dueAt)
        // Read before written: most commands find the entry early enough and touch no shared row.
        const known = yield* tenantSql.read(sql`
          SELECT FROM due_tenant WHERE tenant_id = ${tenantId} AND next_due_at <= ${at}
        `)
        if (known.length > 0) return
        yield* tenantSql.write(sql`
          INSERT INTO due_tenant (tenant_id, next_due_at) VALUES (${tenantId}, ${at})
          ON CONFLICT (tenant_id) DO UPDATE SET next_due_at = excluded.next_due_at
          WHERE due_tenant.next_due_at > excluded.next_due_at
        `)
      }, Effect.orDie)

      const settle = Effect.gen(function* () {
        const tenantId = yield* CurrentTenant
        const [lock] = yield* tenantSql.write(sql<{ readonly taken: boolean }>`
          SELECT pg_try_advisory_xact_lock(${directoryLock(tenantId)}) AS taken
        `)
        if (!lock!.taken) return
        const [next] = yield* tenantSql.read(sql<{ readonly at: Date | null }>`
          SELECT least(
            (SELECT min(next_due_at) FROM policy
              WHERE tenant_id = ${tenantId} AND next_due_at IS NOT NULL),
            (SELECT min(due_at) FROM due_item
              WHERE tenant_id = ${tenantId} AND due_at < 'infinity')
          ) AS at
        `)
        yield* next!.at === null
          ? tenantSql.write(sql`DELETE FROM due_tenant WHERE tenant_id = ${tenantId}`)
          : tenantSql.write(sql`
              INSERT INTO due_tenant (tenant_id, next_due_at) VALUES (${tenantId}, ${next!.at})
              ON CONFLICT (tenant_id) DO UPDATE SET next_due_at = excluded.next_due_at
            `)
      }).pipe(Effect.orDie, Effect.withSpan("DueDirectory.settle"))

      return DueDirectory.of({ announce, settle })
    })
  )
}
