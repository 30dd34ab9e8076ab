/** What judges our files beside us: OpenSSL, and poppler-utils and qpdf where they are installed. */
import { execFileSync, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"

const has = (tool: string): boolean => spawnSync("which", [tool], { stdio: "ignore" }).status === 0

/** Whether none of these is missing. */
export const installed = (...tools: ReadonlyArray<string>): boolean => tools.every(has)

type Files = Readonly<Record<string, Uint8Array | string>>

/** Does something in a folder of its own with these files. */
export const inFolder = <A>(files: Files, use: (folder: string) => A): A => {
  const folder = mkdtempSync(path.join(tmpdir(), "quittance-seal-"))
  try {
    for (const [name, bytes] of Object.entries(files)) {
      writeFileSync(path.join(folder, name), bytes)
    }
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** What a command says in a folder with these files, errors too, and how it ended. */
export const judged = (files: Files, command: string) =>
  inFolder(files, (cwd) => {
    const [program, ...args] = command.split(" ") as [string, ...Array<string>]
    const { status, stderr, stdout } = spawnSync(program, args, { cwd, encoding: "utf8" })
    return { status, text: stdout + stderr }
  })

/** The bytes that a command writes, which may have words with spaces at its end; it fails when the command does. */
export const made = (files: Files, command: string, ...words: ReadonlyArray<string>): Buffer =>
  inFolder(files, (cwd) => {
    const [program, ...args] = [...command.split(" "), ...words] as [string, ...Array<string>]
    return execFileSync(program, args, { cwd, stdio: ["ignore", "pipe", "ignore"] })
  })
