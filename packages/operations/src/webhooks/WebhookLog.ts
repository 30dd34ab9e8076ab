/** What the owner of an endpoint sees of its deliveries. */
import type { CurrentCaller, Forbidden } from "@quittance/domain/requests/Caller"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import type { WebhookId } from "@quittance/domain/values/Ids"
import { fromEpochMillis } from "@quittance/domain/values/Instant"
import * as Page from "@quittance/domain/values/Page"
import type { WebhookNotFound } from "@quittance/domain/webhooks/Webhook"
import type {
  DeadEvent,
  WebhookAttempt,
  WebhookDeliveries,
  WebhookLane
} from "@quittance/domain/webhooks/WebhookLog"
import type { ListAttempts } from "@quittance/domain/webhooks/WebhookRequests"
import { type Listed, WebhookLogRepo } from "@quittance/persistence/webhooks/WebhookLogRepo"
import { WebhooksRepo } from "@quittance/persistence/webhooks/WebhooksRepo"
import { Clock, Context, Effect, Layer } from "effect"

type Read<A> = Effect.Effect<
  Page.Page<A>,
  Forbidden | WebhookNotFound,
  CurrentTenant | CurrentCaller
>

export class WebhookLog extends Context.Service<
  WebhookLog,
  {
    /** What was tried, the newest first. */
    attempts(id: WebhookId, filter: ListAttempts, page: Page.PageRequest): Read<WebhookAttempt>
    /** What is no longer tried, the newest first. */
    dead(id: WebhookId, page: Page.PageRequest): Read<DeadEvent>
    /** The records whose events wait, the next to be tried first. */
    lanes(id: WebhookId, page: Page.PageRequest): Read<WebhookLane>
    /** How all of it stands now. */
    deliveries(
      id: WebhookId
    ): Effect.Effect<WebhookDeliveries, Forbidden | WebhookNotFound, CurrentTenant | CurrentCaller>
  }
>()("@quittance/operations/WebhookLog") {
  static readonly layer = Layer.effect(
    WebhookLog,
    Effect.gen(function* () {
      const log = yield* WebhookLogRepo
      const webhooks = yield* WebhooksRepo

      const paged = Effect.fnUntraced(function* <A, R>(
        id: WebhookId,
        page: Page.PageRequest,
        list: Effect.Effect<Listed<A>, never, R>
      ) {
        yield* webhooks.authorize("webhook.read", id)
        const { items, total } = yield* list
        return Page.make(items, total, page)
      })

      const deliveries = Effect.fn("WebhookLog.deliveries")(function* (id: WebhookId) {
        yield* webhooks.authorize("webhook.read", id)
        return yield* log.deliveries(id, fromEpochMillis(yield* Clock.currentTimeMillis))
      })

      return WebhookLog.of({
        deliveries,
        attempts: (id, filter, page) => paged(id, page, log.attempts(id, filter, page)),
        dead: (id, page) => paged(id, page, log.dead(id, page)),
        lanes: (id, page) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) =>
            paged(id, page, log.lanes(id, fromEpochMillis(now), page))
          )
      })
    })
  ).pipe(Layer.provide([WebhookLogRepo.layer, WebhooksRepo.layer]))
}
