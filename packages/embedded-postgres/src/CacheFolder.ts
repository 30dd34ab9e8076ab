/** Where templates and copied programs are kept between runs: a folder that no other user can write. */
import { Config, Effect, Option } from "effect"
import * as fs from "node:fs/promises"
import * as os from "node:os"
import * as path from "node:path"
import { make } from "@quittance/persistence/MakeFolder"
import { attempt, EmbeddedError } from "./EmbeddedError.ts"

/** `CACHE_DIR`, else the system's folder for caches, else one in the folder for temporary files. */
export const cacheFolder = Effect.gen(function* () {
  const configured = yield* Config.option(Config.String("CACHE_DIR"))
  const candidates = Option.isSome(configured)
    ? [path.resolve(configured.value)]
    : [
        isRoot ? "/var/cache/quittance" : path.join(userCaches(), "quittance"),
        path.join(os.tmpdir(), `quittance-${process.getuid?.() ?? "cache"}`)
      ]
  return yield* Effect.firstSuccessOf(candidates.map(usable))
}).pipe(Effect.withSpan("CacheFolder.cacheFolder"))

const isRoot = process.getuid?.() === 0

const userCaches = () => {
  switch (process.platform) {
    case "darwin":
      return path.join(os.homedir(), "Library/Caches")
    case "win32":
      return path.join(os.homedir(), "AppData/Local")
    default:
      return path.join(os.homedir(), ".cache")
  }
}

/** Programs are started from this folder, so a folder that others may write is refused. */
const usable = (folder: string) =>
  attempt(`Can't use ${folder} as cache`, async () => {
    await make(folder, 0o755)
    const { uid } = await fs.stat(folder)
    if (process.getuid !== undefined && uid !== process.getuid()) throw new Error("not our folder")
    // Root starts the programs in it as another user, who must be able to enter.
    await fs.chmod(folder, isRoot ? 0o755 : 0o700)
    await fs.access(folder, fs.constants.W_OK)
  }).pipe(
    Effect.mapError(
      (error) =>
        new EmbeddedError({ problem: `${error.problem}. Name another folder in CACHE_DIR.` })
    ),
    Effect.as(folder)
  )
