/** When the contents of tenants are looked through: each once a day, by one program at a time. */
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"

export class ContentCollectionsRepo extends Context.Service<
  ContentCollectionsRepo,
  {
    /** The tenants whose contents are to be looked through now. */
    readonly dueTenants: Effect.Effect<ReadonlyArray<TenantId>>
    /**
     * Takes the tenant's contents for an hour; whether it did. After that hour another program may: the one
     * that took them has failed or was ended.
     */
    readonly take: Effect.Effect<boolean, never, CurrentTenant>
    /** Says that they were looked through. The next time is in a day. */
    readonly done: Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/ContentCollectionsRepo") {
  static readonly layer = Layer.effect(
    ContentCollectionsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const dueTenants = tenantSql
        .unscoped(
          "content_collection",
          sql<{ readonly tenantId: TenantId }>`
            SELECT t.tenant_id FROM tenant t LEFT JOIN content_collection c USING (tenant_id)
            WHERE c.due_at IS NULL OR c.due_at <= clock_timestamp() ORDER BY c.due_at NULLS FIRST
          `
        )
        .pipe(
          Effect.map((rows) => rows.map(({ tenantId }) => tenantId)),
          Effect.orDie,
          Effect.withSpan("ContentCollectionsRepo.dueTenants")
        )

      const take = Effect.gen(function* () {
        const taken = yield* tenantSql.write(sql`
          INSERT INTO content_collection AS c (tenant_id, due_at)
          VALUES (${yield* CurrentTenant}, clock_timestamp() + interval '1 hour')
          ON CONFLICT (tenant_id) DO UPDATE SET due_at = excluded.due_at
          WHERE c.due_at <= clock_timestamp()
          RETURNING c.tenant_id
        `)
        return taken.length > 0
      }).pipe(tenantSql.transaction, Effect.withSpan("ContentCollectionsRepo.take"))

      const done = Effect.gen(function* () {
        yield* tenantSql.write(sql`
          UPDATE content_collection SET due_at = clock_timestamp() + interval '1 day'
          WHERE tenant_id = ${yield* CurrentTenant}
        `)
      }).pipe(tenantSql.transaction, Effect.withSpan("ContentCollectionsRepo.done"))

      return ContentCollectionsRepo.of({ dueTenants, take, done })
    })
  )
}
