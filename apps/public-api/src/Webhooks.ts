import { PublicApi } from "@quittance/contract/api/PublicApi"
import { pageRequest } from "@quittance/contract/requests/Parameters"
import { WebhookLog } from "@quittance/operations/webhooks/WebhookLog"
import { Webhooks } from "@quittance/operations/webhooks/Webhooks"
import { WebhookTests } from "@quittance/operations/webhooks/WebhookTests"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const WebhooksHandlers = HttpApiBuilder.group(
  PublicApi,
  "webhooks",
  Effect.fn(function* (handlers) {
    const log = yield* WebhookLog
    const tests = yield* WebhookTests
    const webhooks = yield* Webhooks

    return handlers.handleAll({
      create: ({ payload }) => webhooks.create(payload),
      list: ({ query }) => webhooks.list(pageRequest(query)),
      get: ({ params }) => webhooks.get(params.webhookId),
      update: ({ params, payload }) => webhooks.update(params.webhookId, payload),
      remove: ({ params }) => webhooks.remove(params.webhookId),
      addSecret: ({ params, payload }) => webhooks.addSecret(params.webhookId, payload),
      removeSecret: ({ params: { webhookId, webhookSecretId } }) =>
        webhooks.removeSecret(webhookId, webhookSecretId),
      disable: ({ params }) => webhooks.disable(params.webhookId),
      enable: ({ params, payload }) => webhooks.enable(params.webhookId, payload),
      test: ({ params, payload }) => tests.send(params.webhookId, payload),
      attempts: ({ params, query }) => log.attempts(params.webhookId, query, pageRequest(query)),
      dead: ({ params, query }) => log.dead(params.webhookId, pageRequest(query)),
      lanes: ({ params, query }) => log.lanes(params.webhookId, pageRequest(query)),
      deliveries: ({ params }) => log.deliveries(params.webhookId)
    })
  })
).pipe(Layer.provide([WebhookLog.layer, Webhooks.layer, WebhookTests.layer]))
