/** The copy of the repository on which a release is tried, and how programs are run there. */
import { execFileSync, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export const root = path.join(import.meta.dirname, "..")

/** Ends the trial. */
export const fail = (what: string): never => {
  throw new Error(what)
}

/** Runs a program to its end; what it says is shown where it fails. */
export const run = (
  cwd: string,
  program: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): string => {
  const { error, signal, status, stderr, stdout } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
    timeout: 300_000
  })
  if (error === undefined && status === 0) return stdout
  const said = [stdout, stderr, error?.message, signal].filter(Boolean).join("\n")
  return fail(`${program} ${args.join(" ")} ended with ${status}:\n${said}`)
}

export const manifestOf = (folder: string): Manifest =>
  JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"))

/** The folders of the packages that are published, below a root. */
export const publishedIn = (home: string): ReadonlyArray<string> =>
  fs
    .globSync("packages/*/package.json", { cwd: home })
    .map((file) => path.join(home, path.dirname(file)))
    .filter((folder) => manifestOf(folder).private !== true)
    .sort()

/** The files that git keeps or would keep, and what was built; packages find each other as in the original. */
export const copyTo = (copy: string) => {
  const files = execFileSync("git", ["ls-files", "-z", "-co", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8"
  })
  for (const file of files.split("\0")) {
    if (file === "" || !fs.existsSync(path.join(root, file))) continue
    fs.mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
    fs.copyFileSync(path.join(root, file), path.join(copy, file))
  }
  for (const folder of publishedIn(root)) {
    const dist = path.join(folder, "dist")
    if (!fs.existsSync(dist)) fail(`${folder} is not built: run pnpm build first.`)
    fs.cpSync(dist, path.join(copy, path.relative(root, dist)), { recursive: true })
  }
  fs.symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"))
  for (const file of fs.globSync("{packages,apps}/*/package.json", { cwd: copy })) {
    const folder = path.join(copy, path.dirname(file))
    const { dependencies, devDependencies } = manifestOf(folder)
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      if (!name.startsWith("@quittance/")) continue
      const link = path.join(folder, "node_modules", name)
      const home = fs.existsSync(path.join(copy, "packages", path.basename(name)))
        ? "packages"
        : "apps"
      fs.mkdirSync(path.dirname(link), { recursive: true })
      fs.symlinkSync(path.join(copy, home, path.basename(name)), link)
    }
  }
  const git = (...args: ReadonlyArray<string>) =>
    run(copy, "git", ["-c", "user.name=release", "-c", "user.email=release@example.test", ...args])
  git("init", "--quiet", "--initial-branch=main")
  git("add", "--all")
  git("commit", "--quiet", "--message=Begin")
  return git
}
