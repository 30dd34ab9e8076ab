/** Sends an example to an endpoint on demand, so that its owner sees what comes of it. */
import type { UnknownEventType } from "@quittance/domain/events/EventFilter"
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { WebhookId } from "@quittance/domain/values/Ids"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import type { WebhookNotFound } from "@quittance/domain/webhooks/Webhook"
import type { WebhookAttempt } from "@quittance/domain/webhooks/WebhookLog"
import type { TestWebhook } from "@quittance/domain/webhooks/WebhookRequests"
import { testBytes, testEvent } from "@quittance/domain/webhooks/WebhookTest"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { Ids } from "@quittance/persistence/sql/Ids"
import { TenantsRepo } from "@quittance/persistence/tenants/TenantsRepo"
import { WebhooksRepo } from "@quittance/persistence/webhooks/WebhooksRepo"
import { Clock, Context, Effect, Layer } from "effect"
import { attempt } from "./WebhookCall.ts"
import { WebhookSecrets } from "./WebhookSecrets.ts"

export class WebhookTests extends Context.Service<
  WebhookTests,
  {
    /**
     * Sends the example of a type at once, beside all that waits, also to an endpoint that is disabled. It
     * is tried once and kept nowhere; no connection to the database waits for the receiver.
     */
    send(
      id: WebhookId,
      input: TestWebhook
    ): Effect.Effect<
      WebhookAttempt,
      Forbidden | UnknownEventType | WebhookNotFound,
      CurrentTenant | CurrentCaller
    >
  }
>()("@quittance/operations/WebhookTests") {
  static readonly layer = Layer.effect(
    WebhookTests,
    Effect.gen(function* () {
      const calls = yield* OutgoingCalls
      const ids = yield* Ids
      const secrets = yield* WebhookSecrets
      const tenants = yield* TenantsRepo
      const webhooks = yield* WebhooksRepo

      const send = Effect.fn("WebhookTests.send")(function* (id: WebhookId, { type }: TestWebhook) {
        const { webhook } = yield* webhooks.authorize("webhook.write", id)
        const tenantId = yield* CurrentTenant
        const now = fromEpochMillis(yield* Clock.currentTimeMillis)
        const tenant = yield* tenants.find(tenantId)
        // The tenant of a request is there.
        const { environment } = tenant!
        const event = yield* Effect.fromResult(
          testEvent(type, { id: ids.next("event"), tenant: tenantId, environment, now })
        )
        const keys = yield* secrets.live(id, now)
        const tried = yield* attempt(
          { ...webhook, keys },
          { id: event.id, body: testBytes(event) }
        ).pipe(Effect.provideService(OutgoingCalls, calls))
        const { address, duration, excerpt, outcome, status, triedAt } = tried
        const answer: WebhookAttempt = {
          eventId: event.id,
          subject: event.subject,
          sequence: event.sequence,
          number: 1,
          triedAt: fromEpochMillis(triedAt),
          milliseconds: duration,
          outcome,
          ...(status === undefined ? {} : { status }),
          ...(address === undefined ? {} : { address }),
          ...(excerpt === undefined ? {} : { excerpt })
        }
        return answer
      })

      return WebhookTests.of({ send })
    })
  ).pipe(Layer.provide([TenantsRepo.layer, WebhookSecrets.layer, WebhooksRepo.layer]))
}
