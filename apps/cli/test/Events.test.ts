/** `quittance admin events`: consumers that are behind, and a database that was restored. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Database } from "@quittance/persistence/sql/Database"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { ConfigProvider, Console, Effect, Layer, Redacted } from "effect"
import * as Feeds from "../../../packages/operations/test/Feeds.ts"
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

/** What `quittance admin events consumers` prints. */
const consumers = Effect.gen(function* () {
  const { url } = yield* Database
  const printed: Array<unknown> = []
  const log = (line: unknown) => void printed.push(line)
  yield* runQuittance("0", ["admin", "events", "consumers"]).pipe(
    Effect.provide(
      Layer.merge(
        NodeServices.layer,
        ConfigProvider.layer(ConfigProvider.fromUnknown({ DATABASE_URL: Redacted.value(url) }))
      )
    ),
    Effect.provideService(Console.Console, { ...globalThis.console, log })
  )
  return printed.join("\n")
})

layer(Feeds.layer, { excludeTestServices: true })("quittance admin events consumers", (it) => {
  it.effect("shows where each consumer is, and since when the next event waits for it", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* consumers, "No consumer is behind.")
      yield* Feeds.inNewTenant(
        Effect.gen(function* () {
          const tenant = yield* CurrentTenant
          const superuser = yield* SuperuserSql
          const consumer = yield* Feeds.counting("mirror")
          yield* Feeds.transaction(Feeds.record("a", "b", "c"))
          yield* Feeds.sequence
          yield* Feeds.consume(consumer)
          assert.strictEqual(yield* consumers, "No consumer is behind (mirror).")
          yield* Feeds.transaction(Feeds.record("a"))
          yield* Feeds.transaction(Feeds.record("b"))
          yield* Feeds.sequence
          const [waiting] = yield* superuser<{ readonly since: Date }>`
            SELECT recorded_at AS since FROM event
            WHERE tenant_id = ${tenant} AND subject = 'client:a' AND seq = 2
          `
          const row = (yield* consumers).split("\n").find((line) => line.includes(tenant))
          assert.deepStrictEqual(row?.split(/ +/u), [
            "mirror",
            tenant,
            "3",
            "5",
            "2",
            waiting!.since.toISOString()
          ])
        })
      )
    })
  )
})
