/** A PostgreSQL that is shut down and started again while others use it. */
import * as Binaries from "@quittance/embedded-postgres/Binaries"
import { cacheFolder } from "@quittance/embedded-postgres/CacheFolder"
import * as Cluster from "@quittance/embedded-postgres/Cluster"
import { attempt, type EmbeddedError } from "@quittance/embedded-postgres/EmbeddedError"
import * as Folder from "@quittance/embedded-postgres/Folder"
import { durable, launch, type Launched, type Mode } from "@quittance/embedded-postgres/Postmaster"
import * as Template from "@quittance/embedded-postgres/Template"
import { Effect, Schedule } from "effect"
import { randomUUID } from "node:crypto"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"

/** How a server ends: what it has committed it keeps either way. */
export type Shutdown = "fast" | "immediate"

export interface Shaken {
  /** The server as it is now: each start has another port. */
  readonly server: () => Cluster.Server
  /** Ends every session in the middle of whatever it does, and starts again. */
  readonly restart: (how: Shutdown) => Effect.Effect<void, EmbeddedError>
}

/** Keeps what was committed whatever process ends. Only a machine that loses power would need `fsync`. */
const mode: Mode = { settings: [...durable.settings, "fsync=off"], guarded: true }

/** Starts a server with the schema of the product; it and its folder go with the scope or this process. */
export const start = Effect.gen(function* () {
  const cache = yield* cacheFolder
  const identity = yield* Binaries.identityFor(cache)
  const binaries = yield* Binaries.find(cache, identity)
  const template = yield* Template.prepare(binaries, cache, Template.noSeed)
  const home = path.join(os.tmpdir(), `quittance-chaos-${randomUUID()}`)
  yield* Effect.acquireRelease(
    attempt(`Can't create ${home}`, async () => {
      await fs.mkdir(home)
      if (identity !== undefined) await fs.chown(home, identity.uid, identity.gid)
    }),
    () => Folder.remove(home)
  )
  yield* Template.copy(template, home, identity)
  const credentials = yield* Cluster.readCredentials(home)
  const begin = launch(binaries, home, mode).pipe(
    // The port was taken, or the server before it is not quite gone.
    Effect.retry({
      while: (error) => error._tag === "Busy",
      schedule: Schedule.spaced("100 millis"),
      times: 50
    }),
    Effect.catchTag("Busy", () => Effect.die(new Error(`${home} is in use.`)))
  )
  const end = (how: Shutdown, { release }: Launched) =>
    Effect.andThen(
      release,
      Binaries.execute(
        path.join(binaries.bin, "pg_ctl"),
        ["stop", `--pgdata=${Cluster.dataFolder(home)}`, `--mode=${how}`, "--wait", "--silent"],
        identity
      )
    )
  let running = yield* begin
  yield* Effect.addFinalizer(() => Effect.ignore(Effect.suspend(() => end("fast", running))))
  return {
    server: () => ({ credentials, port: running.port }),
    restart: Effect.fnUntraced(function* (how: Shutdown) {
      yield* end(how, running)
      running = yield* begin
    })
  } satisfies Shaken
})
