// `check:package` of a publishable package, run in its folder after its build: is what would be
// published whole (publint) and do its types resolve as its code does (attw)?
//
// attw can't expand an export pattern such as "./*", so it is told the files behind it.
import { spawnSync } from "node:child_process"
import { globSync } from "node:fs"

const run = (command: string, args: ReadonlyArray<string>) => {
  const { status } = spawnSync(command, args, {
    stdio: "inherit",
    shell: process.platform === "win32"
  })
  if (status !== 0) process.exit(status ?? 1)
}

const entrypoints = globSync("**/*.d.ts", { cwd: "dist" })
  .map((file) => file.slice(0, -".d.ts".length).replaceAll("\\", "/"))
  .sort()
if (entrypoints.length === 0) {
  console.error("There is nothing in dist: run the build first.")
  process.exit(1)
}

run("publint", ["--strict"])
run("attw", [
  "--pack",
  ".",
  "--profile",
  "esm-only",
  "--quiet",
  "--format",
  "ascii",
  "--entrypoints",
  ...entrypoints
])
