import { WrongSetting } from "@quittance/domain/values/Settings"
import { Effect } from "effect"
import * as fs from "node:fs/promises"
import * as path from "node:path"

/**
 * Makes a folder that a variable names, with those above it. Fails where none can be made; Node's own
 * `recursive` never ends on file systems that answer as `/proc` does.
 */
export const makeFolder = (folder: string, variable: string, mode = 0o777) =>
  Effect.tryPromise({
    try: () => make(path.resolve(folder), mode),
    catch: () =>
      new WrongSetting({
        variable,
        takes: `a folder that can be made and written to, not ${folder}`
      })
  }).pipe(Effect.withSpan("MakeFolder.makeFolder"))

/** The same for an absolute path, as a promise. */
export const make = async (folder: string, mode: number): Promise<void> => {
  if (!(await isFolder(folder))) {
    const parent = path.dirname(folder)
    if (parent !== folder) await make(parent, mode)
    await fs.mkdir(folder, { mode }).catch(async (error: unknown) => {
      // Another process may have been faster.
      if (!(await isFolder(folder))) throw error
    })
  }
}

const isFolder = (folder: string): Promise<boolean> =>
  fs.stat(folder).then(
    (found) => found.isDirectory(),
    () => false
  )
