import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { answersIn, holds, RawConnection } from "./RawConnection.ts"

const program = new URL("./StoppingProgram.ts", import.meta.url).pathname

/** The program on a free port, and a way to wait for a line of its log. */
const start = (env: Readonly<Record<string, string>> = {}) => {
  const child = spawn(process.execPath, ["--conditions=@quittance/source", program], {
    env: { ...process.env, PORT: "0", ...env },
    stdio: ["pipe", "pipe", "inherit"]
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const logged = async (wanted: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const { done, value } = await lines.next()
      if (done === true) throw new Error(`The program ended without ${wanted}`)
      const found = wanted.exec(value)
      if (found !== null) return found
    }
  }
  return { child, logged }
}

describe("a process that is told to stop", () => {
  it("finishes what is under way, takes nothing new, and has not failed", async () => {
    const { child, logged } = start()
    const [, port] = await logged(/Listening on http:\/\/127\.0\.0\.1:(\d+)/u)
    const connection = await RawConnection.open(Number(port))
    connection.send("GET /held HTTP/1.1\r\nhost: a\r\n\r\n")
    await logged(/"held"/u)

    const ended = once(child, "exit")
    child.kill("SIGTERM")
    // Once no new connection is taken, the server has begun to stop.
    const refused = async (): Promise<void> => {
      const other = await RawConnection.open(Number(port)).catch(() => undefined)
      if (other === undefined) return
      other.end()
      await refused()
    }
    await refused()
    child.stdin.write("\n")

    const [answer] = answersIn(await connection.answer(holds(1)))
    assert.deepStrictEqual([answer?.status, answer?.body], [200, "done"])
    connection.end()
    assert.deepStrictEqual(await ended, [0, null])
  })

  it("ends what only waits, at once", async () => {
    const { child, logged } = start({ DRAIN_TIME: "10 minutes" })
    const [, port] = await logged(/Listening on http:\/\/127\.0\.0\.1:(\d+)/u)
    const connection = await RawConnection.open(Number(port))
    connection.send("GET /waiting HTTP/1.1\r\nhost: a\r\n\r\n")
    await logged(/"waiting"/u)
    child.kill("SIGTERM")
    const [answer] = answersIn(await connection.answer(() => false))
    assert.deepStrictEqual([answer?.status, answer?.body], [200, "stopping"])
    assert.match(answer?.head ?? "", /connection: close/iu)
    child.kill("SIGKILL")
  })

  it("answers whatever comes while it drains, and says that the connection closes", async () => {
    // Longer than the test takes: what is idle is not closed under it.
    const { child, logged } = start({ DRAIN_TIME: "10 minutes" })
    const [, listening] = await logged(/Listening on http:\/\/127\.0\.0\.1:(\d+)/u)
    const port = Number(listening)
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`
    const ready = async () => {
      const connection = await RawConnection.open(port)
      connection.send(get("/health/ready"))
      const [answer] = answersIn(await connection.answer(holds(1)))
      connection.end()
      return answer?.status
    }
    const held = await RawConnection.open(port)
    held.send(get("/held"))
    await logged(/"held"/u)
    const idle = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(port)))
    for (const connection of idle) connection.send(get("/free"))
    for (const connection of idle) {
      const [answer] = answersIn(await connection.answer(holds(1)))
      assert.match(answer?.head ?? "", /connection: keep-alive/iu)
    }
    assert.strictEqual(await ready(), 200)

    child.kill("SIGTERM")
    while ((await ready()) !== 503);
    child.stdin.write("\n")
    for (const connection of idle) connection.send(get("/free"))
    for (const connection of [held, ...idle]) {
      // Up to the end of the connection, which the server closes.
      const answer = answersIn(await connection.answer(() => false)).at(-1)
      assert.strictEqual(answer?.status, 200)
      assert.match(answer?.head ?? "", /connection: close/iu)
    }
    child.kill("SIGKILL")
  })
})
