/** `quittance listen` as a process, before a service and a receiver that go away and come back. */
import { assert, describe, it } from "@effect/vitest"
import { freePort } from "@quittance/embedded-postgres/FreePort"
import { randomBytes } from "node:crypto"
import { ask, folder, Program } from "./Program.ts"
import { type Call, Receiver } from "./Receiver.ts"

const secret = `whsec_${randomBytes(32).toString("base64")}`
const ready = "Ctrl+C stops it"

const sandboxOf = async () => {
  const env = { PORT: String(await freePort()), DATA_DIR: await folder() }
  const start = async () => {
    const program = new Program("standalone", [], env)
    await program.says(ready)
    return program
  }
  const cli = (...args: ReadonlyArray<string>) => new Program("cli", args, env)
  return { port: Number(env.PORT), start, cli }
}

type Sandbox = Awaited<ReturnType<typeof sandboxOf>>

/** A user who changes customers' names, which is an event of each. */
const adminOf = async ({ cli, port }: Sandbox) => {
  const id = "acme-admin"
  const { stdout } = await cli("token", "client", id, `${id}-secret`, "-t", "acme").finished()
  const headers = {
    tenant: "acme",
    authorization: `Bearer ${stdout.trim()}`,
    "content-type": "application/json"
  }
  const write = async (method: string, path: string, body: object) => {
    const answer = await ask(port, path, { method, headers, body: JSON.stringify(body) })
    assert.oneOf(answer.status, [200, 201], answer.body)
    return JSON.parse(answer.body)
  }
  const create = async (name: string): Promise<string> => {
    const email = `${name.toLowerCase()}@acme.test`
    const person = { email, firstName: name, lastName: "Martin" }
    return (await write("POST", "/admin/users", person)).id
  }
  const rename = (id: string, firstName: string) =>
    write("PATCH", `/admin/users/${id}`, { firstName })
  return { create, rename }
}

/** What the start page tells people to type. */
const lineOfStartPage = async ({ port }: Sandbox) => {
  const { body } = await ask(port, "/")
  return /quittance (listen [^<]+)/u.exec(body)?.[1] ?? "none"
}

const typesOf = (calls: ReadonlyArray<Call>, subject: string) =>
  calls.filter(({ event }) => event.subject === subject).map(({ event }) => event.type)

/** The calls but the repetitions of an event, which have to be the same bytes. */
const withoutRepetitions = (calls: ReadonlyArray<Call>): ReadonlyArray<Call> => {
  const told = new Map<string, Call>()
  for (const call of calls) {
    const before = told.get(call.event.id)
    if (before === undefined) told.set(call.event.id, call)
    else assert.strictEqual(call.text, before.text)
  }
  return [...told.values()]
}

/** No event of a subject is missing before another one, or comes after it. */
const assertInOrder = (calls: ReadonlyArray<Call>) => {
  const last = new Map<string, number>()
  for (const { event } of calls) {
    const { previousSequence, sequence, subject } = event
    if (last.has(subject)) assert.strictEqual(previousSequence, last.get(subject), subject)
    last.set(subject, sequence)
  }
}

describe("quittance listen", () => {
  it("tells a receiver in order, through its faults and the service's end", async () => {
    const sandbox = await sandboxOf()
    const { cli, start } = sandbox
    const service = await start()
    const { create, rename } = await adminOf(sandbox)
    const [ada, bob] = [await create("Ada"), await create("Bob")]
    for (const name of ["one", "two"]) {
      await rename(ada, name)
      await rename(bob, name)
    }

    // The first call is not answered, the third is refused; another secret is not its own.
    const receiver = new Receiver(secret, (nth) => (nth === 1 ? "HANG_UP" : nth === 3 ? 500 : 204))
    const url = await receiver.start()
    const line = await lineOfStartPage(sandbox)
    const listen = (...args: ReadonlyArray<string>) =>
      cli(
        ...line.replace("http://localhost:3000/hooks", url).split(" "),
        "--secret",
        secret,
        ...args
      )
    const users = ["--types", "user.created", "--types", "user.updated"]
    const first = await listen("--after", "0", "--exit-after", "6", ...users).finished()
    assert.strictEqual(first.code, 2, first.stderr)
    assert.include(first.stderr, "No answer from http://localhost")
    assert.match(first.stdout, /^ +\d+ {2}user\.\w+ +user_test_\w+ +500 \d+ ms$/mu)
    assert.lengthOf(receiver.calls, 7)
    const calls = withoutRepetitions(receiver.calls)
    assertInOrder(calls)
    for (const subject of [ada, bob]) {
      assert.deepStrictEqual(typesOf(calls, subject), [
        "user.created",
        "user.updated",
        "user.updated"
      ])
    }
    const position = /--after (\d+)/u.exec(first.stderr)?.[1] ?? "none"

    // It goes on where it has ended, however often the service and the receiver are killed.
    const running = listen("--after", position, ...users)
    await rename(ada, "three")
    await running.says("user.updated")
    await service.stopped("SIGKILL")
    await running.says("The service does not answer", "stderr")
    await receiver.stop()
    await start()
    await rename(ada, "four")
    await running.says("No answer from", "stderr")
    await receiver.start()
    await rename(ada, "five")
    await receiver.until(() => typesOf(withoutRepetitions(receiver.calls), ada).length === 6)
    const { code, stderr } = await running.stopped("SIGINT")
    assert.strictEqual(code, 130)
    assert.match(stderr, /Done up to position \d+: go on with --after \d+\n$/u)
    const all = withoutRepetitions(receiver.calls)
    assertInOrder(all)
    assert.lengthOf(typesOf(all, ada), 6)

    // One event again, as it was.
    const again = all.at(-1)!
    const replayed = await listen("--replay", again.event.id).finished()
    assert.strictEqual(replayed.code, 0, replayed.stderr)
    assert.deepStrictEqual(receiver.calls.at(-1)?.event.id, again.event.id)
    assert.isDefined(receiver.calls.at(-1)?.replay)

    const printed = await cli(
      "listen",
      "-t",
      "acme",
      "--print",
      "--after",
      "0",
      "--exit-after",
      "6",
      ...users
    ).finished()
    assert.strictEqual(printed.code, 0)
    assert.deepStrictEqual(
      printed.stdout.trimEnd().split("\n").sort(),
      calls.map(({ text }) => text).sort()
    )
    assert.deepStrictEqual(receiver.forged, [])
  })
})
