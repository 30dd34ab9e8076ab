import { DocumentRenderer } from "@quittance/documents/DocumentRenderer"
import * as Renderer from "@quittance/renderer/Renderer"
import { start } from "@quittance/renderer/RendererChild"
import { RendererLimits } from "@quittance/renderer/RendererLimits"
import { refused } from "@quittance/renderer/Layouts"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Layer } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import { model, template } from "./Scene.ts"

const mebibyte = 1024 * 1024
const usual = { time: 10_000, memory: 512 * mebibyte, memoryOfOne: 1024 * mebibyte, documents: 500 }

/** A renderer with layouts of an operator's, and with other limits. */
const withLayouts = (
  layouts: Readonly<Record<string, string>>,
  limits: Partial<typeof usual> = {}
) =>
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(path.join(tmpdir(), "quittance-layouts-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true }))
    )
    for (const [name, source] of Object.entries(layouts)) {
      writeFileSync(path.join(folder, `${name}.typ`), source)
    }
    return Renderer.layer.pipe(
      Layer.provide(Layer.succeed(RendererLimits, { ...usual, ...limits })),
      Layer.provide(
        ConfigProvider.layer(ConfigProvider.fromUnknown({ LAYOUTS_DIR: folder, RENDERERS: "1" }))
      )
    )
  })

const made = (layout: string) =>
  Effect.flatMap(DocumentRenderer, ({ render }) =>
    render({ template: { ...template, layout }, model, files: new Map() })
  )

/** Loops for longer than any limit. */
const endless = "for a in range(9000) { for b in range(9000) { for c in range(9000) {} } }"

const task = (layout: string) => ({
  layout: "own",
  layouts: [["own", layout]] as const,
  document: "{}",
  attachments: [],
  files: [],
  maxPages: 3
})

const dated =
  "set document(date: datetime(year: 2026, month: 3, day: 1, hour: 9, minute: 0, second: 0))"

