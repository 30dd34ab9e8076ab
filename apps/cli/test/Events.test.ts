/** `quittance admin events`, on a database that was restored. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Database } from "@quittance/persistence/sql/Database"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import * as Contracts from "../../../packages/operations/test/SoldPolicies.ts"
import * as World from "../../../packages/operations/test/World.ts"
import { runQuittance } from "../src/QuittanceCommand.ts"

layer(Contracts.layer, { excludeTestServices: true })("quittance admin events restored", (it) => {
  it.effect("gives the feed of every tenant another epoch, that of disabled ones too", () =>
    Effect.gen(function* () {
      const { url } = yield* Database
      const superuser = yield* SuperuserSql
      const [one, disabled] = [yield* World.make(), yield* World.make()]
      yield* superuser`
        UPDATE tenant SET disabled_at = now() WHERE tenant_id = ${disabled.tenant}
      `
      const epochs = superuser<{ readonly epoch: string }>`
        SELECT event_epoch AS epoch FROM tenant WHERE tenant_id IN (${one.tenant}, ${disabled.tenant})
      `
      const before = yield* epochs
      yield* runQuittance("0", ["admin", "events", "restored"]).pipe(
        Effect.provide(
          Layer.merge(
            NodeServices.layer,
            ConfigProvider.layer(ConfigProvider.fromUnknown({ DATABASE_URL: Redacted.value(url) }))
          )
        )
      )
      const both = new Set([...before, ...(yield* epochs)].map(({ epoch }) => epoch))
      assert.strictEqual(both.size, 4)
    })
  )
})
