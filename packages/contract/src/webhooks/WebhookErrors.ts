/** The errors of the area webhooks on the wire. The last argument of each shows its details. */
import * as Webhook from "@quittance/domain/webhooks/Webhook"
import * as Replay from "@quittance/domain/webhooks/WebhookReplay"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const webhookErrors = {
  WebhookNotFound: wireError(
    Webhook.WebhookNotFound,
    404,
    "WEBHOOK_NOT_FOUND",
    "The tenant has no such webhook, or it was deleted.",
    { webhookId: id("webhook") }
  ),
  WebhookSecretNotFound: wireError(
    Webhook.WebhookSecretNotFound,
    404,
    "WEBHOOK_SECRET_NOT_FOUND",
    "The webhook has no such secret.",
    { webhookSecretId: "5feceb66ffc86f38" }
  ),
  ReplayNotFound: wireError(
    Replay.ReplayNotFound,
    404,
    "REPLAY_NOT_FOUND",
    "The webhook has no such replay.",
    { replayId: id("replay") }
  ),
  TooManyReplays: wireError(
    Replay.TooManyReplays,
    409,
    "TOO_MANY_REPLAYS",
    "As many replays of the webhook are running as may.",
    { maximum: Replay.maximumReplays }
  ),
  WebhookDisabled: wireError(
    Replay.WebhookDisabled,
    409,
    "WEBHOOK_DISABLED",
    "The webhook is disabled, so nothing is sent to it.",
    { webhookId: id("webhook") }
  ),
  TooManyWebhooks: wireError(
    Webhook.TooManyWebhooks,
    409,
    "TOO_MANY_WEBHOOKS",
    "The tenant has as many webhooks as it may have.",
    { maximum: Webhook.maximumWebhooks }
  ),
  LastWebhookSecret: wireError(
    Webhook.LastWebhookSecret,
    409,
    "LAST_WEBHOOK_SECRET",
    "Without this secret nothing would sign the events any more."
  ),
  InvalidWebhookUrl: wireError(
    Webhook.InvalidWebhookUrl,
    422,
    "INVALID_WEBHOOK_URL",
    "The service does not call this URL.",
    { why: "SCHEME" }
  )
} as const
