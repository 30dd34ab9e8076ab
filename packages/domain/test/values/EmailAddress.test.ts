import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { isEmailAddress } from "../../src/values/EmailAddress.ts"
import { Email } from "../../src/values/Email.ts"

const long = (length: number) => "x".repeat(length)

describe("an e-mail address", () => {
  it.each([
    "ada@example.test",
    "ada.lovelace+policies@mail.example.co",
    "o'neill@example.test",
    "user_1-2@xn--bcher-kva.example",
    "zoë@bücher.example",
    "परीक्षा@परीक्षा.भारत",
    "a@b.test",
    `${long(64)}@example.test`,
    `a@${long(63)}.test`
  ])("is %s", (text) => {
    assert.isTrue(isEmailAddress(text))
    assert.isTrue(Schema.is(Email)(text))
  })

  it.each([
    "",
    "ada",
    "@example.test",
    "ada@",
    "<a@b.test>",
    "Ada <a@b.test>",
    '"ada b"@b.test',
    "a b@c.test",
    "a@b.test,c@d.test",
    "a@b.test;c@d.test",
    "mailto:a@b.test",
    "a@b@c.test",
    "a..b@c.test",
    ".a@c.test",
    "a.@c.test",
    "a@c..test",
    "a@.test",
    "a@c.test.",
    "a@-c.test",
    "a@c-.test",
    "a@c_d.test",
    "a@[192.0.2.1]",
    "a@192.0.2.1",
    "a@localhost",
    "a(b)@c.test",
    "a\\b@c.test",
    "a@c.test\r\nBcc: d@e.test",
    "a\u0000@c.test",
    "a\u200B@c.test",
    "a@c\u202E.test",
    `${long(65)}@example.test`,
    `${"é".repeat(33)}@example.test`,
    `a@${long(64)}.test`,
    `a@${Array.from({ length: 5 }, () => long(60)).join(".")}.test`
  ])("is not %j", (text) => {
    assert.isFalse(isEmailAddress(text))
    assert.isFalse(Schema.is(Email)(text))
  })

  it.prop(
    "carries nothing that a head of a letter is written with",
    [Schema.String],
    ([text]) => {
      for (const one of [text, `${text}@b.test`, `a@${text}.test`, `a${text}b@c.test`]) {
        if (isEmailAddress(one)) assert.notMatch(one, /[\s<>()[\]\\,;:"\p{C}]/u)
      }
    },
    { arbitrary: { runs: 2000 } }
  )
})
