/** The release before this one, as a checkout of its own with its own dependencies. */
import { execFileSync } from "node:child_process"
import * as fs from "node:fs/promises"
import * as path from "node:path"
import { folder } from "./Program.ts"
import { root } from "./Sources.ts"

const git = (...args: ReadonlyArray<string>) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })

/** The last migration of the opening schema. */
const opening = "packages/persistence/src/migrations/0024_create_worker.ts"

/**
 * The commit of the release before: that of the last tag `v*`. Until there is one, the first whose schema is
 * today's opening one: no database of an earlier one is migrated. In a shallow clone, or in one commit of
 * everything, that may be this tree itself.
 */
export const releaseBefore = (): string => {
  const tags = git("tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname")
  const [tag] = tags.split("\n")
  if (tag !== undefined && tag !== "") return tag
  const [commit] = git("log", "--diff-filter=A", "--format=%H", "--", opening).split("\n")
  if (commit === undefined || commit === "") throw new Error(`No commit has added ${opening}.`)
  return commit
}

/** The folder of its checkout, which is gone when the test is. */
export const checkout = async (commit: string): Promise<string> => {
  const made = await folder()
  const archive = path.join(made, "release.tar")
  const home = path.join(made, "release")
  git("archive", "--output", archive, commit)
  await fs.mkdir(home)
  execFileSync("tar", ["-xf", archive, "-C", home])
  try {
    // What it needs is in the local store of packages.
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
