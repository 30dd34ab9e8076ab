/** The events of webhooks: who watches the endpoints themselves hears of them. */
import { type EventType, recordEventType } from "../requests/Event.ts"
import { WebhookId } from "../values/Ids.ts"

export const webhookEvents = {
  "webhook.create": recordEventType("webhook.created", "webhookId", WebhookId),
  "webhook.update": recordEventType("webhook.updated", "webhookId", WebhookId),
  "webhook.delete": recordEventType("webhook.deleted", "webhookId", WebhookId),
  "webhook.enable": recordEventType("webhook.enabled", "webhookId", WebhookId),
  "webhook.disable": recordEventType("webhook.disabled", "webhookId", WebhookId)
} satisfies Record<string, EventType>
