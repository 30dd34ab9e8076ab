/**
 * Debian's chromium, driven by its own protocol: pages as people have them, as narrow as a telephone, light or
 * dark, without a mouse and without scripts.
 */
import axe from "axe-core"
import { Context, Effect, Layer } from "effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as path from "node:path"
import type { Readable, Writable } from "node:stream"

/** Whether chromium is there, which `.ci/run` installs. */
export const hasBrowser = spawnSync("which", ["chromium"], { stdio: "ignore" }).status === 0

type Params = Readonly<Record<string, unknown>>

interface Message {
  readonly id?: number
  readonly method?: string
  readonly sessionId?: string
  readonly params?: Params
  readonly result?: Params
  readonly error?: { readonly message: string }
}

/** One connection: texts of JSON, each with a zero behind it. */
const connect = (child: ChildProcess) => {
  // It was started with two pipes behind the three that all programs have.
  const [, , , written, read] = child.stdio as unknown as [null, null, null, Writable, Readable]
  const answers = new Map<number, (message: Message) => void>()
  const listeners = new Set<(message: Message) => void>()
  let rest = Buffer.alloc(0)
  let last = 0
  read.on("data", (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes])
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const message: Message = JSON.parse(rest.subarray(0, end).toString("utf8"))
      rest = rest.subarray(end + 1)
      if (message.id === undefined) for (const listen of listeners) listen(message)
      else answers.get(message.id)?.(message)
    }
  })
  const send = (method: string, params: Params = {}, sessionId?: string): Promise<Params> => {
    const id = (last += 1)
    written.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
    return new Promise((resolve, reject) => {
      answers.set(id, ({ error, result = {} }) => {
        answers.delete(id)
        if (error === undefined) resolve(result)
        else reject(new Error(`${method}: ${error.message}`))
      })
    })
  }
  const next = (method: string, sessionId: string): Promise<Params> =>
    new Promise((resolve) => {
      const listen = (message: Message) => {
        if (message.method !== method || message.sessionId !== sessionId) return
        listeners.delete(listen)
        resolve(message.params ?? {})
      }
      listeners.add(listen)
    })
  return { send, next }
}

const keys = {
  Tab: { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 },
  Enter: { key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r" }
}

/** What the browser says of a page: what axe finds, how wide it is, and what it looks like. */
export interface Judgement {
  readonly found: ReadonlyArray<string>
  readonly width: number
  readonly isDark: boolean
  readonly hasRun: boolean
}

/** A page in the browser, 320 pixels wide. */
export interface Tab {
  readonly go: (url: string) => Promise<void>
  readonly look: (isDark: boolean) => Promise<void>
  readonly judge: () => Promise<Judgement>
  /** What an expression comes to there. */
  readonly ask: (expression: string) => Promise<unknown>
  readonly press: (key: keyof typeof keys) => Promise<void>
  /** Presses a key that leads to another page, and waits for it. */
  readonly follow: (key: keyof typeof keys) => Promise<void>
  /** Presses a key that asks for a file, and gives this one. */
  readonly choose: (key: keyof typeof keys, file: string) => Promise<void>
}

const tabOf = async ({ next, send }: ReturnType<typeof connect>): Promise<Tab> => {
  const { targetId } = await send("Target.createTarget", { url: "about:blank" })
  const attached = await send("Target.attachToTarget", { targetId, flatten: true })
  const session = String(attached["sessionId"])
  const say = (method: string, params: Params = {}) => send(method, params, session)
  await say("Page.enable")
  await say("DOM.enable")
  await say("Emulation.setDeviceMetricsOverride", {
    width: 320,
    height: 640,
    deviceScaleFactor: 1,
    mobile: false
  })
  // As on a telephone, where they take no room.
  await say("Emulation.setScrollbarsHidden", { hidden: true })
  const scripts = (run: boolean) => say("Emulation.setScriptExecutionDisabled", { value: !run })
  await scripts(false)
  await say("Page.setInterceptFileChooserDialog", { enabled: true })
  const ask = async (expression: string) => {
    const { result } = await say("Runtime.evaluate", {
      expression,
      awaitPromise: true,
      returnByValue: true
    })
    // As the protocol has it where the value itself is asked for.
    return (result as { readonly value: unknown }).value
  }
  const press = async (key: keyof typeof keys) => {
    await say("Input.dispatchKeyEvent", { type: "keyDown", ...keys[key] })
    await say("Input.dispatchKeyEvent", { type: "keyUp", ...keys[key] })
  }
  const loaded = async (act: () => Promise<unknown>) => {
    const load = next("Page.loadEventFired", session)
    await act()
    await load
  }
  return {
    go: (url) => loaded(() => say("Page.navigate", { url })),
    look: async (isDark) => {
      const value = isDark ? "dark" : "light"
      const features = [{ name: "prefers-color-scheme", value }]
      await say("Emulation.setEmulatedMedia", { features })
    },
    judge: async () => {
      await scripts(true)
      const judgement =
        await ask(`${axe.source};axe.run(document).then(({ violations, passes }) => ({
        found: violations.map(({ id, nodes }) => id + " " + nodes.map(({ html }) => html)),
        width: document.documentElement.scrollWidth,
        isDark: matchMedia("(prefers-color-scheme: dark)").matches,
        hasRun: passes.length > 10
      }))`)
      await scripts(false)
      // As the expression has it.
      return judgement as Judgement
    },
    ask,
    press,
    follow: (key) => loaded(() => press(key)),
    choose: async (key, file) => {
      const asked = next("Page.fileChooserOpened", session)
      await press(key)
      const { backendNodeId } = await asked
      await say("DOM.setFileInputFiles", { files: [file], backendNodeId })
    }
  }
}

/** One browser for a file of tests. */
export class RealBrowser extends Context.Service<
  RealBrowser,
  { readonly tab: Effect.Effect<Tab> }
>()("@quittance/public-api/test/RealBrowser") {
  static readonly layer = Layer.effect(
    RealBrowser,
    Effect.gen(function* () {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(path.join(tmpdir(), "quittance-browser-"))),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
      )
      const options = [
        "--headless=new",
        "--no-sandbox",
        "--remote-debugging-pipe",
        `--user-data-dir=${folder}`
      ]
      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn("chromium", options, { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] })
        ),
        (child) =>
          Effect.promise(async () => {
            const exit = once(child, "exit")
            child.kill("SIGKILL")
            await exit
          })
      )
      const connection = connect(child)
      yield* Effect.promise(() =>
        connection.send("Browser.setDownloadBehavior", { behavior: "deny" })
      )
      return { tab: Effect.promise(() => tabOf(connection)) }
    })
  )
}
