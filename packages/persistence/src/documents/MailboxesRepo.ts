/** How many letters each mailbox has had. A key is 32 bytes that stand for a mailbox. */
import type { RateLimit } from "@quittance/domain/requests/RateLimit"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TenantSql } from "../sql/TenantSql.ts"
import { tenantNow } from "../tenants/TenantNow.ts"

export class MailboxesRepo extends Context.Service<
  MailboxesRepo,
  {
    /**
     * Counts a letter to a mailbox in the transaction around it; `false` where it has had all of its window, which
     * begins with the first letter counted and lasts by the tenant's time.
     */
    take(key: Uint8Array, limit: RateLimit): Effect.Effect<boolean, never, CurrentTenant>
    /** Forgets the tenant's mailboxes whose window is over. */
    forget(limit: RateLimit): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/MailboxesRepo") {
  static readonly layer = Layer.effect(
    MailboxesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      /** Windows that began by then are over. */
      const overBy = (tenantId: TenantId, windowSeconds: number) =>
        sql`${tenantNow(sql, tenantId)} - ${windowSeconds}::int * interval '1 second'`

      const take = Effect.fn("MailboxesRepo.take")(function* (
        key: Uint8Array,
        { limit, windowSeconds }: RateLimit
      ) {
        const tenantId = yield* CurrentTenant
        const over = overBy(tenantId, windowSeconds)
        const counted = yield* tenantSql.write(sql`
          INSERT INTO document_mailbox AS m (tenant_id, key, since, letters)
          VALUES (${tenantId}, ${key}, ${tenantNow(sql, tenantId)}, 1)
          ON CONFLICT (tenant_id, key) DO UPDATE
          SET since = CASE WHEN m.since <= ${over} THEN excluded.since ELSE m.since END,
            letters = CASE WHEN m.since <= ${over} THEN 1 ELSE m.letters + 1 END
          WHERE m.since <= ${over} OR m.letters < ${limit}
          RETURNING letters
        `)
        return counted.length > 0
      }, Effect.orDie)

      const forget = Effect.fn("MailboxesRepo.forget")(function* ({ windowSeconds }: RateLimit) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM document_mailbox
          WHERE tenant_id = ${tenantId} AND since <= ${overBy(tenantId, windowSeconds)}
        `)
      }, Effect.orDie)

      return MailboxesRepo.of({ take, forget })
    })
  )
}
