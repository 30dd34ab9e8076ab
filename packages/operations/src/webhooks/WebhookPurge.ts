/** Removes what is kept of old tries and replays: excerpts of answers may hold what their senders want forgotten. */
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { WebhookAttemptsRepo } from "@quittance/persistence/webhooks/WebhookAttemptsRepo"
import { WebhookReplaysRepo } from "@quittance/persistence/webhooks/WebhookReplaysRepo"
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { runFor } from "../requests/TenantBatch.ts"

const keptFor = Duration.toMillis("30 days")
const batchSize = 5000

export class WebhookPurge extends Context.Service<
  WebhookPurge,
  {
    /** One batch of each tenant; whether more may be there. */
    readonly round: Effect.Effect<boolean>
  }
>()("@quittance/operations/WebhookPurge") {
  static readonly layer = Layer.effect(
    WebhookPurge,
    Effect.gen(function* () {
      const attempts = yield* WebhookAttemptsRepo
      const replays = yield* WebhookReplaysRepo
      const tenants = yield* TenantsRepo
      const tenantSql = yield* TenantSql

      const round = Effect.gen(function* () {
        const before = (yield* Clock.currentTimeMillis) - keptFor
        const batch = Effect.all([
          attempts.purge(before, batchSize),
          replays.purge(fromEpochMillis(before), batchSize)
        ])
        const removed = yield* Effect.forEach(yield* tenants.list, ({ id }) =>
          runFor(id, tenantSql.transaction(batch), {
            message: "Old attempts and replays of webhooks could not be removed",
            answer: [0, 0]
          })
        )
        return removed.flat().includes(batchSize)
      }).pipe(Effect.withSpan("WebhookPurge.round"))

      return WebhookPurge.of({ round })
    })
  ).pipe(Layer.provide([TenantsRepo.layer, WebhookAttemptsRepo.layer, WebhookReplaysRepo.layer]))
}
