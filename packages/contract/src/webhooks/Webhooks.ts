import { WebhookId } from "@quittance/domain/values/Ids"
import { Page } from "@quittance/domain/values/Page"
import { Webhook, WebhookSecret, WebhookSecretId } from "@quittance/domain/webhooks/Webhook"
import {
  DeadEvent,
  WebhookAttempt,
  WebhookDeliveries,
  WebhookLane
} from "@quittance/domain/webhooks/WebhookLog"
import {
  AddWebhookSecret,
  CreateWebhook,
  EnableWebhook,
  ListAttempts,
  TestWebhook,
  UpdateWebhook
} from "@quittance/domain/webhooks/WebhookRequests"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, RequestExample, unkeyed } from "../access/Access.ts"
import { accessErrors } from "../access/AccessErrors.ts"
import { eventErrors } from "../events/EventErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import { NoMembers, pageQuery, triedQuery, writeHeaders } from "../requests/Parameters.ts"
import { RecentSignIn } from "../requests/RecentSignIn.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { webhookErrors } from "./WebhookErrors.ts"
import { webhookParameters, webhookTerms } from "./WebhookTerms.ts"

/** What events are verified with. A secret is shown here and never again; it is stored sealed. */
const shown = {
  secret: Schema.optionalKey(Schema.RedactedFromValue(Schema.String)),
  publicKey: Schema.optionalKey(Schema.String)
}

export const CreatedWebhook = Schema.Struct({ ...Webhook.fields, ...shown }).annotate({
  identifier: "CreatedWebhook"
})

export const CreatedWebhookSecret = Schema.Struct({ ...WebhookSecret.fields, ...shown }).annotate({
  identifier: "CreatedWebhookSecret"
})

export const WebhookPage = Page(Webhook).annotate({ identifier: "WebhookPage" })
export const WebhookAttemptPage = Page(WebhookAttempt).annotate({
  identifier: "WebhookAttemptPage"
})
export const DeadEventPage = Page(DeadEvent).annotate({ identifier: "DeadEventPage" })
export const WebhookLanePage = Page(WebhookLane).annotate({ identifier: "WebhookLanePage" })

const onWebhook = { params: { webhookId: WebhookId } }
/** No idempotency key: a secret is in no stored answer. */
const tried = { query: { dryRun: triedQuery.dryRun } }
const written = { query: triedQuery, headers: writeHeaders }
const repeated = [requestErrors.IdempotencyKeyInUse, requestErrors.IdempotencyKeyReused] as const
const settingsErrors = [webhookErrors.InvalidWebhookUrl, eventErrors.UnknownEventType] as const

