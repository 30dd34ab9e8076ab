/** The transport by SMTP, against real servers, and against those that misbehave. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { createVerify, generateKeyPairSync } from "node:crypto"
import type { MailMessage } from "../../src/mail/MailMessage.ts"
import * as MailServers from "./MailServers.ts"

const { credentials, mailing, polite, real, scripted, sendBy } = MailServers

const message: MailMessage = {
  id: "acme.invitation_test_346789ABCDEFGHJKLMNPQ",
  from: { name: "Acme", address: "no-reply@acme.test" },
  to: "ada@example.test",
  subject: "Your invitation",
  text: "Hello,\n.\n..dots\n",
  html: "<p>Hello</p>\n"
}

/** What a log may not say of a letter. */
const personal = /ada|example\.test|s3cret|Acme|invitation/iu

const failure = (sending: MailServers.Sending, one: MailMessage = message) =>
  Effect.gen(function* () {
    const failed = yield* Effect.flip(sendBy(sending, one))
    assert.strictEqual(failed._tag, "MailNotSent")
    assert.notMatch(JSON.stringify(failed) + failed.message.replace("letter", ""), personal)
    return failed
  })

const withServer = <A, E>(
  script: MailServers.Script,
  use: (server: {
    readonly port: number
    readonly connections: () => number
  }) => Effect.Effect<A, E>
) => Effect.scoped(Effect.flatMap(scripted(script), use))

describe("a mail server with TLS", () => {
  it.live.each([
    ["TLS", { secure: true }],
    ["STARTTLS", { secure: false }]
  ] as const)("is handed a letter by %s, whole, after a sign-in", ([security, options]) =>
    Effect.gen(function* () {
      const server = yield* real(options)
      yield* sendBy({ port: server.port, security, credentials }, message)
      const [mail, ...more] = server.taken
      assert.lengthOf(more, 0)
      assert.deepInclude(mail, {
        from: "no-reply@acme.test",
        to: ["ada@example.test"],
        isSecure: true,
        user: "quittance"
      })
      assert.include(mail!.raw, `Message-ID: <${message.id}@acme.test>\r\n`)
      assert.include(mail!.raw, "\r\n\r\nHello,\r\n.\r\n..dots\r\n")
    }).pipe(Effect.scoped)
  )

  it.live("is not signed in to with a wrong password", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* real({ secure: true })
      const wrong = { user: credentials.user, password: "s3cret-no-more" }
      const { detail, reason } = yield* failure({ port, credentials: wrong })
      assert.strictEqual(reason, "TRANSPORT")
      assert.include(detail, "535")
      assert.lengthOf(taken, 0)
    }).pipe(Effect.scoped)
  )

  it.live("is not signed in to where it can't be, which is no reason to go without", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* real({
        secure: true,
        authOptional: true,
        disabledCommands: ["AUTH"]
      })
      assert.strictEqual((yield* failure({ port, credentials })).reason, "TRANSPORT")
      assert.lengthOf(taken, 0)
    }).pipe(Effect.scoped)
  )

  it.live.each(["TLS", "STARTTLS"] as const)(
    "has to have a certificate of its name, by %s",
    (security) =>
      Effect.gen(function* () {
        const other = yield* real({ secure: security === "TLS" }, "other")
        const sending = { port: other.port, security, credentials }
        const { detail, reason } = yield* failure(sending)
        assert.strictEqual(reason, "TRANSPORT")
        assert.include(detail, "ERR_TLS_CERT_ALTNAME_INVALID")
        // The environment of a careless host changes nothing.
        process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0"
        yield* failure(sending).pipe(
          Effect.ensuring(Effect.sync(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED))
        )
        assert.lengthOf(other.taken, 0)
        const server = yield* real({ secure: security === "TLS" })
        const unknown = yield* failure({ ...sending, port: server.port, isKnownAlone: true })
        assert.include(unknown.detail, "UNABLE_TO_VERIFY_LEAF_SIGNATURE")
        assert.lengthOf(server.taken, 0)
      }).pipe(Effect.scoped)
  )

  it.live("is told nothing, not even a password, where it offers no STARTTLS", () =>
    Effect.gen(function* () {
      const heard: Array<string> = []
      const script = polite((line) => {
        heard.push(line)
        return line.startsWith("STARTTLS") ? "502 Not here" : undefined
      })
      const { port } = yield* scripted(script)
      const { reason } = yield* failure({ port, security: "STARTTLS", credentials })
      assert.strictEqual(reason, "TRANSPORT")
      assert.isFalse(heard.some((line) => /^(AUTH|MAIL|RCPT|DATA)/iu.test(line)))
    }).pipe(Effect.scoped)
  )

  it.live("is kept a few connections to, over which letters follow each other", () =>
    Effect.gen(function* () {
      const server = yield* real({ secure: true })
      const { send } = yield* mailing({ port: server.port, credentials })
      const letters = Array.from({ length: 40 }, (_, n) => ({ ...message, id: `acme.${n}` }))
      yield* Effect.forEach(letters, send, { concurrency: 4, discard: true })
      assert.lengthOf(server.taken, 40)
      assert.isAtMost(server.connections(), 4)
    }).pipe(Effect.scoped)
  )
})

