/** A program of the tenant's is told what happens, and its owner looks into how that goes. */
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { EventId } from "@quittance/domain/events/Event"
import { WebhookId } from "@quittance/domain/values/Ids"
import { WebhookFanOut } from "@quittance/operations/webhooks/WebhookFanOut"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { WebhookAttemptsRepo } from "@quittance/persistence/webhooks/WebhookAttemptsRepo"
import { Effect, Layer } from "effect"
import type { World } from "../../Api.ts"
import type { Sold } from "../Sale.ts"
import { by } from "../Stage.ts"

/** What a dispatcher has done meanwhile: two tries of an event, after which it was left. */
const tried = Effect.fnUntraced(function* (
  webhookId: WebhookId,
  policyId: string,
  eventId: string
) {
  const attempts = yield* WebhookAttemptsRepo
  const sql = yield* TenantSql
  const fanOut = yield* WebhookFanOut
  const of = { eventId: EventId.make(eventId), subject: policyId, seq: 1 }
  const triedAt = Date.parse("2026-09-02T08:00:00Z")
  const failed = { ...of, replayId: "", status: 503, outcome: "STATUS" } as const
  const answered = { address: "192.0.2.7", excerpt: "Maintenance until 9:00" }
  const tries = [1, 2].map((number) => ({
    ...failed,
    ...answered,
    try: number,
    triedAt: triedAt + number * 5000,
    duration: 40 + number
  }))
  const left = { ...failed, previous: 0, diedAt: triedAt + 10_042 }
  yield* sql.transaction(attempts.keep(webhookId, tries, [left]))
  yield* fanOut.batch(webhookId)
})

const Dispatching = Layer.merge(WebhookAttemptsRepo.layer, WebhookFanOut.layer)

export const story = Effect.fnUntraced(function* (world: World, { policyId }: Sold) {
  const manager = by(world, world.manager)
  const made = yield* manager.post("/admin/webhooks", {
    url: "https://hooks.example.com/quittance",
    types: ["policy.*", "invoice.issued"],
    description: "Data warehouse",
    from: "BEGINNING"
  })
  const webhook = `/admin/webhooks/${made["id"]}`
  yield* manager.patch(webhook, { types: ["policy.*", "invoice.*"] })
  yield* manager.post(`${webhook}/secrets`, { overlap: 86_400 })
  const { secrets } = yield* manager.get(webhook)
  yield* manager.remove(`${webhook}/secrets/${secrets[0].id}`)
  yield* manager.get("/admin/webhooks")

  const { data } = yield* manager.get(`/policies/${policyId}/events?count=1`)
  yield* tried(WebhookId.make(String(made["id"])), policyId, String(data[0].id)).pipe(
    Effect.provideService(CurrentTenant, world.tenant),
    Effect.provide(Dispatching)
  )
  yield* manager.get(`${webhook}/attempts`)
  yield* manager.get(`${webhook}/dead`)
  yield* manager.get(`${webhook}/lanes`)
  yield* manager.get(`${webhook}/deliveries`)

  // The receiver is well again.
  const eventId = String(data[0].id)
  yield* manager.post(`${webhook}/dead/${eventId}/replay`)
  yield* manager.post(`${webhook}/dead/replay`)
  const replay = yield* manager.post(`${webhook}/replays`, {
    from: "2026-09-01T00:00:00Z",
    types: ["policy.*"]
  })
  yield* manager.get(`${webhook}/replays`)
  yield* manager.get(`${webhook}/replays/${replay["id"]}`)
  yield* manager.remove(`${webhook}/replays/${replay["id"]}`)

  yield* manager.post(`${webhook}/disable`)
  yield* manager.post(`${webhook}/enable`, { from: "WHERE_IT_STOPPED" })

  // Its developer has a program of their own, which is not running yet.
  const trial = yield* manager.post("/admin/webhooks", {
    url: "http://127.0.0.1:1024/hooks",
    types: ["*"]
  })
  yield* manager.post(`/admin/webhooks/${trial["id"]}/test`, { type: "policy.signed" })
  yield* manager.remove(`/admin/webhooks/${trial["id"]}`)
})
