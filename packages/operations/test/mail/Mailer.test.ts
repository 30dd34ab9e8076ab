/** The transport that leaves letters in a folder. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Effect, FileSystem, Layer, Path } from "effect"
import { Mailer } from "../../src/mail/Mailer.ts"
import type { MailMessage } from "../../src/mail/MailMessage.ts"

const message: MailMessage = {
  id: "acme.invitation_test_346789ABCDEFGHJKLMNPQ",
  from: { name: "Acme", address: "no-reply@acme.test" },
  to: "ada@example.test",
  subject: "Your invitation",
  text: "Hello,\n",
  html: "<p>Hello</p>\n"
}

const send = (message: MailMessage, configuration: Readonly<Record<string, string>>) =>
  Mailer.use((mailer) => mailer.send(message)).pipe(
    // Each test has a folder of its own, so the transport is made for it.
    Effect.provide(
      Mailer.layerFolder.pipe(
        Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(configuration)))
      )
    ),
    // No configuration of a test is wrong in itself.
    Effect.catchTag("ConfigError", Effect.die)
  )

layer(NodeServices.layer, { excludeTestServices: true })("letters in a folder", (it) => {
  it.effect("are not lost without a word when they can't be left there", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const folder = yield* fs.makeTempDirectoryScoped()
      const file = path.join(folder, "file")
      yield* fs.writeFileString(file, "no folder")
      const noFolder = yield* Effect.flip(send(message, { MAIL_DIR: file }))
      assert.strictEqual(noFolder._tag, "MailFolderUnusable")
      assert.include(noFolder.message, `Letters can't be left in ${file}`)
      // Something else is where the letter belongs: it can't be put in its place.
      yield* fs.makeDirectory(path.join(folder, "mail", `${message.id}.eml`, "x"), {
        recursive: true
      })
      const taken = yield* Effect.flip(send(message, { DATA_DIR: folder }))
      assert.deepInclude(taken, { _tag: "MailNotSent", reason: "TRANSPORT" })
      assert.deepStrictEqual(yield* fs.readDirectory(path.join(folder, "mail")), [
        `${message.id}.eml`
      ])
      const nowhere = yield* Effect.flip(send({ ...message, to: "ada" }, { DATA_DIR: folder }))
      assert.deepInclude(nowhere, { _tag: "MailNotSent", reason: "ADDRESS" })
    })
  )

  it.effect("are whole, for their owner alone, and one however often they are sent", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const folder = yield* fs.makeTempDirectoryScoped()
      const texts = Array.from({ length: 20 }, (_, index) => `Hello ${index},\n`)
      yield* Effect.forEach(texts, (text) => send({ ...message, text }, { MAIL_DIR: folder }), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(yield* fs.readDirectory(folder), [`${message.id}.eml`])
      const file = path.join(folder, `${message.id}.eml`)
      assert.strictEqual((yield* fs.stat(file)).mode & 0o777, 0o600)
      const mail = yield* fs.readFileString(file)
      assert.match(mail, /^Date: .*\r\nFrom: Acme <no-reply@acme\.test>\r\n/u)
      assert.match(mail, /\r\n\r\nHello \d+,\r\n/u)
      assert.isTrue(mail.endsWith("--\r\n"))
    })
  )
})