describe("a mail server that refuses", () => {
  it.live.each([
    // Never to this address.
    ["RCPT", "550 5.1.1 <ada@example.test>: unknown user", "ADDRESS"],
    ["RCPT", "550 No such user", "ADDRESS"],
    ["RCPT", "553 5.1.3 Bad syntax", "ADDRESS"],
    // Never in this way, or not now: the operator, or time, can mend it.
    ["RCPT", "550 5.7.1 Relaying denied", "TRANSPORT"],
    ["RCPT", "552 5.2.2 Mailbox of ada@example.test full", "TRANSPORT"],
    ["RCPT", "554 Relay access denied", "TRANSPORT"],
    ["RCPT", "450 4.2.1 Greylisted", "TRANSPORT"],
    ["RCPT", "421 4.3.2 Shutting down", "TRANSPORT"],
    ["MAIL", "550 5.1.8 Sender rejected", "TRANSPORT"],
    ["MAIL", "451 4.3.0 Try again", "TRANSPORT"],
    ["DATA", "554 5.7.1 Spam", "TRANSPORT"],
    [".", "550 5.7.1 Rejected for Ada", "TRANSPORT"],
    [".", "452 4.3.1 Disk full", "TRANSPORT"],
    ["EHLO", "554 5.7.1 Go away", "TRANSPORT"],
    ["CONNECT", "554 No service", "TRANSPORT"]
  ] as const)("at %s with %s: it is for its %s", ([step, answer, reason]) =>
    withServer(
      polite((line) =>
        line.split(" ")[0] === step || (step === "EHLO" && line.startsWith("HELO"))
          ? answer
          : undefined
      ),
      ({ port }) =>
        Effect.map(failure({ port, security: "NONE" }), (failed) => {
          assert.strictEqual(failed.reason, reason)
          assert.include(failed.detail, answer.slice(0, 3))
        })
    )
  )

  it.live("one letter takes the next", () =>
    withServer(
      polite((line) => (line.includes("ada@") ? "550 5.1.1 No" : undefined)),
      (server) =>
        Effect.gen(function* () {
          const { send } = yield* mailing({ port: server.port, security: "NONE" })
          yield* Effect.flip(send(message))
          yield* send({ ...message, to: "bob@example.test" })
        }).pipe(Effect.scoped)
    )
  )
})

describe("a mail server that hangs", () => {
  const brief = { connecting: 100, silence: 100, letter: 10_000 }

  it.live.each(["CONNECT", "EHLO", "MAIL", "RCPT", "DATA", "."])(
    "at %s fails a letter, and keeps no other waiting",
    (step) => {
      let isHung = true
      return withServer(
        polite((line) => (isHung && line.split(" ")[0] === step ? "SILENCE" : undefined)),
        ({ port }) =>
          Effect.gen(function* () {
            const { send } = yield* mailing({ port, security: "NONE", limits: brief })
            assert.strictEqual((yield* Effect.flip(send(message))).reason, "TRANSPORT")
            isHung = false
            yield* send(message)
          }).pipe(Effect.scoped)
      )
    }
  )

  it.live("though it says something now and then, has so long for a letter and no longer", () =>
    withServer(
      (line, socket) => {
        if (line !== "CONNECT") return polite(() => undefined)(line, socket)
        const dripping = setInterval(() => socket.write("220-wait\r\n"), 20)
        socket.on("close", () => clearInterval(dripping))
      },
      ({ port }) =>
        Effect.map(
          failure({
            port,
            security: "NONE",
            limits: { connecting: 10_000, silence: 10_000, letter: 200 }
          }),
          ({ reason }) => assert.strictEqual(reason, "TRANSPORT")
        )
    )
  )
})

describe("a mail server that is away", () => {
  it.live("fails a letter, which names where it was to go", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(scripted(() => undefined))
      const { detail, reason } = yield* failure({ port, credentials })
      assert.strictEqual(reason, "TRANSPORT")
      assert.include(detail, "ECONN")
    })
  )

  it.live.each(["EHLO", "MAIL", "RCPT", "DATA", "."])(
    "in the middle, at %s, fails a letter after one more try",
    (step) =>
      withServer(
        polite((line) => (line.split(" ")[0] === step ? "CLOSE" : undefined)),
        (server) =>
          Effect.map(failure({ port: server.port, security: "NONE" }), ({ reason }) => {
            assert.strictEqual(reason, "TRANSPORT")
            assert.isAtMost(server.connections(), 2)
          })
      )
  )
})

