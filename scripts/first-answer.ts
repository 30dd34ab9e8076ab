// `pnpm first-answer`: how long a newcomer waits for the sandbox's first answer, from the start of the
// process on: on new folders, which are copies of the template, and on one that is there already.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "../packages/embedded-postgres/src/FreePort.ts"

if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
  process.stdout.write(
    "pnpm first-answer\n\nStarts the sandbox some times on loopback, and says how long its first answer takes.\n"
  )
  process.exit(0)
}

const starts = 5

/** Milliseconds until the server is ready; it is stopped again. */
const measure = async (folder: string) => {
  const port = await freePort()
  const began = performance.now()
  const main = join(import.meta.dirname, "../apps/standalone/src/main.ts")
  const child = spawn(process.execPath, ["--conditions=@quittance/source", main], {
    env: { ...process.env, PORT: String(port), DATA_DIR: folder },
    stdio: ["ignore", "ignore", "inherit"]
  })
  const ended = once(child, "close")
  for (;;) {
    if (child.exitCode !== null) throw new Error("The sandbox did not start.")
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined)
    if (answer?.status === 200) break
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const milliseconds = Math.round(performance.now() - began)
  child.kill("SIGTERM")
  await ended
  return milliseconds
}

const folders = mkdtempSync(join(tmpdir(), "quittance-first-answer-"))
try {
  const first = await measure(join(folders, "warm-up"))
  console.log(`the first, which may have a template to make: ${first} ms`)
  for (const kind of ["new folder", "same folder"]) {
    const times: Array<number> = []
    for (let index = 0; index < starts; index++) {
      times.push(await measure(join(folders, kind === "new folder" ? `new-${index}` : "warm-up")))
    }
    console.log(`${kind}: ${times.sort((a, b) => a - b).join(", ")} ms`)
  }
} finally {
  rmSync(folders, { recursive: true, force: true })
}
