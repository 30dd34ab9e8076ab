/** The release before this one, as a checkout of its own with its own dependencies. */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { folder } from "./Program.ts"
import { root } from "./Sources.ts"

/** What `release-before.json` says. */
export interface ReleaseBefore {
  /** The whole name of its commit. */
  readonly commit: string
  /** Whether its readiness takes migrations that it does not know; the first one did not. */
  readonly takesNewerSchema: boolean
}

export const releaseBefore = async (): Promise<ReleaseBefore> =>
  // The file beside this one, which the tests below read at once.
  JSON.parse(
    await fs.readFile(path.join(import.meta.dirname, "release-before.json"), "utf8")
  ) as ReleaseBefore

const git = (...args: ReadonlyArray<string>) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })

const holds = (commit: string): boolean => {
  try {
    git("cat-file", "-e", `${commit}^{commit}`)
    return true
  } catch {
    return false
  }
}

/**
 * The folder of the checkout, which is gone when the test is. `undefined` in a shallow clone, which need
 * not have the commit; fails where a whole clone lacks it.
 */
export const checkout = async ({ commit }: ReleaseBefore): Promise<string | undefined> => {
  if (!holds(commit)) {
    if (git("rev-parse", "--is-shallow-repository").trim() === "true") return undefined
    throw new Error(
      `This clone has no commit ${commit}. Fetch it, or name the release before in test/release-before.json.`
    )
  }
  const made = await folder()
  const archive = path.join(made, "release.tar")
  const home = path.join(made, "release")
  git("archive", "--output", archive, commit)
  await fs.mkdir(home)
  execFileSync("tar", ["-xf", archive, "-C", home])
  try {
    // What it needs is in the store of whoever installed it once.
    const install = ["install", "--frozen-lockfile", "--prefer-offline", "--ignore-scripts"]
    execFileSync("pnpm", install, { cwd: home, stdio: "pipe", encoding: "utf8" })
  } catch (error) {
    const said = error instanceof Error && "stdout" in error ? String(error.stdout) : String(error)
    throw new Error(`The dependencies of the release before could not be installed: ${said}`, {
      cause: error
    })
  }
  return home
}
