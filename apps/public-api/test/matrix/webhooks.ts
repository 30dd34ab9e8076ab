import { EventId } from "@quittance/domain/events/Event"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { WebhookId } from "@quittance/domain/values/Ids"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { WebhookAttemptsRepo } from "@quittance/persistence/webhooks/WebhookAttemptsRepo"
import { Effect } from "effect"
import { dryRun, type Fixtures } from "../MatrixFixture.ts"
import { call, type World } from "../Api.ts"

const url = "http://127.0.0.1:1024/hooks"

export const fixtures: Fixtures = {
  "webhooks.create": { ...dryRun, body: { url, types: ["*"] } },
  "webhooks.update": { ...dryRun, body: { description: "x" } },
  "webhooks.remove": dryRun,
  "webhooks.addSecret": { ...dryRun, body: {}, record: "webhookWithRoomId" },
  "webhooks.removeSecret": dryRun,
  "webhooks.disable": { ...dryRun, body: {} },
  "webhooks.enable": { ...dryRun, body: { from: "NOW" } },
  "webhookReplays.start": { ...dryRun, body: { from: 0 } },
  "webhookReplays.startOne": { ...dryRun, body: {} },
  "webhookReplays.startDead": { ...dryRun, body: {} },
  "webhookReplays.remove": dryRun,
  // No server listens there, which is an answer, too.
  "webhooks.test": { body: { type: "policy.signed" } }
}

/** An event that is no longer tried. */
const die = Effect.fnUntraced(function* (webhookId: string, eventId: string) {
  const attempts = yield* WebhookAttemptsRepo
  const sql = yield* TenantSql
  const of = { eventId: EventId.make(eventId), subject: "product:motor-fr", seq: 1, previous: 0 }
  const left = { ...of, outcome: "STATUS", status: 422, diedAt: 0 } as const
  yield* sql.transaction(attempts.keep(WebhookId.make(webhookId), [], [left]))
}, Effect.provide(WebhookAttemptsRepo.layer))

/** A webhook with one secret, and another one with a secret that ends, a dead event and a replay. */
export const recordsOf = Effect.fnUntraced(function* (
  { client: token, tenant }: World,
  { eventId }: { readonly eventId: string }
) {
  const ask = (path: string, body?: unknown) =>
    Effect.map(
      call(`/admin/webhooks${path}`, { tenant, token, ...(body === undefined ? {} : { body }) }),
      (answer) => answer.body
    )
  const made = { url, types: ["policy.*"] }
  const { id } = yield* ask("", made)
  yield* ask(`/${id}/secrets`, {})
  const { secrets } = yield* ask(`/${id}`)
  const { id: replayId } = yield* ask(`/${id}/replays`, { from: 0 })
  yield* Effect.provideService(die(String(id), eventId), CurrentTenant, tenant)
  const { id: withRoom } = yield* ask("", made)
  return {
    webhookId: String(id),
    replayId: String(replayId),
    webhookSecretId: String(secrets[0].id),
    webhookWithRoomId: String(withRoom)
  }
})

export const missing = { webhookSecretId: "0".repeat(16) }
