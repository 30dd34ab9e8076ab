/** What the members of webhooks mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const webhookTerms = {
  "Webhook.url":
    "The address to which events are sent: `https`, a public name or address, port 443 or from 1024 on.",
  "Webhook.description": "Its purpose, for people to read.",
  "UpdateWebhook.description": "Its purpose, for people to read; `null` removes it.",
  "Webhook.types":
    "The types that it receives: names such as `invoice.issued`, or patterns such as `policy.*`.",
  "UpdateWebhook.types":
    "The types that it receives. A change counts for events that the webhook was not brought yet.",
  "Webhook.brokerageFirmId":
    "Only events of this firm, its policies and their documents are sent; absent: all of the tenant.",
  "Webhook.ordering":
    "`PER_SUBJECT`: the events of a record one after the other. `NONE`: side by side, in no order.",
  "CreateWebhook.ordering":
    "`PER_SUBJECT`: the events of a record one after the other. `NONE`: side by side, in no order. Absent: `PER_SUBJECT`.",
  "Webhook.signing":
    "`HMAC`: by a secret that both sides know. `ED25519`: by a private key of ours, whose public key you get.",
  "CreateWebhook.signing":
    "`HMAC`: by a secret that both sides know. `ED25519`: by a private key of ours, whose public key you get. Absent: `HMAC`.",
  "Webhook.schema": "The version of the events' schemas.",
  "Webhook.concurrency":
    "How many records' events may be on their way at a time, 1 to 32; 8 unless it is said otherwise.",
  "Webhook.perSecond":
    "How many events a second are sent at most, 1 to 1000; 50 unless it is said otherwise.",
  "Webhook.headers": "Further headers of each request, at most five, such as a token of yours.",
  "UpdateWebhook.headers": "Further headers of each request, at most five; `null` takes them away.",
  "Webhook.id": "The webhook, by its identifier.",
  "Webhook.status": "A `DISABLED` webhook is sent nothing until it is enabled.",
  "Webhook.failingSince":
    "Since when nothing has arrived; absent where the last try was a success.",
  "Webhook.disabledReason":
    "`REQUESTED`: it was asked for. `GONE`: it has answered 410. `FAILING`: nothing has arrived for five days.",
  "Webhook.position": "Up to where the feed was looked through for it.",
  "Webhook.createdAt": "When it was created, in real time and UTC.",
  "Webhook.secrets": "The secrets that sign its events, the oldest first.",
  "WebhookSecret.id":
    "The first 16 hexadecimal digits of the SHA-256 of the secret's SHA-256 in hexadecimal.",
  "WebhookSecret.createdAt": "When it was made, in real time and UTC.",
  "WebhookSecret.endsAt": "When it stops signing; absent: it has no end.",
  "CreatedWebhook.secret":
    "The secret that verifies the events, in this answer only; absent with `ED25519`.",
  "CreatedWebhook.publicKey": "The public key that verifies the events; absent with `HMAC`.",
  "CreatedWebhookSecret.secret":
    "The secret that verifies the events, in this answer only; absent with `ED25519`.",
  "CreatedWebhookSecret.publicKey": "The public key that verifies the events; absent with `HMAC`.",
  "CreateWebhook.from":
    "`NOW`: what happens from now on; `BEGINNING`: all there ever was; or what comes after a position of the feed; absent: `NOW`.",
  "EnableWebhook.from":
    "`WHERE_IT_STOPPED`: nothing is left out; `NOW` or a position of the feed: a new stream begins after it, and what waited is forgotten.",
  "AddWebhookSecret.overlap":
    "For how many seconds the previous secret still signs with the new one, 0 to 604,800; absent: 86,400.",
  "TestWebhook.type": 'A type by its name; its example is sent, with `"test": true`.',
  "WebhookAttempt.eventId": "The event that was sent, by its identifier.",
  "WebhookAttempt.subject": "The record of the event.",
  "WebhookAttempt.sequence": "The place of the event among those of its subject.",
  "WebhookAttempt.number": "Which try of the event it was, from 1.",
  "WebhookAttempt.replayId": "The replay that it belongs to; absent: none.",
  "WebhookAttempt.triedAt": "When it was tried, in real time and UTC.",
  "WebhookAttempt.milliseconds": "How long it took.",
  "WebhookAttempt.outcome":
    "`DELIVERED`: answered 2xx. `STATUS`: answered anything else. `TIMEOUT`, `UNREACHABLE`, `TLS`: not answered. `ADDRESS`: it must not be called.",
  "WebhookAttempt.status": "The status of the answer; absent where there was none.",
  "WebhookAttempt.address":
    "The address that was connected to; absent where there was no connection.",
  "WebhookAttempt.excerpt":
    "The first 1,024 bytes of an answer that is no success, as text, or why there was none.",
  "DeadEvent.eventId": "The event, by its identifier.",
  "DeadEvent.subject": "The record of the event.",
  "DeadEvent.sequence": "The place of the event among those of its subject.",
  "DeadEvent.previousSequence": "The `previousSequence` with which it was sent.",
  "DeadEvent.diedAt": "When its last try ended, in real time and UTC.",
  "DeadEvent.outcome": "The outcome of its last try.",
  "DeadEvent.status": "The status of the last answer; absent where there was none.",
  "WebhookDeliveries.status": "A `DISABLED` webhook is sent nothing until it is enabled.",
  "WebhookDeliveries.failingSince":
    "Since when nothing has arrived; absent where the last try was a success.",
  "WebhookDeliveries.behind": "How many positions of the feed were not looked at for it yet.",
  "WebhookDeliveries.waiting": "How many records have events that wait, of replays too.",
  "WebhookDeliveries.underWay": "How many of these are being sent.",
  "WebhookDeliveries.oldestDueAt":
    "When the first of them is due, in real time and UTC. If that has passed, it waits since then; absent where none waits.",
  "WebhookDeliveries.dead": "How many events are no longer tried by themselves.",
  "WebhookDeliveries.lastHour": "The attempts of the last hour, by what came of them.",
  "WebhookDeliveries.last": "The newest attempt; absent where there was none in 30 days.",
  "AttemptCounts.DELIVERED": "Answered 2xx.",
  "AttemptCounts.STATUS": "Answered anything else.",
  "AttemptCounts.TIMEOUT": "Not answered in time.",
  "AttemptCounts.UNREACHABLE": "No connection, or it broke.",
  "AttemptCounts.TLS": "The certificate or the protocol is wrong.",
  "AttemptCounts.ADDRESS": "It must not be called.",
  "LastAttempt.triedAt": "When it was tried, in real time and UTC.",
  "LastAttempt.milliseconds": "How long it took.",
  "LastAttempt.outcome": "The outcome, as in a list of attempts.",
  "LastAttempt.status": "The status of the answer; absent where there was none.",
  "WebhookLane.subject": "The record whose events wait.",
  "WebhookLane.replayId": "The replay that they belong to; absent: none.",
  "WebhookLane.doneSequence": "The last `sequence` that is done.",
  "WebhookLane.lastSequence": "The last `sequence` that is for the webhook.",
  "WebhookLane.attempts": "How often the next event was tried.",
  "WebhookLane.dueAt": "When the next try is due, in real time and UTC.",
  "WebhookLane.isUnderWay": "Whether they are being sent now.",
  "Replay.id": "The replay, by its identifier; the header `quittance-replay` has it.",
  "Replay.webhookId": "The webhook that it sends to.",
  "Replay.source": "`FEED`: a part of the feed. `DEAD`: events that were no longer tried.",
  "Replay.fromPosition": "The position after which events are sent; 0 with `DEAD`.",
  "Replay.toPosition": "Up to this position of the feed with it; 0 with `DEAD`.",
  "Replay.recordedFrom": "Only what was recorded at this instant or later; absent: no bound.",
  "Replay.recordedBefore": "Only what was recorded before this instant; absent: no bound.",
  "Replay.types": "Only these types; absent: all of the webhook.",
  "Replay.subject": "Only what happened to this record; absent: all of them.",
  "Replay.status": "`DONE` once nothing of it is left to be sent.",
  "Replay.position": "Up to where the feed was looked through for it.",
  "Replay.waiting": "How many records have events that wait or are being sent.",
  "Replay.delivered": "How many events have arrived.",
  "Replay.dead": "How many events are no longer tried.",
  "Replay.createdAt": "When it was started, in real time and UTC.",
  "Replay.finishedAt": "When nothing of it was left to be sent; absent: it is running.",
  "StartReplay.from":
    "A position of the feed: what comes after it. Or an instant in the tenant's time: what was recorded then or later.",
  "StartReplay.to":
    "A position of the feed: up to it, with it. Or an instant: what was recorded before. Absent: up to what was brought to the webhook by now.",
  "StartReplay.types": "Only these types of the webhook's, by name or pattern; absent: all.",
  "StartReplay.subject":
    "Only what happened to this record: its identifier, or its kind and name, such as `product:motor-fr`; absent: all records.",
  "ReplayNotFound.details.replayId": "The replay that the webhook does not have.",
  "TooManyReplays.details.maximum": "How many replays of a webhook may be running.",
  "details.webhookId": "The webhook that the tenant does not have.",
  "WebhookSecretNotFound.details.webhookSecretId": "The secret that the webhook does not have.",
  "TooManyWebhooks.details.maximum": "How many webhooks a tenant may have.",
  "InvalidWebhookUrl.details.why": "The fault of the URL."
}

/** What the parameters of this area mean. */
export const webhookParameters: ParameterTerms = {
  "webhooks.attempts.eventId": { means: "Only tries of this event.", example: id("event") },
  "webhooks.attempts.from": { means: "Only what was tried at this instant or later." },
  "webhooks.attempts.outcome": { means: "Only tries of which this came.", example: "TIMEOUT" },
  "webhooks.attempts.subject": {
    means:
      "Only tries of this subject: the identifier of a record, or its kind and name, such as `product:motor-fr`.",
    example: id("policy")
  },
  "webhooks.attempts.to": { means: "Only what was tried before this instant." },
  replayId: { means: "The replay, by its identifier.", example: id("replay") },
  webhookId: { means: "The webhook, by its identifier.", example: id("webhook") },
  webhookSecretId: {
    means: "The secret, by the first 16 hexadecimal digits of its fingerprint.",
    example: "5feceb66ffc86f38"
  }
}
