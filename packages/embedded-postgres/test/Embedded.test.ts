import { assert, describe, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { ConfigProvider, Effect, Exit, Layer, Redacted, Schedule, Schema, Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { beforeAll, afterAll } from "vitest"
import { Database } from "@quittance/persistence/sql/Database"
import * as Binaries from "../src/Binaries.ts"
import * as Cluster from "../src/Cluster.ts"
import * as Server from "../src/Server.ts"
import * as Embedded from "../src/Embedded.ts"
import * as Migrate from "@quittance/persistence/sql/Migrate"
import * as Sql from "@quittance/persistence/sql/Sql"
import { folder, listens, type Program, serverPid, start } from "@quittance/testing/Programs"

/** One cache for the whole file, empty at its start. */
const scope = Scope.makeUnsafe()
let cache = ""
beforeAll(async () => {
  cache = await Effect.runPromise(Scope.provide(folder, scope))
})
afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

const program = (dataDir: string, { add = [], cacheDir = cache, seed = "v1" }: Options = {}) =>
  start(path.join(import.meta.dirname, "EmbeddedProgram.ts"), [seed, ...add], {
    DATA_DIR: dataDir,
    CACHE_DIR: cacheDir
  })

interface Options {
  /** A tenant that the program stores. */
  readonly add?: readonly [string] | readonly []
  readonly cacheDir?: string
  readonly seed?: string
}

/** A layer inside this process that is told of the folder. */
const on = (dataDir: string) =>
  Layer.provide(
    ConfigProvider.layer(ConfigProvider.fromUnknown({ DATA_DIR: dataDir, CACHE_DIR: cache }))
  )

/** How many migrations the database has. */
const appliedMigrations = Effect.gen(function* () {
  const sql = yield* PgClient.PgClient
  const [row] = yield* sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM migration`
  return row!.count
})

class Unwilling extends Schema.TaggedError<Unwilling>()("Unwilling", {}) {}

describe("the embedded database", { concurrent: false }, () => {
  it.live("asks for DATABASE_URL where there are no programs for the system", () =>
    Effect.gen(function* () {
      const dataDir = path.join(yield* folder, "data")
      const arch = process.arch
      yield* Effect.acquireRelease(
        Effect.sync(() => Object.defineProperty(process, "arch", { value: "mips" })),
        () => Effect.sync(() => Object.defineProperty(process, "arch", { value: arch }))
      )

      const error = yield* Effect.flip(
        Effect.scoped(Layer.build(Embedded.layer().pipe(on(dataDir))))
      )

      assert.include(error.message, "Set DATABASE_URL")
      assert.isFalse(existsSync(dataDir))
    })
  )

  it.live("keeps neither a template nor data when the seed fails", () =>
    Effect.gen(function* () {
      const dataDir = path.join(yield* folder, "data")
      const before = yield* Effect.promise(() => fs.readdir(cache))
      const seed = { version: "unwilling", run: new Unwilling() }

      const error = yield* Effect.flip(
        Effect.scoped(Layer.build(Embedded.layer(seed).pipe(on(dataDir))))
      )

      assert.strictEqual(error._tag, "Unwilling")
      assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(cache)), before)
      assert.isFalse(existsSync(dataDir))
    })
  )

  it.live("seeds once, however many folders and processes start at the same time", () =>
    Effect.gen(function* () {
      const parent = yield* folder
      const cacheDir = yield* folder
      const programs = yield* Effect.forEach(["one", "two"], (name) =>
        program(path.join(parent, name), { cacheDir })
      )

      const answers = yield* Effect.forEach(programs, answerOf, { concurrency: "unbounded" })

      assert.deepStrictEqual(
        answers.map(({ found }) => found),
        [["seeded"], ["seeded"]]
      )
      assert.strictEqual(answers.filter(({ seeding }) => seeding).length, 1)
    })
  )

  it.live("keeps what was written, and stops its server when it ends", () =>
    Effect.gen(function* () {
      const dataDir = path.join(yield* folder, "data")
      const first = yield* program(dataDir, { add: ["acme"] })
      const { port } = yield* answerOf(first)
      assert.isTrue(yield* listens(port))

      yield* first.end("SIGTERM")

      assert.isFalse(yield* listens(port))
      assert.isUndefined(yield* serverPid(dataDir))
      const second = yield* answerOf(yield* program(dataDir))
      assert.deepStrictEqual(second.found, ["acme", "seeded"])
    })
  )

  it.live("takes over the server that a killed process has left, and stops it in the end", () =>
    Effect.gen(function* () {
      const dataDir = path.join(yield* folder, "data")
      const first = yield* program(dataDir, { add: ["acme"] })
      const { port } = yield* answerOf(first)
      const pid = yield* serverPid(dataDir)
      yield* first.end("SIGKILL")
      assert.isTrue(yield* listens(port))

      const second = yield* program(dataDir)

      const answer = yield* answerOf(second)
      assert.deepStrictEqual([answer.port, answer.found], [port, ["acme", "seeded"]])
      assert.strictEqual(yield* serverPid(dataDir), pid)
      yield* second.end("SIGTERM")
      assert.isFalse(yield* listens(port))
    })
  )

  it.live("starts again when the server was killed together with its process", () =>
    Effect.gen(function* () {
      const dataDir = path.join(yield* folder, "data")
      const first = yield* program(dataDir, { add: ["acme"] })
      yield* answerOf(first)
      yield* first.end("SIGKILL")
      process.kill((yield* serverPid(dataDir))!, "SIGKILL")

      const second = yield* answerOf(yield* program(dataDir))

      assert.deepStrictEqual(second.found, ["acme", "seeded"])
    })
  )

  it.live("starts its server again, at the same address, when it was killed", () =>
    Effect.gen(function* () {
      const dataDir = yield* folder
      const context = yield* Layer.build(Embedded.layer().pipe(on(dataDir)))
      const count = appliedMigrations.pipe(
        Effect.provide(Layer.provide(Layer.fresh(Sql.layerOwner), Layer.succeedContext(context)))
      )
      const before = yield* count
      const first = yield* serverPid(dataDir)
      process.kill(first!, "SIGKILL")
      const isAnother = Effect.map(serverPid(dataDir), (pid) => pid !== undefined && pid !== first)
      yield* isAnother.pipe(
        Effect.repeat({ until: (another) => another, schedule: Schedule.spaced("50 millis") })
      )
      assert.strictEqual(yield* count, before)
      // It has the lock of its owner again: no other process may have the folder.
      const rival = yield* Effect.flip(
        Effect.scoped(Layer.build(Embedded.layer().pipe(on(dataDir))))
      )
      assert.include(rival.message, "Another process uses the database")
    }).pipe(Effect.scoped)
  )

  it.live("refuses a second process on its folder, and serves the first on", () =>
    Effect.gen(function* () {
      const dataDir = path.join(yield* folder, "data")
      const first = yield* program(dataDir)
      const { port } = yield* answerOf(first)

      const { failed } = yield* (yield* program(dataDir)).next

      assert.include(String(failed), `Another process uses the database in ${dataDir}/postgresql`)
      assert.isTrue(yield* listens(port))
      const database = yield* Database.pipe(
        Effect.provide(Embedded.layerAttached.pipe(on(dataDir)))
      )
      assert.strictEqual(Number(new URL(Redacted.value(database.url)).port), port)
    })
  )

  it.live("lets one of two processes have a new folder that both start on at once", () =>
    Effect.gen(function* () {
      const dataDir = path.join(yield* folder, "data")
      const programs = [yield* program(dataDir), yield* program(dataDir)]

      const answers = yield* Effect.forEach(programs, answerOf, { concurrency: "unbounded" })

      const [served, ...rest] = answers.filter(({ found }) => found !== undefined)
      assert.deepStrictEqual([served?.found, rest], [["seeded"], []])
      assert.isTrue(yield* listens(served!.port))
      assert.include(answers.find(({ failed }) => failed !== undefined)!.failed, "Another process")
    })
  )

  it.live("migrates a folder that it finds behind", () =>
    Effect.gen(function* () {
      const dataDir = path.join(yield* folder, "data")
      const home = path.join(dataDir, "postgresql")
      const binaries = yield* Binaries.find(cache, yield* Binaries.identityFor(home))
      yield* Effect.promise(() => fs.mkdir(home, { recursive: true }))
      yield* Cluster.initialise(binaries, home)
      yield* Effect.scoped(Effect.flatMap(Server.passing(binaries, home), Cluster.createDatabase))

      assert.deepStrictEqual(yield* withServer(dataDir, Migrate.pending), [])
    })
  )

  it.live("refuses the files of another major release of PostgreSQL", () =>
    Effect.gen(function* () {
      const dataDir = path.join(yield* folder, "data")
      yield* withServer(dataDir, Effect.void)
      const file = path.join(dataDir, "postgresql/cluster/PG_VERSION")
      yield* Effect.promise(() => fs.writeFile(file, "17\n"))

      const error = yield* Effect.flip(withServer(dataDir, Effect.void))

      assert.include(error.message, "was written by PostgreSQL 17")
    })
  )

  it.live.skipIf(process.getuid?.() !== 0)(
    "serves root from a folder that only root can enter",
    () =>
      Effect.gen(function* () {
        const closed = path.join(yield* folder, "closed")
        yield* Effect.promise(() => fs.mkdir(closed, { mode: 0o700 }))
        const homeOf = (dataDir: string) =>
          Effect.promise(() => fs.realpath(path.join(dataDir, "postgresql")))

        // The folder itself may be opened.
        yield* withServer(closed, Effect.void)
        assert.strictEqual(yield* homeOf(closed), path.join(closed, "postgresql"))

        // One above it may not: the data are elsewhere, and found again.
        yield* Effect.promise(() => fs.chmod(closed, 0o700))
        const inside = path.join(closed, "data")
        yield* withServer(inside, Effect.void)
        const home = yield* homeOf(inside)
        const others = path.dirname(home)
        yield* Effect.addFinalizer(() => Effect.promise(() => fs.rm(others, { recursive: true })))
        assert.isFalse(home.startsWith(closed))
        const killed = yield* program(inside)
        const { port } = yield* answerOf(killed)
        assert.strictEqual(yield* homeOf(inside), home)

        // Who removes the folder gets a new one, and the old data and their server go.
        yield* killed.end("SIGKILL")
        yield* Effect.promise(() => fs.rm(inside, { recursive: true }))
        yield* withServer(inside, Effect.void)
        assert.isFalse(yield* listens(port))
        assert.deepStrictEqual(yield* Effect.promise(() => fs.readdir(others)), [
          path.basename(yield* homeOf(inside))
        ])
      })
  )
})

/** What a program says once it serves or fails, and whether it has seeded before. */
const answerOf = Effect.fnUntraced(function* ({ next }: Program) {
  const first = yield* next
  const seeding = first["seeding"] === true
  // What the program writes has these fields.
  return { seeding, ...(seeding ? yield* next : first) } as {
    readonly seeding: boolean
    readonly found: ReadonlyArray<string>
    readonly port: number
    readonly failed: string
  }
})

/** Runs an effect as the owner of the tables while the server of the folder runs. */
const withServer = <A, E>(dataDir: string, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(
    effect,
    Layer.fresh(Layer.provide(Sql.layerOwner, Embedded.layer().pipe(on(dataDir))))
  )
