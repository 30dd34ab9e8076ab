/** Writes on webhooks that succeed, each on one that can bear it. */
import type { World } from "./Api.ts"
import { fixtures, recordsOf } from "./matrix/webhooks.ts"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect } from "effect"

/** What removes comes last. */
const paths = {
  "webhooks.create": ["POST", ""],
  "webhooks.update": ["PATCH", "/:webhookId"],
  "webhooks.addSecret": ["POST", "/:webhookWithRoomId/secrets"],
  "webhooks.removeSecret": ["DELETE", "/:webhookId/secrets/:webhookSecretId"],
  "webhooks.test": ["POST", "/:webhookId/test"],
  "webhookReplays.start": ["POST", "/:webhookId/replays"],
  "webhookReplays.startOne": ["POST", "/:webhookId/dead/:eventId/replay"],
  "webhookReplays.startDead": ["POST", "/:webhookId/dead/replay"],
  "webhookReplays.remove": ["DELETE", "/:webhookId/replays/:replayId"],
  "webhooks.disable": ["POST", "/:webhookId/disable"],
  "webhooks.enable": ["POST", "/:webhookId/enable"],
  "webhooks.remove": ["DELETE", "/:webhookId"]
} as const

/** For each write a request of the tenant's client. */
export const webhookWrites = Effect.fnUntraced(function* (world: World) {
  const sql = yield* SuperuserSql
  const [event] = yield* sql<{ readonly eventId: string }>`
    SELECT id AS event_id FROM event WHERE tenant_id = ${world.tenant} LIMIT 1
  `
  const records: Readonly<Record<string, string>> = {
    ...(yield* recordsOf(world, event!)),
    ...event
  }
  return Object.fromEntries(
    Object.entries(paths).map(([route, [method, path]]) => [
      route,
      {
        token: world.client,
        method,
        path: `/admin/webhooks${path.replace(/:(\w+)/gu, (_, name: string) => records[name]!)}`,
        body: fixtures[route]?.body
      }
    ])
  )
})
