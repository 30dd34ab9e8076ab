/** The code of README and docs: TypeScript compiles, and commands name what there is. */
import { assert, describe, it } from "@effect/vitest"
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { type CodeBlock, codeBlocks, programOf } from "../scripts/CodeBlocks.ts"
import { glob, read, root } from "./Sources.ts"

const pages = ["README.md", ...glob("docs/*.md"), ...glob("{packages,apps}/*/README.md")]

const blocks = (language: string): ReadonlyArray<CodeBlock> =>
  pages.flatMap((page) =>
    codeBlocks(path.join(root, page))
      .filter((block) => block.language === language)
      .map((block) => ({ ...block, file: page }))
  )

const place = ({ file, line }: CodeBlock): string => `${file}:${line}`

/** Where a block is compiled: in its own package, whose dependencies are all that it may import. */
const homeOf = (page: string): string =>
  page.startsWith("packages/") || page.startsWith("apps/") ? path.posix.dirname(page) : "test"

/** What the compiler says of modules, each in a folder of its home. */
const compile = (modules: ReadonlyArray<{ readonly home: string; readonly text: string }>) => {
  const folder = path.join(root, "test/reports/blocks")
  const homes = [...new Set(modules.map(({ home }) => home))]
  const folderOf = (home: string) => path.join(root, home, "reports/blocks")
  try {
    const files = modules.map(({ home, text }, index) => {
      mkdirSync(folderOf(home), { recursive: true })
      const file = path.join(folderOf(home), `block-${index}.ts`)
      writeFileSync(file, text)
      return file
    })
    mkdirSync(folder, { recursive: true })
    const config = path.join(folder, "tsconfig.json")
    const compilerOptions = {
      noUnusedLocals: false,
      typeRoots: [path.join(root, "node_modules/@types")]
    }
    const extending = path.join(root, "tsconfig.base.json")
    writeFileSync(
      config,
      JSON.stringify({ extends: extending, compilerOptions, files, include: [] })
    )
    const { status, stdout } = spawnSync("tsc", ["--project", config, "--pretty", "false"], {
      cwd: root,
      encoding: "utf8"
    })
    assert.isNotNull(status)
    return stdout.trim()
  } finally {
    for (const home of ["test", ...homes]) {
      rmSync(folderOf(home), { recursive: true, force: true })
    }
  }
}

describe("the TypeScript of README and docs", () => {
  it("is found, compiles, and is caught where it does not", () => {
    const found = blocks("ts")
    const files = found.map(({ file }) => file)
    assert.includeMembers(files, ["README.md", "packages/domain/README.md"])
    const modules = found.map((block) => ({ home: homeOf(block.file), text: programOf(block) }))
    const text = 'import { nothing } from "@quittance/contract/api/Client"\nnothing()\n'
    // In one run of the compiler, which is slow: one that does not compile, and it alone.
    const said = compile([...modules, { home: "test", text }])
    assert.match(said, /has no exported member/u)
    const others = said
      .split("\n")
      .filter((line) => line !== "" && !line.includes(`block-${modules.length}.ts(`))
    assert.deepStrictEqual(others, [], found.map(place).join(", "))
  })
})

const scripts: Readonly<Record<string, string>> = JSON.parse(read("package.json")).scripts

/** The commands of a block, one a line, without their comments. */
const commandsOf = ({ code }: CodeBlock): ReadonlyArray<string> =>
  code
    .replaceAll("\\\n", " ")
    .split("\n")
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "")

/** What pnpm is asked to run in a command: the words after it. */
const pnpmCalls = (command: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...command.matchAll(/(?:npx -y pnpm@\d+|\bpnpm) ([^|)&;]+)/g)].map(([, words]) =>
    words!.trim().split(/\s+/)
  )

const cliScripts = new Set(
  Object.keys(scripts).filter((name) => /pnpm --silent quittance/.test(scripts[name]!))
)

/** The script that a call of pnpm runs, and the words after it. */
const scriptOf = (words: ReadonlyArray<string>) => {
  const [first, second, ...others] = words
  if (first === "--filter") {
    const home = glob("{packages,apps}/*/package.json").find(
      (file) => JSON.parse(read(file)).name === second
    )
    const own = home === undefined ? {} : JSON.parse(read(home)).scripts
    return Object.hasOwn(own, others[0] ?? "") ? "start" : undefined
  }
  const name = first === "run" ? second : first
  return name !== undefined && (name in scripts || name === "install") ? name : undefined
}

/** What commands say with `--help`, all in one process: to start one takes seconds. */
const helpOf = (commands: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const program = `
    import * as NodeServices from "@effect/platform-node/NodeServices"
    import { Console, Effect } from "effect"
    import { runQuittance } from "./src/QuittanceCommand.ts"
    const help = (command) => runQuittance("0", [...command.split(" "), "--help"])
    const all = Effect.forEach(${JSON.stringify(commands)}, (command) =>
      Effect.andThen(help(command), Console.log("${endOfHelp}")))
    await Effect.runPromise(Effect.provide(all, NodeServices.layer))`
  const said = execFileSync(
    process.execPath,
    ["--conditions=@quittance/source", "--input-type=module", "--eval", program],
    { cwd: path.join(root, "apps/cli"), encoding: "utf8" }
  ).split(endOfHelp)
  return new Map(commands.map((command, index) => [command, said[index]!]))
}

const endOfHelp = "---- the end of a help ----"

describe("the commands of README and docs", () => {
  it("are the shell's", () => {
    const wrong = blocks("sh").filter(
      ({ code }) => spawnSync("bash", ["-n"], { input: code }).status !== 0
    )
    assert.deepStrictEqual(wrong.map(place), [])
    assert.isAbove(blocks("sh").length, 10)
  })

  it("run scripts that there are", () => {
    const wrong = blocks("sh").flatMap((block) =>
      commandsOf(block)
        .flatMap(pnpmCalls)
        .filter((words) => scriptOf(words) === undefined)
        .map((words) => `${place(block)}: pnpm ${words.join(" ")}`)
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("give the command line options that it has", () => {
    const calls = blocks("sh").flatMap((block) =>
      commandsOf(block)
        .flatMap(pnpmCalls)
        .filter((words) => cliScripts.has(scriptOf(words) ?? ""))
        .map((words) => ({ block, words: words[0] === "run" ? words.slice(1) : words }))
    )
    assert.isAbove(calls.length, 10)
    const named = (words: ReadonlyArray<string>) => {
      const first = words.findIndex((word) => !/^[a-z][a-z-]*$/.test(word))
      return words.slice(0, first === -1 ? undefined : first).join(" ")
    }
    const help = helpOf([...new Set(calls.map(({ words }) => named(words)))])
    const wrong = calls.flatMap(({ block, words }) => {
      const key = named(words)
      const text = help.get(key)!
      return words
        .filter((word) => word.startsWith("--") && !text.includes(word.split("=")[0]!))
        .map((word) => `${place(block)}: ${key} has no ${word}`)
    })
    assert.deepStrictEqual(wrong, [])
  })

  it("build images that there are", () => {
    const images = [...read("Dockerfile").matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name)
    const named = pages.flatMap((page) =>
      [...read(page).matchAll(/--build-arg APP=([a-z-]+)/g)].map(([, app]) => app!)
    )
    assert.isNotEmpty(named)
    assert.includeMembers(images, named)
    assert.isTrue(existsSync(path.join(root, "compose.yaml")))
  })
})
