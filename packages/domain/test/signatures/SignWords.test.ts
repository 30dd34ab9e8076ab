/** What signers read, in each language: their letter and their page. */
import { assert, describe, it } from "@effect/vitest"
import { writeSignerRequest } from "@quittance/domain/mail/SignerRequestLetter"
import { type SignWords, signWordsOf } from "@quittance/domain/signatures/words/SignWords"
import type { Instant } from "@quittance/domain/values/Instant"

const languages = ["en", "fr", "de", "it", "es"]

/** All texts, those that say a value with one. */
const textsOf = (words: unknown): ReadonlyArray<string> => {
  if (typeof words === "string") return [words]
  // Each of them takes texts and numbers, which print alike.
  if (typeof words === "function") return [String(words("7", "7"))]
  return Object.values(words as object).flatMap(textsOf)
}

describe("the page of a signer", () => {
  it("says each thing in each language, in words of its own", () => {
    const own = languages.map((language) => textsOf(signWordsOf(language)))
    for (const texts of own) {
      assert.lengthOf(texts, own[0]!.length)
      assert.isTrue(texts.every((text) => text.trim() !== "" && !text.includes("undefined")))
    }
    const headings = languages.map((language) => signWordsOf(language).ended.EXPIRED.heading)
    assert.lengthOf(new Set(headings), languages.length)
  })

  it("is in the first language that it knows, or in English", () => {
    const language = (...wanted: ReadonlyArray<string>): SignWords["language"] =>
      signWordsOf(...wanted).language
    assert.strictEqual(language("fr-BE"), "fr")
    assert.strictEqual(language("pt-PT", "IT-it", "de"), "it")
    assert.strictEqual(language("", "*"), "en")
  })
})

describe("the letter that asks to sign", () => {
  const letter = (locale: string, kind: "NOTIFIED" | "REMINDED", firstName = "Ada") =>
    writeSignerRequest({
      kind,
      tenant: { name: "Acme", environment: "production", locale, timeZone: "Europe/Paris" },
      firstName,
      policyNumber: 42,
      link: "https://api.test/sign/acme.signer.x",
      // The text of a date is the canonical one.
      expiresAt: "2026-11-23T13:30:00.000Z" as Instant
    })

  it("names who asks, the policy, the end and the link, as text and as HTML", () => {
    for (const locale of languages) {
      for (const kind of ["NOTIFIED", "REMINDED"] as const) {
        const { html, subject, text } = letter(locale, kind)
        assert.include(subject, "Acme")
        for (const part of ["Acme", "42", "https://api.test/sign/acme.signer.x"]) {
          assert.include(text, part)
          assert.include(html, part)
        }
        assert.match(text, /(?:14:30|2:30).*\(Europe\/Paris\)/u)
      }
      assert.notStrictEqual(letter(locale, "NOTIFIED").subject, letter(locale, "REMINDED").subject)
    }
  })

  it("leaves out a name that could be an address", () => {
    const { html, text } = letter("en", "NOTIFIED", "www.evil.test")
    assert.notInclude(html + text, "evil.test")
  })
})
