import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { WebhookReplays } from "@quittance/operations/webhooks/WebhookReplays"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const WebhookReplaysHandlers = HttpApiBuilder.group(
  PublicApi,
  "webhookReplays",
  Effect.fn(function* (handlers) {
    const replays = yield* WebhookReplays

    return handlers.handleAll({
      start: ({ params, payload }) => replays.start(params.webhookId, payload),
      list: ({ params, query }) => replays.list(params.webhookId, pageRequest(query)),
      get: ({ params: { replayId, webhookId } }) => replays.get(webhookId, replayId),
      remove: ({ params: { replayId, webhookId } }) => replays.remove(webhookId, replayId),
      startOne: ({ params: { eventId, webhookId } }) => replays.startOne(webhookId, eventId),
      startDead: ({ params }) => replays.startDead(params.webhookId)
    })
  })
).pipe(Layer.provide(WebhookReplays.layer))
