import { EventId } from "@quittance/domain/events/Event"
import { ReplayId, WebhookId } from "@quittance/domain/values/Ids"
import { Page } from "@quittance/domain/values/Page"
import { Replay } from "@quittance/domain/webhooks/WebhookReplay"
import { StartReplay } from "@quittance/domain/webhooks/WebhookRequests"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample } from "../access/Access.ts"
import { eventErrors } from "../events/EventErrors.ts"
import { bearer } from "../requests/Bearer.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { webhookErrors } from "./WebhookErrors.ts"

export const ReplayPage = Page(Replay).annotate({ identifier: "ReplayPage" })

const onWebhook = { params: { webhookId: WebhookId } }
const onReplay = { params: { webhookId: WebhookId, replayId: ReplayId } }
const written = { query: triedQuery, headers: writeHeaders }
const repeated = [requestErrors.IdempotencyKeyInUse, requestErrors.IdempotencyKeyReused] as const
const startErrors = [
  webhookErrors.WebhookNotFound,
  webhookErrors.WebhookDisabled,
  webhookErrors.TooManyReplays,
  ...repeated
] as const
const started = Replay.pipe(HttpApiSchema.status(202))

export class WebhookReplays extends bearer(
  HttpApiGroup.make("webhookReplays")
    .add(
      HttpApiEndpoint.post("start", "/admin/webhooks/:webhookId/replays", {
        ...onWebhook,
        ...written,
        payload: StartReplay,
        success: started,
        error: [eventErrors.UnknownEventType, ...startErrors]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("webhook.write", "TENANT"))
        .annotate(RequestExample, { from: 0, types: ["policy.*"] })
        .annotate(OpenApi.Summary, "Send a part of the feed to a webhook again")
        .annotate(
          OpenApi.Description,
          "They are sent beside new events, in order per record, with the identifiers and bytes of the first time and the header `quittance-replay`. Events that the webhook's types left out at the time are not sent."
        ),
      HttpApiEndpoint.get("list", "/admin/webhooks/:webhookId/replays", {
        ...onWebhook,
        query: pageQuery,
        success: ReplayPage,
        error: webhookErrors.WebhookNotFound
      })
        .annotateMerge(needs("webhook.read", "TENANT"))
        .annotate(OpenApi.Summary, "List the replays of a webhook, the newest first")
        .annotate(OpenApi.Description, "Replays are kept for 30 days after they are done."),
      HttpApiEndpoint.get("get", "/admin/webhooks/:webhookId/replays/:replayId", {
        ...onReplay,
        success: Replay,
        error: [webhookErrors.WebhookNotFound, webhookErrors.ReplayNotFound]
      })
        .annotateMerge(needs("webhook.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read a replay, and how far it has come"),
      HttpApiEndpoint.delete("remove", "/admin/webhooks/:webhookId/replays/:replayId", {
        ...onReplay,
        ...written,
        success: HttpApiSchema.NoContent,
        error: [webhookErrors.WebhookNotFound, webhookErrors.ReplayNotFound, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("webhook.write", "TENANT"))
        .annotate(OpenApi.Summary, "Delete a replay, and send no more of it")
        .annotate(
          OpenApi.Description,
          "Tries that are under way end, and nothing is kept of them. Dead events of it that have not arrived stay dead."
        ),
      HttpApiEndpoint.post("startOne", "/admin/webhooks/:webhookId/dead/:eventId/replay", {
        params: { webhookId: WebhookId, eventId: EventId },
        ...written,
        payload: NoMembers,
        success: started,
        error: [eventErrors.EventNotFound, ...startErrors]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("webhook.write", "TENANT"))
        .annotate(OpenApi.Summary, "Send a dead event to a webhook again")
        .annotate(OpenApi.Description, "It is dead no longer once it has arrived."),
      HttpApiEndpoint.post("startDead", "/admin/webhooks/:webhookId/dead/replay", {
        ...onWebhook,
        ...written,
        payload: NoMembers,
        success: started,
        error: startErrors
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("webhook.write", "TENANT"))
        .annotate(OpenApi.Summary, "Send all dead events of a webhook again")
        .annotate(
          OpenApi.Description,
          "Those that another replay has already are left to it. Each is dead no longer once it has arrived."
        )
    )
    .annotateMerge(access({ scope: "platform/admin", callers: ["Client", "User"] }))
    .annotateMerge(
      OpenApi.annotations({
        title: "Replays of webhooks",
        description: "Replays: events that a webhook is sent once more."
      })
    )
) {}
