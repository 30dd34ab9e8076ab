/**
 * Folders that appear whole or not at all: they are made under a passing name and then renamed, so
 * neither a killed process nor a full disk nor two processes at once leave a half one.
 */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { constants, existsSync } from "node:fs"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { attempt, type EmbeddedError } from "./EmbeddedError.ts"

/** The names under which folders are made, so that what a kill leaves behind is recognised. */
export const partialPrefix = "partial-"

/** Makes the folder with `make` unless it is there; where another process was faster, its one stays. */
export const publish = <E, R>(
  target: string,
  make: (partial: string) => Effect.Effect<void, E, R>
): Effect.Effect<void, E | EmbeddedError, R> =>
  Effect.suspend(() => {
    if (existsSync(target)) return Effect.void
    const partial = path.join(path.dirname(target), `${partialPrefix}${randomUUID()}`)
    return attempt(`Can't create ${partial}`, () => fs.mkdir(partial, { recursive: true })).pipe(
      Effect.andThen(make(partial)),
      Effect.andThen(rename(partial, target)),
      Effect.onExit(() => remove(partial))
    )
  })

const rename = (partial: string, target: string) =>
  attempt(`Can't create ${target}`, () =>
    fs.rename(partial, target).catch((error: unknown) => {
      if (!existsSync(target)) throw error
    })
  )

/** Copies a folder's contents; where the file system can share blocks, it does. */
export const copy = (from: string, to: string) =>
  attempt(`Can't copy ${from} to ${to}`, () =>
    fs.cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE })
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