describe("a renderer that fails", () => {
  it.live("by hanging is ended, tried again, and answered; the next document is made", () =>
    Effect.gen(function* () {
      const renderer = yield* withLayouts(
        { hangs: `#let layout(it) = { ${endless} }` },
        { time: 600 }
      )
      yield* Effect.gen(function* () {
        const failed = yield* Effect.flip(made("hangs"))
        assert.deepInclude(failed, { _tag: "RenderingFailed", reason: "TIMEOUT" })
        assert.strictEqual((yield* Effect.retry(made("letter"), { times: 5 })).pages, 1)
      }).pipe(Effect.provide(renderer))
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(process.platform !== "linux")(
    "by its memory is ended in the middle of the document",
    () =>
      Effect.gen(function* () {
        const renderer = yield* withLayouts(
          {
            grows: `#let layout(it) = { let much = "x" * 1000000; for n in range(8) { much += much }; ${endless}; much }`
          },
          { memoryOfOne: 260 * mebibyte }
        )
        const failed = yield* Effect.flip(made("grows")).pipe(Effect.provide(renderer))
        assert.deepInclude(failed, { _tag: "RenderingFailed", reason: "CRASHED" })
      }).pipe(Effect.scoped)
  )

  it.live("by a signal in the middle of a page is replaced, and the document is made", () =>
    Effect.gen(function* () {
      const { render } = yield* DocumentRenderer
      const wanted = Array.from({ length: 6 }, () => render({ template, model, files: new Map() }))
      const [first] = yield* Effect.all(wanted.slice(0, 1))
      for (let round = 0; round < 3; round++) {
        const making = yield* Effect.forkChild(Effect.all(wanted))
        for (const pid of yield* childrenOf) process.kill(pid, "SIGKILL")
        for (const { bytes } of yield* Fiber.join(making)) {
          assert.isTrue(Buffer.from(bytes).equals(first!.bytes))
        }
      }
    }).pipe(Effect.provide(Renderer.layer))
  )

  it.live("says that it was lost, and ends with its scope", () =>
    Effect.gen(function* () {
      const pid = yield* Effect.scoped(
        Effect.gen(function* () {
          const child = yield* start
          const asked = yield* Effect.forkChild(
            Effect.flip(child.ask(task(`#let layout(it) = { ${endless} }`)))
          )
          yield* Effect.yieldNow
          process.kill(child.pid, "SIGKILL")
          assert.deepInclude(yield* Fiber.join(asked), { _tag: "ChildLost", how: "CRASHED" })
          assert.isTrue(child.isGone())
          return child.pid
        })
      )
      assert.throws(() => process.kill(pid, 0), "ESRCH")
    })
  )

  it.live(
    "by a mistake of its layout, a warning or a missing glyph, answers with what was said",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const child = yield* start
          const answerTo = (body: string) =>
            Effect.map(
              child.ask(task(`#let layout(it) = { ${dated}; ${body} }`)),
              ({ answer }) => answer
            )
          for (const [body, words] of [
            ['panic("no such block")', "no such block"],
            ['text(font: "Comic Sans", fallback: false)[x]', "unknown font family"],
            ['text(font: "Noto Sans", fallback: false)[\u{6771}]', "could not be displayed"],
            ['read("/etc/passwd")', "file not found"],
            ['image("https://example.org/x.png")', ""]
          ] as const) {
            const answer = yield* answerTo(body)
            assert.strictEqual(answer.kind, "FAILED", body)
            assert.include(answer.kind === "FAILED" ? answer.diagnostics.join(" ") : "", words)
          }
          assert.deepStrictEqual(yield* answerTo("for n in range(4) { [x]; pagebreak() }"), {
            kind: "TOO_LONG"
          })
          assert.strictEqual(
            (yield* answerTo('text(font: "Noto Sans", fallback: false)[x]')).kind,
            "MADE"
          )
        })
      )
  )

  it.live("after so many documents is replaced by another process", () =>
    Effect.gen(function* () {
      const renderer = yield* withLayouts({}, { documents: 2 })
      yield* Effect.gen(function* () {
        const pids = new Set<number>()
        for (let count = 0; count < 5; count++) {
          yield* made("letter")
          for (const pid of yield* childrenOf) pids.add(pid)
        }
        assert.isAtLeast(pids.size, 2)
      }).pipe(Effect.provide(renderer))
    }).pipe(Effect.scoped)
  )
})

describe("a layout of the operator's", () => {
  it.for([
    '#eval("1")',
    '#let x = read("/etc/passwd")',
    '#plugin("x.wasm")',
    "#sys.inputs",
    "#datetime.today()",
    '#import "@preview/tablex:0.0.8": *',
    '#include "../other.typ"',
    '#json.decode(read("x"))'
  ])("may not say %s", (source) => {
    assert.isDefined(refused(source))
  })

  it("may say the same in a comment", () => {
    assert.isUndefined(refused("// datetime.today() is the clock\n#let layout(it) = []"))
  })

  it.effect("that does what none may do stops the program that would use it", () =>
    Effect.gen(function* () {
      const renderer = yield* withLayouts({ late: "#let layout(it) = datetime.today()" })
      const failed = yield* Effect.flip(Effect.scoped(Layer.build(renderer)))
      assert.deepInclude(failed, { _tag: "LayoutRefused", found: "today" })
    }).pipe(Effect.scoped)
  )
})

/** The renderers that this process has started, as Linux and macOS tell. */
const childrenOf = Effect.promise(async () => {
  const { execFile } = await import("node:child_process")
  return new Promise<ReadonlyArray<number>>((resolve) => {
    execFile("ps", ["-A", "-o", "pid=,ppid=,args="], (_, out) => {
      resolve(
        out
          .split("\n")
          .map((row) => row.trim().split(/\s+/u))
          .filter(
            ([, parent, ...args]) =>
              Number(parent) === process.pid && args.join(" ").includes("RenderProcess")
          )
          .map(([pid]) => Number(pid))
      )
    })
  })
})
