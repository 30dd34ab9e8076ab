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
  // No server listens there, which is an answer, too.
  "webhooks.test": { body: { type: "policy.signed" } }
}

/** A webhook with one secret, and another one with a secret that ends. */
export const recordsOf = Effect.fnUntraced(function* ({ client: token, tenant }: World) {
  const ask = (path: string, body?: unknown) =>
    Effect.map(
      call(`/admin/webhooks${path}`, { tenant, token, ...(body === undefined ? {} : { body }) }),
      (answer) => answer.body
    )
  const made = { url, types: ["policy.*"] }
  const { id } = yield* ask("", made)
  yield* ask(`/${id}/secrets`, {})
  const { secrets } = yield* ask(`/${id}`)
  const { id: withRoom } = yield* ask("", made)
  return {
    webhookId: String(id),
    webhookSecretId: String(secrets[0].id),
    webhookWithRoomId: String(withRoom)
  }
})

export const missing = { webhookSecretId: "0".repeat(16) }
