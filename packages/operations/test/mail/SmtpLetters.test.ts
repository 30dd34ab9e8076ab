/** The queue of letters, sent by SMTP to servers that refuse, die or come back. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Invitations } from "../../src/access/Invitations.ts"
import type { InvitationId } from "@quittance/domain/access/Invitation"
import * as Post from "../Post.ts"
import { traced } from "../Traces.ts"
import * as World from "../World.ts"
import { mailing, polite, real, scripted, credentials } from "./MailServers.ts"
import type { Sending } from "./MailServers.ts"

/** Has letters of this test go out to a server. */
const by = (sending: Sending) =>
  Effect.map(mailing(sending), ({ send }) => {
    Post.steps.before = send
  })

const letterOf = (world: World.World, id: InvitationId) =>
  Effect.gen(function* () {
    const invitations = yield* Invitations
    return (yield* World.as(world, world.manager)(invitations.get(id))).letter
  })

const messageId = (raw: string) => /^Message-ID: (\S+)$/mu.exec(raw)?.[1]

layer(Post.TestLayer, { excludeTestServices: true })("letters by SMTP", (it) => {
  it.effect("wait while a server refuses for now, and leave by the next one that takes them", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const id = yield* Post.invite(world, "ada@example.test")
      const busy = yield* scripted(
        polite((line) => (line.startsWith("RCPT") ? "450 4.2.1 Greylisted" : undefined))
      )
      yield* by({ port: busy.port, security: "NONE" })
      yield* Post.round
      assert.deepStrictEqual(yield* letterOf(world, id), { state: "WAITING", reason: "TRANSPORT" })

      const server = yield* real({ secure: true })
      yield* by({ port: server.port, credentials })
      yield* Post.round
      assert.lengthOf(server.taken, 0, "not before its time")
      yield* Post.passTime(world)
      yield* Post.round
      assert.lengthOf(server.taken, 1)
      assert.deepStrictEqual(yield* letterOf(world, id), { state: "SENT" })
    }).pipe(Effect.scoped, Post.quietly)
  )

  it.effect("are spans that name the server and no person, and refer to what wanted them", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const [invited] = yield* traced(Post.invite(world, "ada@example.test"))
      yield* Post.invite(world, "bob@example.test")
      const { port } = yield* scripted(
        polite((line) => (line.includes("bob@") ? "550 5.1.1 No such user" : undefined))
      )
      yield* by({ port, security: "NONE" })
      const spans = yield* traced(Post.round)
      const calls = spans.filter(({ kind, name }) => kind === "client" && name === "SMTP")
      const server = {
        "network.protocol.name": "smtp",
        "quittance.tenant": world.tenant,
        "server.port": port
      }
      assert.sameDeepMembers(
        calls.map(({ attributes }) => {
          const { "server.address": address, ...others } = Object.fromEntries(attributes)
          assert.include(["127.0.0.1", "localhost"], address)
          return others
        }),
        [server, { ...server, "error.type": "ADDRESS" }]
      )
      const links = spans
        .filter(({ name }) => name === "OutgoingMail.send")
        .map((span) => span.links.map((link) => link.span.traceId))
      assert.sameDeepMembers(links, [[invited!.traceId], []])
      assert.notMatch(JSON.stringify(calls.map(({ attributes }) => [...attributes])), /ada|bob/u)
    }).pipe(Effect.scoped, Post.quietly)
  )

  it.effect("are abandoned where the server never takes their address, and hold up no other", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const lost = yield* Post.invite(world, "ada@example.test")
      const id = yield* Post.invite(world, "bob@example.test")
      const { port } = yield* scripted(
        polite((line) => (line.includes("ada@") ? "550 5.1.1 No such user" : undefined))
      )
      yield* by({ port, security: "NONE" })
      yield* Post.round
      assert.deepInclude(yield* letterOf(world, lost), { state: "FAILED", reason: "ADDRESS" })
      assert.deepStrictEqual(yield* letterOf(world, id), { state: "SENT" })
    }).pipe(Effect.scoped, Post.quietly)
  )

  it.effect("are sent again, as the same message, where a server dies before it has answered", () =>
    Effect.gen(function* () {
      const world = yield* World.make()
      const id = yield* Post.invite(world, "ada@example.test")
      const whole: Array<string> = []
      let isDead = true
      let text = ""
      const { port } = yield* scripted((line, socket) => {
        text += `${line}\n`
        if (line === ".") whole.push(text)
        polite((said) => (said === "." && isDead ? "CLOSE" : undefined))(line, socket)
      })
      yield* by({ port, security: "NONE" })
      yield* Post.round
      assert.deepStrictEqual(yield* letterOf(world, id), { state: "WAITING", reason: "TRANSPORT" })
      isDead = false
      yield* Post.passTime(world)
      yield* Post.round
      assert.deepStrictEqual(yield* letterOf(world, id), { state: "SENT" })
      assert.isAtLeast(whole.length, 2)
      assert.strictEqual(new Set(whole.map(messageId)).size, 1)
    }).pipe(Effect.scoped, Post.quietly)
  )
})
