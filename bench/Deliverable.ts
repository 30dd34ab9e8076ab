/** What benches of deliveries share: a receiver that is waited for, and all that is sent once more. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { setTimeout as sleep } from "node:timers/promises"
import type * as Endpoints from "./Endpoints.ts"

export type Receiver = Effect.Success<typeof Endpoints.receiver>

/** Everything is to be sent once more. Streams are taken before lanes, as senders take them. */
export const rewind = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const again = [
    sql`UPDATE webhook_stream SET paced_until = 'epoch', allowed = concurrency`,
    sql`
      UPDATE webhook_lane SET done_seq = 0, previous = 0, attempts = 0, ahead = '{}', claim = NULL,
        claimed_until = NULL, due_at = clock_timestamp()
    `
  ]
  yield* sql.withTransaction(Effect.all(again, { discard: true }))
})

/** Waits until a receiver has answered so many. */
export const until = Effect.fnUntraced(function* (receiver: Receiver, goal: number) {
  for (;;) {
    const { count } = yield* receiver.ask("count")
    if (count >= goal) return
    yield* Effect.promise(() => sleep(5))
  }
})
