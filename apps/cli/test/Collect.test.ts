/** `quittance documents gc` as a process. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { CurrentTenant } from "@quittance/domain/requests/Tenancy"
import { Contents } from "@quittance/operations/contents/Contents"
import { KeyEncryption } from "@quittance/operations/tokens/KeyEncryption"
import { Database } from "@quittance/persistence/sql/Database"
import { SuperuserSql } from "@quittance/testing/PgTest"
import { Effect, Layer, Redacted } from "effect"
import { spawnSync } from "node:child_process"
import * as World from "../../../packages/operations/test/World.ts"

const main = new URL("../src/main.ts", import.meta.url).pathname
const key = new Uint8Array(32).fill(7)

const TestLayer = Contents.layer.pipe(
  Layer.provide(KeyEncryption.layerOf(key)),
  Layer.provideMerge(Layer.merge(World.layer, NodeServices.layer))
)

layer(TestLayer, { excludeTestServices: true })("quittance documents gc", (it) => {
  it.effect("counts, takes what is unused, and ends with 1 where bytes are missing", () =>
    Effect.gen(function* () {
      const { url } = yield* Database
      const { tenant } = yield* World.make()
      const sql = yield* SuperuserSql
      const put = (text: string) =>
        Contents.use((contents) => contents.put(Buffer.from(text))).pipe(
          Effect.provideService(CurrentTenant, tenant)
        )
      const gc = (...flags: ReadonlyArray<string>) => {
        const { status, stderr, stdout } = spawnSync(
          process.execPath,
          ["--conditions=@quittance/source", main, "documents", "gc", "--tenant", tenant, ...flags],
          {
            encoding: "utf8",
            env: {
              PATH: process.env["PATH"],
              DATABASE_URL: Redacted.value(url),
              KEY_ENCRYPTION_KEY: Buffer.from(key).toString("base64url"),
              ENVIRONMENT: "sandbox",
              NO_COLOR: "1"
            }
          }
        )
        return { status, stderr, stdout }
      }
      yield* put("no document has it")
      yield* sql`
        UPDATE content SET touched_at = touched_at - interval '2 days' WHERE tenant_id = ${tenant}
      `
      const counted = gc("--dry-run")
      assert.deepStrictEqual([counted.status, counted.stderr], [0, ""])
      assert.strictEqual(counted.stdout, "unused 1\nremoved 0\nstrays 0\nmissing 0\n")
      assert.strictEqual(gc().stdout, "unused 1\nremoved 1\nstrays 0\nmissing 0\n")
      const { address } = yield* put("its bytes go")
      yield* sql`DELETE FROM content_part WHERE tenant_id = ${tenant}`
      const missed = gc()
      assert.strictEqual(missed.status, 1)
      assert.include(missed.stdout, "missing 1")
      assert.include(missed.stderr, address)
    })
  )
})
