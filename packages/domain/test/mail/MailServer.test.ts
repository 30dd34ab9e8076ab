import { assert, describe, it } from "@effect/vitest"
import { type MailServer, mailServerOf } from "../../src/mail/MailServer.ts"

describe("the address of a mail server", () => {
  it.each([
    "mail.example.com",
    "https://mail.example.com",
    "smtp://",
    "smtp:mail.example.com",
    "smtp://user@mail.example.com",
    "smtp://:secret@mail.example.com",
    "smtp://user:sec%zzret@mail.example.com",
    "smtp://user:sec%0Aret@mail.example.com",
    "smtps://mail.example.com/inbox",
    "smtp://mail.example.com?requireTLS=false",
    "smtp://mail.example.com#tls",
    "smtp://mail.example.com:99999",
    "smtp://mail example.com"
  ])("is not %s, and what is said of it repeats nothing", (text) => {
    const answer = mailServerOf(text)
    assert.hasAllKeys(answer, ["fault"])
    assert.notMatch(JSON.stringify(answer), /secret|mail\.example/u)
  })

  it.each<[string, Partial<MailServer>]>([
    ["smtps://mail.example.com", { host: "mail.example.com", port: 465, security: "TLS" }],
    ["smtp://mail.example.com", { host: "mail.example.com", port: 587, security: "STARTTLS" }],
    ["smtp://192.0.2.1:25/", { host: "192.0.2.1", port: 25, security: "STARTTLS" }],
    ["smtps://localhost:1465", { host: "localhost", port: 1465, security: "TLS" }],
    ["smtp://localhost", { host: "localhost", port: 587, security: "NONE" }],
    ["smtp://127.0.0.1:25", { host: "127.0.0.1", port: 25, security: "NONE" }],
    ["smtp://[::1]:25", { host: "::1", port: 25, security: "NONE" }],
    // Names that begin as loopback does, and are somewhere else.
    ["smtp://localhost.example.com", { security: "STARTTLS" }],
    ["smtp://127.0.0.1.example.com", { security: "STARTTLS" }],
    ["smtp://[2001:db8::1]", { host: "2001:db8::1", security: "STARTTLS" }]
  ])("is %s", (text, expected) => {
    assert.deepInclude(mailServerOf(text), expected)
  })

  it("carries its credentials percent-encoded", () => {
    assert.deepInclude(mailServerOf("smtp://a%40b.test:p%3A%2F%25%C3%A9@mail.example.com"), {
      credentials: { user: "a@b.test", password: "p:/%é" }
    })
    assert.notProperty(mailServerOf("smtp://mail.example.com"), "credentials")
  })
})
