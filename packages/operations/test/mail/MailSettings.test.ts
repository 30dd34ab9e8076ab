import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { generateKeyPairSync } from "node:crypto"
import { mailFrom, smtpSettings } from "../../src/mail/MailSettings.ts"

const given = (env: Readonly<Record<string, string>>) =>
  smtpSettings.pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(env)),
    Effect.provide(NodeServices.layer)
  )

const MAIL_URL = "smtps://letters:s3cret@mail.example.com"

const rsa = (modulusLength: number) =>
  generateKeyPairSync("rsa", { modulusLength })
    .privateKey.export({ type: "pkcs8", format: "pem" })
    .toString()

const dkim = {
  MAIL_URL,
  MAIL_DKIM_KEY: rsa(2048),
  MAIL_DKIM_DOMAIN: "example.com",
  MAIL_DKIM_SELECTOR: "letters"
}

describe("the settings of letters", () => {
  it.effect("are none where nothing is given, or nothing is in what is given", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* given({}))
      assert.isUndefined(yield* given({ MAIL_URL: "", MAIL_CA: "", MAIL_DKIM_KEY: "" }))
      const settings = yield* given({ MAIL_URL, MAIL_CA: "", MAIL_DKIM_KEY: "" })
      assert.hasAllKeys(settings, ["server"])
      assert.notInclude(JSON.stringify(settings), "s3cret")
    })
  )

  it.effect("take a key of one line, and the domain of the sender or one above it", () =>
    Effect.gen(function* () {
      const flat = dkim.MAIL_DKIM_KEY.replaceAll("\n", String.raw`\n`)
      const MAIL_FROM = "no-reply@letters.example.com"
      const settings = yield* given({ ...dkim, MAIL_DKIM_KEY: flat, MAIL_FROM })
      assert.strictEqual(Redacted.value(settings!.dkim!.privateKey), dkim.MAIL_DKIM_KEY)
      assert.notInclude(JSON.stringify(settings), "PRIVATE KEY")
    })
  )

  it.effect.each([
    ["MAIL_URL", { MAIL_URL: "mail.example.com" }],
    ["MAIL_CA", { MAIL_URL, MAIL_CA: "/nowhere.pem" }],
    ["MAIL_CA", { MAIL_URL, MAIL_CA: new URL(import.meta.url).pathname }],
    ["MAIL_DKIM_KEY", { ...dkim, MAIL_DKIM_KEY: "s3cret" }],
    ["MAIL_DKIM_KEY", { ...dkim, MAIL_DKIM_KEY: rsa(1024) }],
    ["MAIL_DKIM_DOMAIN", { ...dkim, MAIL_DKIM_DOMAIN: "Example Com" }],
    ["MAIL_DKIM_DOMAIN", { ...dkim, MAIL_FROM: "no-reply@badexample.com" }],
    ["MAIL_DKIM_SELECTOR", { ...dkim, MAIL_DKIM_SELECTOR: "" }]
  ] as const)("are refused for %s, which is not repeated: %o", ([variable, env]) =>
    Effect.map(Effect.flip(given(env)), (failure) => {
      assert.include(JSON.stringify(failure) + failure.message, variable)
      assert.notMatch(JSON.stringify(failure) + failure.message, /s3cret|PRIVATE/u)
    })
  )

  it.effect("take a sender that is an address, or none", () =>
    Effect.gen(function* () {
      const sender = (MAIL_FROM: string) =>
        mailFrom.parse(ConfigProvider.fromUnknown({ MAIL_FROM }))
      assert.isUndefined(yield* sender(""))
      assert.strictEqual(yield* sender("people@acme.test"), "people@acme.test")
      yield* Effect.flip(sender("Acme <people@acme.test>"))
    })
  )
})
