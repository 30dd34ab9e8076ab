/** `quittance documents` and `quittance product check --documents`, as people type them. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Console, Effect, Exit } from "effect"
import { CliError } from "effect/cli"
import { createHash } from "node:crypto"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll } from "vitest"
import { runQuittance } from "../src/QuittanceCommand.ts"

const bicycle = new URL("../../../products/bicycle-it.json", import.meta.url).pathname
const folder = mkdtempSync(join(tmpdir(), "quittance-documents-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** What a line prints, and the sentence that it fails with; `undefined` where it does not. */
const run = Effect.fnUntraced(function* (...line: ReadonlyArray<string>) {
  const lines: Array<string> = []
  const heard = { ...console, log: (text: string) => void lines.push(text), error: () => undefined }
  const exit = yield* runQuittance("0", line).pipe(
    Effect.provide(NodeServices.layer),
    Effect.provideService(Console.Console, heard),
    Effect.flip,
    Effect.exit
  )
  const failure = Exit.isSuccess(exit) ? exit.value : undefined
  const sentence = failure instanceof CliError.UserError ? failure.userMessage : ""
  return { failed: failure !== undefined, sentence, stdout: lines.join("\n") }
})

const previewed = (template: string) =>
  run("documents", "preview", bicycle, "--template", template, "--out", folder)

describe("quittance documents", () => {
  it.live("makes a template's example, verifies it, and finds one that was changed", () =>
    Effect.gen(function* () {
      const { failed, stdout } = yield* previewed("invoice-it")
      assert.isFalse(failed)
      assert.match(stdout, /^1 document of bicycle-it in /u)
      const file = join(folder, "bicycle-it-INVOICE.pdf")
      const verified = yield* run("documents", "verify", file)
      assert.match(verified.stdout, /made again, the same bytes \(layout\/\d+ typst\//u)
      assert.isFalse(verified.failed)

      const changed = join(folder, "changed.pdf")
      const text = readFileSync(file, "latin1")
      writeFileSync(changed, text.replace("/Title (Avviso", "/Title (Avvito"), "latin1")
      const found = yield* run("documents", "verify", file, changed)
      assert.isTrue(found.failed)
      assert.match(
        found.stdout,
        /changed\.pdf: NOT what its data makes: byte \d+ differs, in its title/u
      )
    })
  )

  it.live("goes by the hash where a file can't be made again", () =>
    Effect.gen(function* () {
      const file = join(folder, "other.pdf")
      writeFileSync(file, "%PDF-1.7\n%%EOF")
      const sha256 = createHash("sha256").update(readFileSync(file)).digest("hex")
      const alone = yield* run("documents", "verify", file)
      assert.isTrue(alone.failed)
      assert.include(alone.stdout, "NOT verified: it carries no data of a document")
      const told = yield* run("documents", "verify", file, "--sha256", sha256)
      assert.isFalse(told.failed)
      assert.include(told.stdout, "the SHA-256 is as said")
    })
  )

  it.live("says in a sentence what is not there", () =>
    Effect.gen(function* () {
      const { failed, sentence } = yield* previewed("poster-it")
      assert.isTrue(failed)
      assert.include(
        sentence,
        "bicycle-it has no document of poster-it; name one of its templates."
      )
    })
  )
})

describe("quittance product check --documents", () => {
  it.live("leaves every document of the product's examples", () =>
    Effect.gen(function* () {
      const all = join(folder, "all")
      const { failed, stdout } = yield* run("product", "check", bicycle, "--documents", all)
      assert.isFalse(failed)
      assert.include(stdout, `11 documents of bicycle-it in ${all}`)
      assert.strictEqual(readdirSync(all).length, 11)
      assert.include(readdirSync(all), "bicycle-it-CONTRACT.pdf")
    })
  )
})
