/** Contents are collected once a day for each tenant, also after a program that was cut over it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { ContentCollectionsRepo } from "@quittance/persistence/contents/ContentCollectionsRepo"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { ConfigProvider, Effect, Layer, Logger } from "effect"
import { mkdtempSync, readdirSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { Contents } from "../../src/contents/Contents.ts"
import { DailyCollection } from "../../src/documents/DailyCollection.ts"
import * as World from "../World.ts"

const folder = mkdtempSync(path.join(tmpdir(), "quittance-daily-"))

const TestLayer = Layer.mergeAll(
  Contents.layer,
  DailyCollection.layer,
  ContentCollectionsRepo.layer
).pipe(
  Layer.provide(
    ConfigProvider.layer(
      ConfigProvider.fromUnknown({ CONTENT_STORE: "FOLDER", CONTENT_DIR: folder })
    )
  ),
  Layer.provideMerge(Layer.provideMerge(World.layer, NodeServices.layer))
)

const as =
  (tenant: TenantId) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentTenant, tenant)

/** A content of two days ago that no record has. */
const unused = Effect.fnUntraced(function* (tenant: TenantId) {
  const sql = yield* SuperuserSql
  const { address } = yield* as(tenant)(
    Contents.use((contents) => contents.put(new Uint8Array(300)))
  )
  yield* sql`
    UPDATE content SET touched_at = clock_timestamp() - interval '2 days' WHERE tenant_id = ${tenant}
  `
  return address
})

const isThere = (tenant: TenantId, address: string) =>
  Effect.map(
    as(tenant)(Contents.use((contents) => contents.read(address))),
    (bytes) => bytes !== undefined
  )

/** So much time passes for a tenant. */
const pass = Effect.fnUntraced(function* (tenant: TenantId, time: string) {
  const sql = yield* SuperuserSql
  yield* sql`
    UPDATE content_collection SET due_at = due_at - ${time}::text::interval WHERE tenant_id = ${tenant}
  `
})

const round = DailyCollection.use((daily) => daily.round)

layer(TestLayer, { excludeTestServices: true })("contents that nothing needs", (it) => {
  it.effect("go without anyone who asks, once a day for each tenant", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* World.make(), yield* World.make()]
      const addresses = [yield* unused(one.tenant), yield* unused(other.tenant)] as const
      assert.isFalse(yield* round)
      assert.isFalse(yield* isThere(one.tenant, addresses[0]))
      assert.isFalse(yield* isThere(other.tenant, addresses[1]))
      yield* unused(one.tenant)
      yield* pass(one.tenant, "23 hours 59 minutes")
      yield* round
      assert.isTrue(yield* isThere(one.tenant, addresses[0]))
      yield* pass(one.tenant, "2 minutes")
      yield* round
      assert.isFalse(yield* isThere(one.tenant, addresses[0]))
    })
  )

  it.effect("are taken by one program at a time, and by another where that one was ended", () =>
    Effect.gen(function* () {
      const { tenant } = yield* World.make()
      const repo = yield* ContentCollectionsRepo
      for (let number = 0; number < 200; number += 1) {
        const takes = Array.from({ length: 4 }, () => repo.take)
        const taken = yield* as(tenant)(Effect.all(takes, { concurrency: "unbounded" }))
        assert.strictEqual(taken.filter(Boolean).length, 1)
        yield* pass(tenant, "61 minutes")
      }
      assert.isTrue(yield* as(tenant)(repo.take))
      const address = yield* unused(tenant)
      yield* round
      assert.isTrue(yield* isThere(tenant, address))
      yield* pass(tenant, "61 minutes")
      yield* round
      assert.isFalse(yield* isThere(tenant, address))
    })
  )

  it.effect("wait where the store is away, and hold up no other tenant", () =>
    Effect.gen(function* () {
      const sql = yield* SuperuserSql
      const [one, other] = [yield* World.make(), yield* World.make()]
      const lost = yield* unused(one.tenant)
      // Its bytes are in a bucket that this program has no settings of.
      yield* sql`
        UPDATE content SET store = 'S3' WHERE tenant_id = ${one.tenant} AND address = ${lost}
      `
      const address = yield* unused(other.tenant)
      const said: Array<string> = []
      const log = Logger.layer([Logger.make(({ message }) => said.push(String(message)))])
      yield* Effect.provide(round, log)
      assert.isFalse(yield* isThere(other.tenant, address))
      assert.include(said, "Contents could not be collected")
      const [row] = yield* sql<{ readonly soon: boolean }>`
        SELECT due_at < clock_timestamp() + interval '61 minutes' AS soon FROM content_collection
        WHERE tenant_id = ${one.tenant}
      `
      assert.isTrue(row!.soon)
    })
  )

  it.effect("go with the mailboxes whose day of letters is over", () =>
    Effect.gen(function* () {
      const sql = yield* SuperuserSql
      const { tenant } = yield* World.make()
      // Where the store is away, they go all the same.
      yield* unused(tenant)
      yield* sql`UPDATE content SET store = 'S3' WHERE tenant_id = ${tenant}`
      yield* sql`
        INSERT INTO document_mailbox (tenant_id, key, since, letters)
        SELECT tenant_id, sha256(ago::text::bytea), coalesce(test_clock, clock_timestamp()) - ago, 3
        FROM tenant, unnest(ARRAY[interval '1 day', interval '23 hours 58 minutes']) ago
        WHERE tenant_id = ${tenant}
      `
      yield* Effect.provide(round, Logger.layer([]))
      const kept = yield* sql<{ readonly isYoung: boolean }>`
        SELECT m.since > coalesce(t.test_clock, clock_timestamp()) - interval '1 day' AS is_young
        FROM document_mailbox m JOIN tenant t USING (tenant_id) WHERE tenant_id = ${tenant}
      `
      assert.deepStrictEqual(
        kept.map(({ isYoung }) => isYoung),
        [true]
      )
    })
  )

  it.effect("tell the log of bytes that are missing", () =>
    Effect.gen(function* () {
      const { tenant } = yield* World.make()
      const contents = yield* Contents
      const { address } = yield* as(tenant)(contents.put(new Uint8Array(20)))
      const own = path.join(folder, (yield* as(tenant)(contents.folder))!, address.slice(0, 2))
      yield* Effect.promise(() => rm(path.join(own, readdirSync(own)[0]!)))
      const said: Array<unknown> = []
      const log = Logger.layer([Logger.make(({ message }) => said.push(message))])
      yield* Effect.provide(round, log)
      assert.deepInclude(said, [
        "The bytes of contents are not whole in their store",
        { count: 1, first: [address] }
      ])
    })
  )
})
