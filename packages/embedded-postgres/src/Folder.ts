/**
 * Folders that appear whole or not at all: they are made under a passing name and then renamed, so
 * neither a killed process nor a full disk nor two processes at once leave a half one.
 */
import { Clock, Duration, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { constants, existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { attempt } from "./EmbeddedError.ts"

/** How the passing names begin, so that what a kill leaves behind is recognised. */
const partialPrefix = ".quittance-partial-"

/** Makes the folder with `make` unless it is there; where another process was faster, its one stays. */
export const publish = Effect.fn("Folder.publish")(function* <E, R>(
  target: string,
  make: (partial: string) => Effect.Effect<void, E, R>
) {
  if (existsSync(target)) return
  const parent = path.dirname(target)
  const partial = path.join(parent, `${partialPrefix}${randomUUID()}`)
  yield* attempt(`Can't create ${partial}`, () => fs.mkdir(partial, { recursive: true }))
  yield* make(partial).pipe(
    Effect.andThen(rename(partial, target)),
    Effect.ensuring(remove(partial)),
    Effect.ensuring(removeOld(parent, partialPrefix, Duration.hours(1)))
  )
})

/** Removes the folders whose name begins so, and that have been unused for that long. */
export const removeOld = Effect.fn("Folder.removeOld")(
  function* (parent: string, prefix: string, age: Duration.Duration) {
    const before = (yield* Clock.currentTimeMillis) - Duration.toMillis(age)
    const names = yield* attempt(`Can't list ${parent}`, () => fs.readdir(parent))
    for (const name of names.filter((name) => name.startsWith(prefix))) {
      const folder = path.join(parent, name)
      const { mtimeMs } = yield* attempt(`Can't read ${folder}`, () => fs.stat(folder))
      if (mtimeMs < before) yield* remove(folder)
    }
  },
  (effect) => Effect.ignore(effect)
)

const rename = (partial: string, target: string) =>
  attempt(`Can't create ${target}`, () =>
    fs.rename(partial, target).catch((error: unknown) => {
      if (!existsSync(target)) throw error
    })
  )

/**
 * Copies a folder's contents; where the file system can share blocks, it does. Symbolic links stay as
 * they are written, so that a link to a neighbour leads to the neighbour's copy.
 */
export const copy = (from: string, to: string) =>
  attempt(`Can't copy ${from} to ${to}`, () =>
    fs.cp(from, to, {
      recursive: true,
      mode: constants.COPYFILE_FICLONE,
      verbatimSymlinks: true
    })
  )

/** Gives a folder and all in it to a user. */
export const giveTo = (owner: { readonly uid: number; readonly gid: number }, folder: string) =>
  attempt(`Can't give ${folder} to the user of PostgreSQL`, async () => {
    await fs.chown(folder, owner.uid, owner.gid)
    for (const entry of await fs.readdir(folder, { recursive: true })) {
      await fs.lchown(path.join(folder, entry), owner.uid, owner.gid)
    }
  })

/** Removes a folder as far as it can. */
export const remove = (folder: string) =>
  Effect.ignore(
    attempt(`Can't remove ${folder}`, () => fs.rm(folder, { recursive: true, force: true }))
  )
