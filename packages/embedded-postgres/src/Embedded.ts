/**
 * The database of those who have none: a real PostgreSQL in a folder, started with the program and
 * stopped with it.
 */
import { Config, Effect, Layer } from "effect"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { Database } from "@quittance/persistence/sql/Database"
import * as Binaries from "./Binaries.ts"
import { cacheFolder } from "./CacheFolder.ts"
import * as Cluster from "./Cluster.ts"
import { attempt, EmbeddedError } from "./EmbeddedError.ts"
import { place } from "./Placement.ts"
import * as Server from "./Server.ts"
import * as Template from "./Template.ts"
import { makeFolder } from "@quittance/persistence/MakeFolder"
import * as Migrate from "@quittance/persistence/sql/Migrate"
import * as Sql from "@quittance/persistence/sql/Sql"

/**
 * PostgreSQL on the folder `DATA_DIR` (default `.data`), listening on a free port of 127.0.0.1.
 *
 * A new folder starts as a copy of a migrated and seeded template, which is made once per machine
 * and kept in `CACHE_DIR`; an old folder is migrated. When the scope closes the server stops; one
 * that a killed process has left running is taken over. Fails when another process holds the folder,
 * and with a request for `DATABASE_URL` where the programs do not run.
 */
export const layer = <E = never, R = never>(seed: Template.Seed<E, R> = Template.noSeed) =>
  Layer.effect(
    Database,
    Effect.gen(function* () {
      const link = yield* homeFolder
      const cache = yield* cacheFolder
      const identity = yield* Binaries.identityFor(Cluster.dataFolder(link))
      const binaries = yield* Binaries.find(cache, identity)
      if (!existsSync(link)) {
        const template = yield* Template.prepare(binaries, cache, seed)
        yield* makeFolder(path.dirname(link), "DATA_DIR")
        yield* place(binaries, template, link)
      }
      const home = yield* attempt(`Can't find ${link}`, () => fs.realpath(link))
      yield* sameRelease(binaries, home)
      const server = yield* Server.own(binaries, home)
      const database = Cluster.addresses(server)
      yield* Effect.provide(
        Migrate.run,
        Layer.provide(Sql.layerOwner, Layer.succeed(Database, database))
      )
      return database
    })
  )

/** The database of a server that runs on `DATA_DIR` already, for a command beside the program. */
export const layerAttached = Layer.effect(
  Database,
  Effect.gen(function* () {
    const link = yield* homeFolder
    const home = yield* attempt(`Can't find ${link}`, () => fs.realpath(link))
    return Cluster.addresses(yield* Server.attach(home))
  })
)

const homeFolder = Effect.gen(function* () {
  const folder = yield* Config.String("DATA_DIR").pipe(Config.withDefault(".data"))
  return path.join(path.resolve(folder), "postgresql")
})

/** The files of one major release of PostgreSQL are of no use to another. */
const sameRelease = Effect.fnUntraced(function* ({ version }: Binaries.Binaries, home: string) {
  const file = path.join(Cluster.dataFolder(home), "PG_VERSION")
  const found = yield* attempt(`Can't read ${file}`, () => fs.readFile(file, "utf8"))
  if (version.includes(`(PostgreSQL) ${found.trim()}.`)) return
  return yield* new EmbeddedError({
    problem:
      `${home} was written by PostgreSQL ${found.trim()}, this is ${version}. ` +
      "Name another folder in DATA_DIR, or move this one's data with pg_dump."
  })
})