export class Webhooks extends bearer(
  HttpApiGroup.make("webhooks")
    .add(
      HttpApiEndpoint.post("create", "/admin/webhooks", {
        ...tried,
        payload: CreateWebhook,
        success: CreatedWebhook.pipe(HttpApiSchema.status(201)),
        error: [webhookErrors.TooManyWebhooks, requestErrors.InvalidReference, ...settingsErrors]
      })
        .annotateMerge(unkeyed)
        .annotateMerge(needs("webhook.write", "TENANT"))
        .middleware(RecentSignIn)
        .annotate(RequestExample, {
          url: "https://hooks.example.com/quittance",
          types: ["policy.*", "invoice.issued"]
        })
        .annotate(OpenApi.Summary, "Add a webhook")
        .annotate(
          OpenApi.Description,
          "Events are sent there from now on, or from where `from` says. The secret is in this answer only. The answer is not kept for a repetition: list the webhooks before you try again."
        ),
      HttpApiEndpoint.get("list", "/admin/webhooks", { query: pageQuery, success: WebhookPage })
        .annotateMerge(needs("webhook.read", "TENANT"))
        .annotate(OpenApi.Summary, "List the webhooks, the oldest first"),
      HttpApiEndpoint.get("get", "/admin/webhooks/:webhookId", {
        ...onWebhook,
        success: Webhook,
        error: webhookErrors.WebhookNotFound
      })
        .annotateMerge(needs("webhook.read", "TENANT"))
        .annotate(OpenApi.Summary, "Read a webhook"),
      HttpApiEndpoint.patch("update", "/admin/webhooks/:webhookId", {
        ...onWebhook,
        ...written,
        payload: UpdateWebhook,
        success: Webhook,
        error: [webhookErrors.WebhookNotFound, ...settingsErrors, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("webhook.write", "TENANT"))
        .annotate(RequestExample, { types: ["policy.*", "invoice.*"] })
        .annotate(OpenApi.Summary, "Change a webhook"),
      HttpApiEndpoint.delete("remove", "/admin/webhooks/:webhookId", {
        ...onWebhook,
        ...written,
        success: HttpApiSchema.NoContent,
        error: [webhookErrors.WebhookNotFound, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("webhook.write", "TENANT"))
        .annotate(OpenApi.Summary, "Delete a webhook and the log of its deliveries")
        .annotate(OpenApi.Description, "A try that is under way ends, and nothing is kept of it."),
      HttpApiEndpoint.post("addSecret", "/admin/webhooks/:webhookId/secrets", {
        ...onWebhook,
        ...tried,
        payload: AddWebhookSecret,
        success: CreatedWebhookSecret.pipe(HttpApiSchema.status(201)),
        error: [webhookErrors.WebhookNotFound, accessErrors.TooManySecrets]
      })
        .annotateMerge(unkeyed)
        .annotateMerge(needs("webhook.write", "TENANT"))
        .middleware(RecentSignIn)
        .annotate(RequestExample, { overlap: 86_400 })
        .annotate(OpenApi.Summary, "Give a webhook another secret")
        .annotate(
          OpenApi.Description,
          "Until the old one ends both sign each request, so a receiver that knows either accepts it. The secret is in this answer only."
        ),
      HttpApiEndpoint.delete(
        "removeSecret",
        "/admin/webhooks/:webhookId/secrets/:webhookSecretId",
        {
          params: { webhookId: WebhookId, webhookSecretId: WebhookSecretId },
          ...written,
          success: HttpApiSchema.NoContent,
          error: [
            webhookErrors.WebhookNotFound,
            webhookErrors.WebhookSecretNotFound,
            webhookErrors.LastWebhookSecret,
            ...repeated
          ]
        }
      )
        .annotateMerge(idempotent)
        .annotateMerge(needs("webhook.write", "TENANT"))
        .middleware(RecentSignIn)
        .annotate(OpenApi.Summary, "Delete an old secret of a webhook before it ends"),
      HttpApiEndpoint.post("disable", "/admin/webhooks/:webhookId/disable", {
        ...onWebhook,
        ...written,
        payload: NoMembers,
        success: Webhook,
        error: [webhookErrors.WebhookNotFound, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("webhook.write", "TENANT"))
        .annotate(OpenApi.Summary, "Send a webhook nothing more, for the present")
        .annotate(OpenApi.Description, "Events of the meantime are delivered once it is enabled."),
      HttpApiEndpoint.post("enable", "/admin/webhooks/:webhookId/enable", {
        ...onWebhook,
        ...written,
        payload: EnableWebhook,
        success: Webhook,
        error: [webhookErrors.WebhookNotFound, ...repeated]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("webhook.write", "TENANT"))
        .annotate(RequestExample, { from: "WHERE_IT_STOPPED" })
        .annotate(OpenApi.Summary, "Send a webhook its events again")
        .annotate(OpenApi.Description, "Events that wait for their next try are tried at once."),
      HttpApiEndpoint.post("test", "/admin/webhooks/:webhookId/test", {
        ...onWebhook,
        payload: TestWebhook,
        success: WebhookAttempt,
        error: [webhookErrors.WebhookNotFound, eventErrors.UnknownEventType]
      })
        .annotateMerge(unkeyed)
        .annotateMerge(needs("webhook.write", "TENANT"))
        .annotate(RequestExample, { type: "policy.signed" })
        .annotate(OpenApi.Summary, "Send a webhook the example of a type, and see what comes of it")
        .annotate(
          OpenApi.Description,
          'It is sent once and at once, in no order, with `"test": true`, also while the webhook is disabled. Nothing is kept of it.'
        ),
      HttpApiEndpoint.get("attempts", "/admin/webhooks/:webhookId/attempts", {
        ...onWebhook,
        query: { ...pageQuery, ...ListAttempts.fields },
        success: WebhookAttemptPage,
        error: webhookErrors.WebhookNotFound
      })
        .annotateMerge(needs("webhook.read", "TENANT"))
        .annotate(OpenApi.Summary, "List the attempts of a webhook, the newest first")
        .annotate(OpenApi.Description, "Attempts are kept for 30 days."),
      HttpApiEndpoint.get("dead", "/admin/webhooks/:webhookId/dead", {
        ...onWebhook,
        query: pageQuery,
        success: DeadEventPage,
        error: webhookErrors.WebhookNotFound
      })
        .annotateMerge(needs("webhook.read", "TENANT"))
        .annotate(OpenApi.Summary, "List the events that are no longer tried, the newest first"),
      HttpApiEndpoint.get("lanes", "/admin/webhooks/:webhookId/lanes", {
        ...onWebhook,
        query: pageQuery,
        success: WebhookLanePage,
        error: webhookErrors.WebhookNotFound
      })
        .annotateMerge(needs("webhook.read", "TENANT"))
        .annotate(OpenApi.Summary, "List the records whose events wait, the next one due first"),
      HttpApiEndpoint.get("deliveries", "/admin/webhooks/:webhookId/deliveries", {
        ...onWebhook,
        success: WebhookDeliveries,
        error: webhookErrors.WebhookNotFound
      })
        .annotateMerge(needs("webhook.read", "TENANT"))
        .annotate(OpenApi.Summary, "See how the deliveries of a webhook stand")
        .annotate(
          OpenApi.Description,
          "How many records wait and since when, how many events are dead, and the outcomes of the last hour's attempts."
        )
    )
    .annotateMerge(access({ scope: "platform/admin", callers: ["Client", "User"] }))
    .annotateMerge(
      reference({ errors: webhookErrors, terms: webhookTerms, parameters: webhookParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Webhooks",
        description: "Endpoints of yours that events are sent to."
      })
    )
) {}
