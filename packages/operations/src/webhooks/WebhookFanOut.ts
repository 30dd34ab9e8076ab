/** Finds the endpoints that new events are for, or old ones once more, and wakes the lanes of their records. */
import type { CurrentTenant, TenantId } from "@quittance/domain/requests/Tenancy"
import { knownKinds } from "@quittance/domain/events/EventFilter"
import type { WebhookId } from "@quittance/domain/values/Ids"
import { knownKindsOf } from "@quittance/domain/webhooks/WebhookFilter"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import {
  type EndpointOfTenant,
  WebhookLanesRepo
} from "@quittance/persistence/webhooks/WebhookLanesRepo"
import {
  type ReplayOfTenant,
  WebhookReplayLanesRepo
} from "@quittance/persistence/webhooks/WebhookReplayLanesRepo"
import { Clock, Context, Effect, Layer } from "effect"
import { runFor } from "../requests/TenantBatch.ts"

/** How many positions of the feed one transaction goes through. */
const batchSize = 5000

export class WebhookFanOut extends Context.Service<
  WebhookFanOut,
  {
    /** One batch of an endpoint; whether more may wait. Nothing where another worker holds it. */
    batch(id: WebhookId): Effect.Effect<boolean, never, CurrentTenant>
    /**
     * One batch of each endpoint that is behind, and of each replay; how many those were, and whether more
     * may wait.
     */
    readonly round: Effect.Effect<{ readonly endpoints: number; readonly more: boolean }>
  }
>()("@quittance/operations/WebhookFanOut") {
  static readonly layer = Layer.effect(
    WebhookFanOut,
    Effect.gen(function* () {
      const lanes = yield* WebhookLanesRepo
      const replays = yield* WebhookReplayLanesRepo
      const tenantSql = yield* TenantSql

      const batch = Effect.fn("WebhookFanOut.batch")(function* (id: WebhookId) {
        const endpoint = yield* lanes.open(id)
        if (endpoint === undefined) return false
        const kinds = knownKindsOf(endpoint.filters.at(-1)?.types ?? [])
        const now = yield* Clock.currentTimeMillis
        return yield* lanes.fanOut(id, endpoint, {
          kinds,
          known: knownKinds,
          limit: batchSize,
          now
        })
      }, tenantSql.transaction)

      const replayBatch = Effect.fn("WebhookFanOut.replayBatch")(function* (
        replay: Pick<ReplayOfTenant, "replayId" | "webhookId">
      ) {
        const endpoint = yield* lanes.open(replay.webhookId)
        if (endpoint === undefined) return false
        const now = yield* Clock.currentTimeMillis
        const options = { known: knownKinds, limit: batchSize, now }
        return yield* replays.fanOut(replay, endpoint, options)
      }, tenantSql.transaction)

      const one = ({ tenantId, webhookId }: EndpointOfTenant & { readonly tenantId: TenantId }) =>
        runFor(tenantId, batch(webhookId), {
          message: "Events could not be brought to a webhook",
          answer: false
        })

      const oneReplay = ({ tenantId, ...replay }: ReplayOfTenant) =>
        runFor(tenantId, replayBatch(replay), {
          message: "Events could not be brought to a replay",
          answer: false
        })

      const round = Effect.gen(function* () {
        const behind = yield* lanes.behind
        const done = yield* Effect.forEach(behind, one)
        // After what is new: no replay may hold that up.
        const running = yield* replays.behind
        const replayed = yield* Effect.forEach(running, oneReplay)
        return {
          endpoints: behind.length + running.length,
          more: done.includes(true) || replayed.includes(true)
        }
      }).pipe(Effect.withSpan("WebhookFanOut.round"))

      return WebhookFanOut.of({ batch, round })
    })
  ).pipe(Layer.provide([WebhookLanesRepo.layer, WebhookReplayLanesRepo.layer]))
}
