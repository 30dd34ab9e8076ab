/** What endpoints sign with, sealed under a key of the service. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { Instant } from "@quittance/domain/values/Instant"
import type { WebhookId } from "@quittance/domain/values/Ids"
import type { WebhookSecret } from "@quittance/domain/webhooks/Webhook"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { toDate } from "../sql/Columns.ts"
import { TenantSql } from "../sql/TenantSql.ts"

export interface SealedSecret extends Pick<WebhookSecret, "createdAt" | "id"> {
  readonly sealedSecret: string
}

export class WebhookSecretsRepo extends Context.Service<
  WebhookSecretsRepo,
  {
    /** Those that have not ended, the newest first. */
    live(
      id: WebhookId,
      now: Instant
    ): Effect.Effect<ReadonlyArray<Pick<SealedSecret, "id" | "sealedSecret">>, never, CurrentTenant>
    /** Adds one, and has those that go on so far end at an instant. */
    add(
      id: WebhookId,
      secret: SealedSecret,
      othersEndAt: Instant
    ): Effect.Effect<void, never, CurrentTenant>
    remove(id: WebhookId, secretId: string): Effect.Effect<void, never, CurrentTenant>
    removeEnded(id: WebhookId, now: Instant): Effect.Effect<void, never, CurrentTenant>
  }
>()("@quittance/persistence/WebhookSecretsRepo") {
  static readonly layer = Layer.effect(
    WebhookSecretsRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const tenantSql = yield* TenantSql

      const live = Effect.fn("WebhookSecretsRepo.live")(function* (id: WebhookId, now: Instant) {
        const tenantId = yield* CurrentTenant
        return yield* tenantSql.read(sql<Pick<SealedSecret, "id" | "sealedSecret">>`
          SELECT id, sealed_secret FROM webhook_secret WHERE tenant_id = ${tenantId}
            AND webhook_id = ${id} AND (ends_at IS NULL OR ends_at > ${toDate(now)})
          ORDER BY created_at DESC, id
        `)
      }, Effect.orDie)

      const add = Effect.fn("WebhookSecretsRepo.add")(function* (
        id: WebhookId,
        { createdAt, id: secretId, sealedSecret }: SealedSecret,
        othersEndAt: Instant
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          UPDATE webhook_secret SET ends_at = ${toDate(othersEndAt)}
          WHERE tenant_id = ${tenantId} AND webhook_id = ${id} AND ends_at IS NULL
        `)
        yield* tenantSql.write(sql`
          INSERT INTO webhook_secret (tenant_id, webhook_id, id, sealed_secret, created_at)
          VALUES (${tenantId}, ${id}, ${secretId}, ${sealedSecret}, ${toDate(createdAt)})
        `)
      }, Effect.orDie)

      const remove = Effect.fn("WebhookSecretsRepo.remove")(function* (
        id: WebhookId,
        secretId: string
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM webhook_secret
          WHERE tenant_id = ${tenantId} AND webhook_id = ${id} AND id = ${secretId}
        `)
      }, Effect.orDie)

      const removeEnded = Effect.fn("WebhookSecretsRepo.removeEnded")(function* (
        id: WebhookId,
        now: Instant
      ) {
        const tenantId = yield* CurrentTenant
        yield* tenantSql.write(sql`
          DELETE FROM webhook_secret
          WHERE tenant_id = ${tenantId} AND webhook_id = ${id} AND ends_at <= ${toDate(now)}
        `)
      }, Effect.orDie)

      return WebhookSecretsRepo.of({ live, add, remove, removeEnded })
    })
  )
}
