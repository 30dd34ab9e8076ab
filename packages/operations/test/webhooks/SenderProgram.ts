/** A sender of its own process, for a test to kill; its argument says by how much its clock is ahead. */
import { Ids } from "@quittance/persistence/sql/Ids"
import { Database } from "@quittance/persistence/sql/Database"
import * as Sql from "@quittance/persistence/sql/Sql"
import { TenantSql } from "@quittance/persistence/sql/TenantSql"
import { OutgoingCalls } from "@quittance/outgoing/OutgoingCalls"
import { Effect, Layer } from "effect"
import { KeyEncryption } from "../../src/tokens/KeyEncryption.ts"
import { WebhookSender } from "../../src/webhooks/WebhookSender.ts"
import { pass, timed } from "../MovedClock.ts"

const SenderLayer = WebhookSender.layer.pipe(
  Layer.provide([
    KeyEncryption.layerOf(new Uint8Array(32).fill(7)),
    OutgoingCalls.layer,
    Ids.layer
  ]),
  Layer.provide(TenantSql.layer),
  Layer.provide(Sql.layer),
  Layer.provide(Database.layer)
)

const send = Effect.gen(function* () {
  yield* pass(Number(process.argv[2]))
  const { round } = yield* WebhookSender
  return yield* Effect.forever(round)
})

Effect.runFork(send.pipe(Effect.provide(SenderLayer), timed))
