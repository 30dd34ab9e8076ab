import { assert, describe, it } from "@effect/vitest"
import { writeDocumentLetter } from "../../src/mail/DocumentLetter.ts"
import { wordings } from "../../src/mail/MailWording.ts"
import type { Instant } from "../../src/values/Instant.ts"

const link = "https://api.test/documents/links/acme.document_link_a.b?c&d"

const letterIn = (locale: string, more: { readonly name?: string; readonly title?: string } = {}) =>
  writeDocumentLetter({
    tenant: { name: "Acme", environment: "production", locale, timeZone: "Europe/Paris" },
    name: "Camille Durand",
    title: "Avis d’échéance",
    link,
    // What instants are made from is checked where they come in.
    expiresAt: "2026-03-17T09:00:00.000Z" as Instant,
    ...more
  })

describe("the letter with a document", () => {
  it("is in the language of its tenant, and in English for any other", () => {
    const subjects = wordings.map(({ language }) => letterIn(language).subject)
    assert.strictEqual(new Set(subjects).size, 5)
    assert.include(letterIn("fr-FR").text, "Ouvrir le document:\n" + link)
    assert.include(letterIn("de-AT").text, "Dokument öffnen")
    assert.include(letterIn("it-IT").text, "Apri il documento")
    assert.include(letterIn("es-ES").text, "Abrir el documento")
    assert.strictEqual(letterIn("sv-SE").subject, letterIn("en-GB").subject)
  })

  it("names the tenant, the document, and until when the link works in the tenant's zone", () => {
    for (const { language } of wordings) {
      const { html, subject, text } = letterIn(language)
      for (const words of ["Acme", "Avis d’échéance"]) {
        assert.include(subject, words)
        assert.include(text, words)
      }
      assert.include(text, "10:00")
      assert.include(text, "2026")
      assert.include(text, "Camille Durand")
      assert.include(html, "c&amp;d")
    }
  })

  it("has no markup of a title, and no name that could be an address", () => {
    const { html, text } = letterIn("fr", { name: "www.evil.test", title: "<b>Avis</b>" })
    assert.notInclude(html, "<b>")
    assert.include(html, "&lt;b&gt;Avis")
    assert.notInclude(text, "evil")
  })
})
