/** Programs that are replaced one after the other, under load and behind a balancer, lose no request. */
import { assert, describe, it } from "@effect/vitest"
import * as Cluster from "@quittance/embedded-postgres/Cluster"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import type { ProvidedServer } from "@quittance/testing/ProvidedServer"
import * as TestServer from "@quittance/testing/TestServer"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { Balancer } from "./Balancer.ts"
import { folder, Program } from "./Program.ts"
import { checkout, releaseBefore } from "./ReleaseBefore.ts"
import { Visitors } from "./Visitors.ts"

const postgres = (): ProvidedServer => inject("postgres")

/** What all programs of the service share: an empty database, a key, and the address of the balancer. */
const service = Effect.gen(function* () {
  const { superuserUrl } = yield* TestServer.database(postgres(), "template0")
  const [port, first, second] = yield* Effect.promise(() =>
    Promise.all([freePort(), freePort(), freePort()])
  )
  const env = {
    // A slow machine opens more than a visitor may in an hour.
    VISITOR_OPENS: "1000000",
    DATABASE_URL: Redacted.value(superuserUrl),
    DATA_DIR: yield* Effect.promise(() => folder()),
    ENVIRONMENT: "sandbox",
    KEY_ENCRYPTION_KEY: Buffer.from("an example of a key of 32 bytes.").toString("base64url"),
    AUTH_URL: `http://{tenant}.auth.localhost:${port}`,
    BASE_URL: `http://localhost:${port}`,
    // Ample, on a machine where a probe may come late.
    DRAIN_TIME: "5 seconds"
  }
  const started = async (at: number, home?: string) => {
    const program = new Program("standalone", [], { ...env, PORT: String(at) }, home)
    await program.says("Listening on")
    return program
  }
  const balancer = yield* Effect.promise(() => Balancer.start(port))
  return { env, port, ports: [first!, second!] as const, started, balancer, url: superuserUrl }
})

type Service = Effect.Success<typeof service>

/** What the release after this one may do to the schema: it adds. */
const addNext = ({ url }: Service) =>
  Cluster.asSuperuser(
    postgres(),
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`ALTER TABLE policy ADD COLUMN next_release text NOT NULL DEFAULT 'unknown'`
      yield* sql`CREATE TABLE next_release (id text PRIMARY KEY)`
      yield* sql`INSERT INTO migration (migration_id, name) VALUES (9999, 'add_next_release')`
    }),
    new URL(Redacted.value(url)).pathname.slice(1)
  )

/** Every answer was as it should be, and there were requests. */
const nothingLost = async (visitors: Visitors, { balancer }: Service) => {
  const answered = await visitors.stop()
  assert.deepStrictEqual([...new Set(balancer.lost)], [])
  assert.deepStrictEqual(visitors.wrong.slice(0, 5), [])
  assert.isAbove(answered, 0)
}

describe("programs of one release", () => {
  it.live("are restarted one after the other, on the schema of the next", () =>
    Effect.gen(function* () {
      const all = yield* service
      const { balancer, ports, started } = all
      const visitors = yield* Effect.promise(async () => {
        const programs = new Map<number, Program>()
        for (const port of ports) {
          programs.set(port, await started(port))
          await balancer.add(port)
        }
        return { programs, load: new Visitors(all.port, 6) }
      })
      yield* addNext(all)
      yield* Effect.promise(async () => {
        const { load, programs } = visitors
        for (const port of ports) {
          await load.more(60)
          const { code, stderr } = await programs.get(port)!.stopped("SIGTERM")
          assert.strictEqual(code, 0, stderr)
          await load.more(60)
          await started(port)
          await balancer.add(port)
        }
        await load.more(60)
        await nothingLost(load, all)
      })
    })
  )
})

describe("programs of the release before", () => {
  it.live("serve on the schema of this one, until they are replaced", () =>
    Effect.gen(function* () {
      const home = yield* Effect.promise(() => checkout(releaseBefore()))
      const all = yield* service
      const { balancer, env, ports, started } = all
      const old = new Map<number, Program>()
      const load = yield* Effect.promise(async () => {
        for (const port of ports) {
          old.set(port, await started(port, home))
          await balancer.add(port)
        }
        const visitors = new Visitors(all.port, 6)
        await visitors.more(60)
        const migrated = await new Program("cli", ["admin", "migrate"], env).finished()
        assert.strictEqual(migrated.code, 0, migrated.stderr)
        return visitors
      })
      yield* addNext(all)
      yield* Effect.promise(async () => {
        await load.more(120)
        for (const port of ports) {
          await balancer.remove(port)
          await old.get(port)!.stopped("SIGTERM")
          await started(port)
          await balancer.add(port)
          await load.more(60)
        }
        await nothingLost(load, all)
      })
    })
  )
})
