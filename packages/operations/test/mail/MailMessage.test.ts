import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Schema } from "effect"
import { encode, type MailMessage } from "../../src/mail/MailMessage.ts"

const message: MailMessage = {
  id: "acme.invitation_test_346789ABCDEFGHJKLMNPQ",
  from: { name: "Acme Assurances", address: "no-reply@acme.auth.example.com" },
  to: "ada@example.com",
  subject: "Your invitation",
  text: "Hello,\n\nhttps://acme.auth.example.com/invitation?token=abc\n",
  html: "<p>Hello</p>\n"
}
const sentAt = Date.parse("2026-11-21T07:00:00Z")

/** The head's lines, each with what it goes on with on the lines below. */
const head = (mail: string) =>
  mail.slice(0, mail.indexOf("\r\n\r\n")).replaceAll(/\r\n /gu, " ").split("\r\n")

const names = (mail: string) => head(mail).map((line) => line.slice(0, line.indexOf(":")))

const valueOf = (mail: string, name: string) =>
  head(mail)
    .find((line) => line.startsWith(`${name}: `))!
    .slice(name.length + 2)

/** What a reader shows of encoded words: those side by side belong together (RFC 2047, section 6.2). */
const shown = (text: string) =>
  text
    .replaceAll(/\?=\s+=\?/gu, "?==?")
    .replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/gu, (_, base64: string) =>
      Buffer.from(base64, "base64").toString("utf8")
    )

/** What a reader makes of quoted-printable. */
const unquoted = (body: string) =>
  Buffer.from(
    body
      .replaceAll(/=\r\n/gu, "")
      .replaceAll(/=([0-9A-F]{2})/gu, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    "latin1"
  ).toString("utf8")

const expectedNames = [
  "Date",
  "From",
  "To",
  "Message-ID",
  "Subject",
  "MIME-Version",
  "Auto-Submitted",
  "Content-Type"
]

const pieces = [
  ...'aé漢😀 \t<>",:;()\\@=?_.',
  "\r\n",
  "\n",
  "\r",
  "\u0085",
  "\u2028",
  "\r\nBcc: eve@evil.test",
  "\r\n\r\n<p>",
  "=?UTF-8?B?",
  "?=",
  "a long stretch of plain text that fills the line "
]
const evil = Arbitrary.array(Arbitrary.schema(Schema.Literals(pieces)), { maxLength: 60 }).pipe(
  Arbitrary.map((texts) => texts.join(""))
)

describe("a mail", () => {
  it("is sent to no address that a mail server would not take", () => {
    for (const to of [
      "",
      "ada",
      "@example.com",
      "ada@",
      "ada@example.com>\r\nBcc: <eve@evil.test",
      "ada@-example.com",
      "ada@exa mple.com",
      "ada@example..com",
      "ada@example.com\0",
      "a\rda@example.com",
      "a\u0085da@example.com"
    ]) {
      assert.isUndefined(encode({ ...message, to }, sentAt), JSON.stringify(to))
    }
  })

  it("names the page that ends letters of its kind, where it has one", () => {
    const page =
      "https://acme.auth.example.com/letters/refuse?user=a&token=b\r\nBcc: <eve@evil.test>"
    const mail = encode({ ...message, unsubscribe: page }, sentAt)!
    assert.deepStrictEqual(names(mail).slice(7, 9), ["List-Unsubscribe", "List-Unsubscribe-Post"])
    assert.match(valueOf(mail, "List-Unsubscribe"), /^<https:[^\s<>]+>$/u)
    assert.strictEqual(valueOf(mail, "List-Unsubscribe-Post"), "List-Unsubscribe=One-Click")
    assert.deepStrictEqual(names(encode(message, sentAt)!), expectedNames)
  })

  it("quotes an address that could be read as more than one", () => {
    const mail = encode({ ...message, to: `a"<eve@evil.test>,b@example.com` }, sentAt)!
    assert.strictEqual(valueOf(mail, "To"), `<"a\\"<eve@evil.test>,b"@example.com>`)
  })

  it("says when, from whom, to whom and about what, and holds both texts", () => {
    const mail = encode(message, sentAt)!
    assert.deepStrictEqual(names(mail), expectedNames)
    assert.strictEqual(valueOf(mail, "Date"), "Sat, 21 Nov 2026 07:00:00 +0000")
    assert.strictEqual(valueOf(mail, "From"), "Acme Assurances <no-reply@acme.auth.example.com>")
    assert.strictEqual(valueOf(mail, "Message-ID"), `<${message.id}@acme.auth.example.com>`)
    assert.include(mail, "\r\nhttps://acme.auth.example.com/invitation?token=abc\r\n")
    assert.include(mail, "\r\n<p>Hello</p>\r\n")
    const boundary = /boundary="([^"]+)"/u.exec(mail)![1]!
    assert.lengthOf(mail.split(`--${boundary}\r\n`), 3)
    assert.isTrue(mail.endsWith(`--${boundary}--\r\n`))
  })

  it("encodes a line that is too long for mail, and nothing is lost", () => {
    const text = `${"é".repeat(700)}\nend`
    const mail = encode({ ...message, text }, sentAt)!
    const [, body = ""] = /quoted-printable\r\n\r\n([\s\S]+?)\r\n--=_/u.exec(mail) ?? []
    assert.strictEqual(unquoted(body), text.replace("\n", "\r\n"))
  })

  it.effect.prop(
    "is ASCII in short lines where it is quoted, and nothing is lost",
    [evil],
    ([text]) =>
      Effect.sync(() => {
        const mail = encode({ ...message, text }, sentAt, "quoted-printable")!
        const [, body = ""] = /quoted-printable\r\n\r\n([\s\S]*?)\r\n--=_/u.exec(mail) ?? []
        for (const line of body.split("\r\n")) assert.match(line, /^[\x20-\x7e\t]{0,76}$/u)
        assert.notMatch(body, /[ \t](?:\r\n|$)/u)
        const whole = Buffer.from(text.replaceAll(/\r\n|\r|\n/gu, "\r\n")).toString("utf8")
        assert.strictEqual(unquoted(body), whole)
      }),
    { arbitrary: { runs: 500 } }
  )

  it.effect.prop(
    "has the same head whatever is in names and subjects, and shows them as they are",
    [evil, evil],
    ([name, subject]) =>
      Effect.sync(() => {
        const mail = encode({ ...message, subject, from: { ...message.from, name } }, sentAt)!
        assert.deepStrictEqual(names(mail), expectedNames)
        for (const line of mail.split("\r\n")) {
          assert.isAtMost(Buffer.byteLength(line), 998)
          assert.notMatch(line, /[\r\n]/u)
        }
        const plain = subject.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim()
        const wellFormed = Buffer.from(plain).toString("utf8")
        assert.strictEqual(shown(valueOf(mail, "Subject")), plain === "" ? '""' : wellFormed)
        for (const word of mail.match(/=\?UTF-8\?B\?[^?]*\?=/gu) ?? []) {
          assert.isAtMost(word.length, 75)
        }
      }),
    { arbitrary: { runs: 500 } }
  )
})
