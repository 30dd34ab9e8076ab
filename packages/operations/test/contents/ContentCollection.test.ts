/** Collecting contents takes what nothing needs, and nothing else, whatever happens beside it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { CurrentTenant, type TenantId } from "@quittance/domain/requests/Tenancy"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { ConfigProvider, Effect, Layer } from "effect"
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { ContentCollection } from "../../src/contents/ContentCollection.ts"
import { Contents } from "../../src/contents/Contents.ts"
import * as World from "../World.ts"
import * as S3Server from "./S3Server.ts"

const config = (settings: Readonly<Record<string, string>>) =>
  ConfigProvider.layer(ConfigProvider.fromUnknown(settings))

const folder = mkdtempSync(path.join(tmpdir(), "quittance-collected-"))

const inBucket = Layer.unwrap(
  Effect.map(S3Server.make, ({ authorities, endpoint }) =>
    config({
      CONTENT_STORE: "S3",
      CONTENT_S3_BUCKET: "contents",
      CONTENT_S3_ENDPOINT: endpoint,
      CONTENT_S3_CA_FILE: authorities,
      CONTENT_S3_ACCESS_KEY: "S3RVER",
      CONTENT_S3_SECRET_KEY: "S3RVER"
    })
  )
)

const settings = {
  POSTGRES: config({ CONTENT_STORE: "POSTGRES" }),
  FOLDER: config({ CONTENT_STORE: "FOLDER", CONTENT_DIR: folder }),
  S3: inBucket
}

const bytesOf = (salt: number) => Uint8Array.from({ length: 300 }, (_, at) => (at * 7 + salt) & 255)

const as =
  (tenant: TenantId) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, CurrentTenant, tenant)

const collect = (dryRun = false) => ContentCollection.use((it) => it.collect({ dryRun }))

/** As if they had last been put two days ago. */
const age = Effect.fnUntraced(function* (tenant: TenantId) {
  const sql = yield* SuperuserSql
  yield* sql`
    UPDATE content SET touched_at = clock_timestamp() - interval '2 days' WHERE tenant_id = ${tenant}
  `
})

/** A record that has the content: a file that templates name. */
const refer = Effect.fnUntraced(function* (tenant: TenantId, address: string, sha256: string) {
  const sql = yield* SuperuserSql
  yield* sql`
    INSERT INTO document_file (tenant_id, sha256, size, media_type, content_address, added_at)
    VALUES (${tenant}, ${sha256}, 300, 'image/png', ${address}, now())
  `
})

const release = Effect.fnUntraced(function* (tenant: TenantId) {
  const sql = yield* SuperuserSql
  yield* sql`DELETE FROM document_file WHERE tenant_id = ${tenant}`
})

const stored = Effect.fnUntraced(function* (tenant: TenantId) {
  const sql = yield* SuperuserSql
  const [row] = yield* sql<{ readonly contents: number; readonly removals: number }>`
    SELECT (SELECT count(*)::int FROM content WHERE tenant_id = ${tenant}) AS contents,
      (SELECT count(*)::int FROM content_removal WHERE tenant_id = ${tenant}) AS removals
  `
  return row!
})

for (const [kind, provider] of Object.entries(settings)) {
  const TestLayer = Layer.provideMerge(
    Layer.merge(Contents.layer, ContentCollection.layer).pipe(Layer.provide(provider)),
    Layer.provideMerge(World.layer, NodeServices.layer)
  )

  layer(TestLayer, { excludeTestServices: true })(`contents in ${kind}`, (it) => {
    it.effect("are collected a day after their last record, and no other tenant's", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* World.make(), yield* World.make()]
        const contents = yield* Contents
        const kept = yield* as(one.tenant)(contents.put(bytesOf(1)))
        const unused = yield* as(one.tenant)(contents.put(bytesOf(2)))
        const others = yield* as(other.tenant)(contents.put(bytesOf(2)))
        yield* refer(one.tenant, kept.address, kept.sha256)
        const nothing = { unused: 0, removed: 0, strays: 0, missing: [] }
        assert.deepStrictEqual(yield* as(one.tenant)(collect()), nothing)
        yield* age(one.tenant)
        yield* age(other.tenant)
        const seen = yield* as(one.tenant)(collect(true))
        assert.deepStrictEqual(seen, { ...nothing, unused: 1 })
        assert.isDefined(yield* as(one.tenant)(contents.read(unused.address)))
        assert.deepStrictEqual(yield* as(one.tenant)(collect()), {
          ...nothing,
          unused: 1,
          removed: 1
        })
        assert.isUndefined(yield* as(one.tenant)(contents.read(unused.address)))
        assert.deepStrictEqual(yield* as(one.tenant)(contents.read(kept.address)), bytesOf(1))
        assert.deepStrictEqual(yield* as(other.tenant)(contents.read(others.address)), bytesOf(2))
        assert.deepStrictEqual(yield* stored(one.tenant), { contents: 1, removals: 0 })
        yield* release(one.tenant)
        assert.strictEqual((yield* as(one.tenant)(collect())).unused, 1)
      })
    )

    // The S3 server of the tests ends where an object goes that it looks at; the database decides for all stores.
    if (kind === "S3") return
    it.effect("are never lost to a collection beside an upload of the same bytes: 200 rounds", () =>
      Effect.gen(function* () {
        const { tenant } = yield* World.make()
        const contents = yield* Contents
        let collected = 0
        for (let round = 0; round < 200; round += 1) {
          yield* as(tenant)(contents.put(bytesOf(3)))
          yield* age(tenant)
          const upload = Effect.gen(function* () {
            const put = yield* contents.put(bytesOf(3))
            yield* refer(tenant, put.address, put.sha256)
            return put
          })
          const [put, { unused, missing }] = yield* as(tenant)(
            Effect.all([upload, collect()], {
              concurrency: "unbounded"
            })
          )
          collected += unused
          assert.deepStrictEqual(missing, [])
          assert.deepStrictEqual(yield* as(tenant)(contents.read(put.address)), bytesOf(3))
          yield* release(tenant)
        }
        assert.isAtLeast(collected, 1)
      })
    )
  })
}

describe("what is left beside the records", () => {
  const TestLayer = Layer.provideMerge(
    Layer.merge(Contents.layer, ContentCollection.layer).pipe(Layer.provide(settings.FOLDER)),
    Layer.provideMerge(World.layer, NodeServices.layer)
  )
  layer(TestLayer, { excludeTestServices: true })("in a folder", (it) => {
    it.effect(
      "is told: files that no content has go after a day, contents without files stay",
      () =>
        Effect.gen(function* () {
          const { tenant } = yield* World.make()
          const contents = yield* Contents
          const { address } = yield* as(tenant)(contents.put(bytesOf(4)))
          const below = path.join(
            folder,
            (yield* as(tenant)(contents.folder))!,
            address.slice(0, 2)
          )
          const [own] = readdirSync(below)
          const stray = path.join(below, `${address}.0000000000000000`)
          writeFileSync(stray, "left half stored")
          assert.strictEqual((yield* as(tenant)(collect())).strays, 0)
          const before = new Date(Date.now() - 86_400_000)
          utimesSync(stray, before, before)
          utimesSync(path.join(below, own!), before, before)
          assert.strictEqual((yield* as(tenant)(collect(true))).strays, 1)
          assert.isTrue(existsSync(stray))
          assert.strictEqual((yield* as(tenant)(collect())).strays, 1)
          assert.deepStrictEqual(readdirSync(below), [own])
          rmSync(path.join(below, own!))
          assert.deepStrictEqual((yield* as(tenant)(collect())).missing, [address])
        })
    )
  })
})
