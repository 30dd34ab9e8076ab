import { assert, describe, it } from "@effect/vitest"
import { uploadPageWordsOf } from "../../src/documents/requests/UploadPageWords.ts"
import { writeDocumentRequest } from "../../src/mail/DocumentRequestLetter.ts"
import { wordings } from "../../src/mail/MailWording.ts"
import type { Instant } from "../../src/values/Instant.ts"
import type { LocalDate } from "../../src/values/LocalDate.ts"

const link = "https://api.test/uploads/acme.document_request_a.b?c&d"

const letterIn = (locale: string, more: { readonly isRepeated?: boolean; note?: string } = {}) =>
  writeDocumentRequest({
    tenant: { name: "Acme", environment: "production", locale, timeZone: "Europe/Paris" },
    name: "Camille Durand",
    label: "Relevé d’information",
    // What days and instants are made from is checked where they come in.
    dueOn: "2026-03-31" as LocalDate,
    isRepeated: false,
    link,
    expiresAt: "2026-04-09T09:00:00.000Z" as Instant,
    ...more
  })

describe("the letter that asks for a document", () => {
  it("is in the language of its tenant as its page is, and in English for any other", () => {
    const subjects = wordings.map(({ language }) => letterIn(language).subject)
    assert.strictEqual(new Set(subjects).size, 5)
    assert.strictEqual(letterIn("sv-SE").subject, letterIn("en-GB").subject)
    for (const { language } of wordings) {
      assert.strictEqual(uploadPageWordsOf("sv", `${language}-XX`).language, language)
    }
    assert.strictEqual(uploadPageWordsOf("sv-SE").language, "en")
  })

  it("names who asks, for what, by when, and until when the link works in the tenant's zone", () => {
    for (const { language } of wordings) {
      const { html, text } = letterIn(language)
      for (const words of ["Acme", "Relevé d’information", "31", "11:00", "25"]) {
        assert.include(text, words)
      }
      assert.include(html, "c&amp;d")
      assert.notStrictEqual(letterIn(language, { isRepeated: true }).text, text)
    }
  })

  it("has no markup of what people have written", () => {
    const { html } = letterIn("fr", { note: "<b>recto</b>" })
    assert.notInclude(html, "<b>")
    assert.include(html, "&lt;b&gt;recto")
  })
})