describe("what a server is handed", () => {
  it.live("has names and addresses of any script", () =>
    Effect.gen(function* () {
      const server = yield* real({ secure: true })
      yield* sendBy(
        { port: server.port, credentials },
        {
          ...message,
          from: { name: "Société Générale d’Épargne", address: "courrier@société.test" },
          to: "žofie@exämple.test"
        }
      )
      const [{ from, raw, to } = { from: "", raw: "", to: [] }] = server.taken
      // As the server shows them: a host is written in ASCII on the way.
      assert.deepStrictEqual([from, ...to], ["courrier@société.test", "žofie@exämple.test"])
      assert.include(
        Buffer.from(raw, "latin1").toString(),
        "\r\nTo: <žofie@xn--exmple-cua.test>\r\n"
      )
      assert.include(
        raw,
        `\r\nFrom: =?UTF-8?B?${Buffer.from("Société Générale d’Épargne").toString("base64")}?= <`
      )
    }).pipe(Effect.scoped)
  )

  it.live("has no line beyond what mail takes, and none that a name or an address has begun", () =>
    Effect.gen(function* () {
      const server = yield* real({ secure: true })
      const evil: MailMessage = {
        ...message,
        from: { ...message.from, name: "Acme\r\nBcc: eve@evil.test" },
        subject: "Hi\r\n\r\n<script>\r\nBcc: eve@evil.test",
        text: `${"é".repeat(3000)}\n${"x".repeat(3000)}\n`,
        html: `<p>${"漢".repeat(3000)}</p>`
      }
      yield* sendBy({ port: server.port, credentials }, evil)
      const nowhere = yield* failure(
        { port: server.port, credentials },
        { ...message, to: "ada@example.test>\r\nRCPT TO:<eve@evil.test" }
      )
      assert.strictEqual(nowhere.reason, "ADDRESS")
      const [{ raw, to } = { raw: "", to: [] }] = server.taken
      assert.deepStrictEqual(to, ["ada@example.test"])
      const lines = raw.split("\r\n")
      assert.isTrue(lines.every((line) => line.length <= 998 && /^[\t\x20-\x7e]*$/u.test(line)))
      assert.isFalse(lines.some((line) => /^(bcc|<script)/iu.test(line)))
      const head = raw.slice(0, raw.indexOf("\r\n\r\n"))
      assert.lengthOf(head.match(/^[A-Za-z-]+:/gmu)!, 8)
    }).pipe(Effect.scoped)
  )

  it.live("is signed for its domain, as its public key shows", () =>
    Effect.gen(function* () {
      const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
      const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString()
      const dkim = { domain: "acme.test", selector: "letters", privateKey: Redacted.make(pem) }
      const server = yield* real({ secure: true })
      yield* sendBy({ port: server.port, credentials, dkim }, { ...message, subject: "Ça va ?" })
      const [{ raw } = { raw: "" }] = server.taken
      const [signature, ...heads] = raw
        .slice(0, raw.indexOf("\r\n\r\n"))
        .replaceAll(/\r\n[ \t]+/gu, " ")
        .split("\r\n")
      const tags = new Map(
        signature!
          .slice(signature!.indexOf(":") + 1)
          .split(";")
          .map((tag) => {
            const [name, ...value] = tag.trim().split("=")
            return [name!, value.join("=").replaceAll(/\s/gu, "")] as const
          })
      )
      assert.deepInclude(Object.fromEntries(tags), {
        a: "rsa-sha256",
        d: "acme.test",
        s: "letters"
      })
      const relaxed = (line: string) =>
        line
          .replace(/^([^:]+):\s*/u, (_, name: string) => `${name.toLowerCase()}:`)
          .replaceAll(/\s+/gu, " ")
          .trimEnd()
      const signed = tags
        .get("h")!
        .split(":")
        .map((name) => {
          const found = heads.find((line) =>
            line.toLowerCase().startsWith(`${name.toLowerCase()}:`)
          )
          return found === undefined ? "" : `${relaxed(found)}\r\n`
        })
      const unsigned = relaxed(signature!.replace(/\bb=[^;]*$/u, "b="))
      const verify = createVerify("RSA-SHA256").update(signed.join("") + unsigned)
      assert.isTrue(verify.verify(publicKey, tags.get("b")!, "base64"))
      assert.includeMembers(tags.get("h")!.toLowerCase().split(":"), [
        "from",
        "to",
        "subject",
        "message-id"
      ])
    }).pipe(Effect.scoped)
  )
})
