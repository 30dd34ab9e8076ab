/**
 * Migrated and seeded clusters, kept in the cache folder: a first start takes as long as a copy. A
 * template is named by what it was made of, so a stale one is never used.
 */
import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Database } from "@quittance/persistence/sql/Database"
import * as Migrate from "@quittance/persistence/sql/Migrate"
import { schemaDigest } from "@quittance/persistence/sql/SchemaDigest"
import * as Sql from "@quittance/persistence/sql/Sql"
import type { Binaries, Identity } from "./Binaries.ts"
import * as Cluster from "./Cluster.ts"
import { attempt } from "./EmbeddedError.ts"
import * as Folder from "./Folder.ts"
import * as Server from "./Server.ts"

/** What a new database is filled with. Another version makes another template. */
export interface Seed<E, R> {
  readonly version: string
  readonly run: Effect.Effect<void, E, R | Database>
}

export const noSeed: Seed<never, never> = { version: "none", run: Effect.void }

const prefix = "template-"

/** The folder of the template of this seed, made first where it is missing. */
export const prepare = Effect.fn("Template.prepare")(function* <E, R>(
  binaries: Binaries,
  cache: string,
  seed: Seed<E, R>
) {
  const folder = path.join(cache, prefix + (yield* key(binaries, seed)))
  if (!existsSync(folder)) {
    yield* alone(
      folder,
      Folder.publish(folder, (partial) => build(binaries, partial, seed))
    )
    yield* Folder.removeOld(cache, prefix, Duration.days(1))
  }
  // A template that is in use is not an old one.
  const now = (yield* Clock.currentTimeMillis) / 1000
  yield* Effect.ignore(attempt("Can't touch the template", () => fs.utimes(folder, now, now)))
  return folder
})

/** Makes a cluster of its own from a template. */
export const copy = Effect.fn("Template.copy")(function* (
  template: string,
  home: string,
  identity: Identity
) {
  yield* Folder.copy(template, home)
  yield* Cluster.handOver(home, identity)
})

const build = Effect.fnUntraced(function* <E, R>(
  binaries: Binaries,
  home: string,
  seed: Seed<E, R>
) {
  yield* Cluster.initialise(binaries, home)
  yield* Effect.scoped(
    Effect.gen(function* () {
      const server = yield* Server.passing(binaries, home)
      yield* Cluster.createDatabase(server)
      const database = Layer.succeed(Database, Cluster.addresses(server))
      yield* Effect.provide(Migrate.run, Layer.provide(Sql.layerOwner, database))
      yield* Effect.provide(seed.run, database)
    })
  )
  yield* Folder.remove(path.join(home, "server.log"))
})

/** Everything that decides what a template holds: the programs, the cluster, the schema, the seed. */
const key = Effect.fnUntraced(function* <E, R>({ version }: Binaries, seed: Seed<E, R>) {
  const cluster = path.join(import.meta.dirname, `Cluster${path.extname(import.meta.filename)}`)
  return yield* attempt("Can't read the migrations", async () =>
    createHash("sha256")
      .update([version, seed.version, await schemaDigest(), ""].join("\0"))
      .update(await fs.readFile(cluster))
      .digest("hex")
      .slice(0, 24)
  )
})

/**
 * Lets one process make the template while others wait for it. Only to save their work: if the
 * owner of the lock dies, or two pass at once, `Folder.publish` still keeps one whole template.
 */
const alone = <E, R>(folder: string, make: Effect.Effect<void, E, R>) => {
  const lock = `${folder}.lock`
  const take = attempt("Locked", () => fs.writeFile(lock, `${process.pid}`, { flag: "wx" }))
  const released = attempt("Unlocked", () => fs.readFile(lock, "utf8")).pipe(
    Effect.map((pid) => existsSync(folder) || !isAlive(Number(pid))),
    Effect.orElseSucceed(() => true)
  )
  const wait = released.pipe(
    Effect.repeat({
      until: (done) => done,
      schedule: Schedule.spaced("20 millis"),
      times: 3000
    })
  )
  return take.pipe(
    Effect.catch(() => wait),
    Effect.andThen(make),
    Effect.ensuring(Folder.remove(lock))
  )
}

/** Also a process that we may not signal is alive. */
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
