/** The letter that tells of a debit, in each language: all that the schemes ask for, and nothing that is markup. */
import { assert, describe, it } from "@effect/vitest"
import { writeDebitLetter } from "../../src/mail/DebitLetter.ts"
import { LocalDate } from "../../src/values/LocalDate.ts"

const content = {
  tenant: { name: "Acme", environment: "production", locale: "en", timeZone: "Europe/Paris" },
  name: "Camille Martin",
  creditor: "Acme <b>& Co</b>",
  creditorIdentifier: "FR72ZZZ123456",
  umr: "QM000000000158",
  last4: "0106",
  amount: 123_456,
  currency: "EUR",
  collectOn: LocalDate.make("2026-06-05"),
  invoices: ["INV-000001", "INV-000002"]
}

/** How each language writes the amount and the day. */
const written = [
  ["fr-FR", "1\u202f234,56\u00a0€", "5 juin 2026"],
  ["en", "€1,234.56", "5 June 2026"],
  ["es", "1234,56\u00a0€", "5 de junio de 2026"],
  ["it", "1234,56\u00a0€", "5 giugno 2026"],
  ["de", "1.234,56\u00a0€", "5. Juni 2026"],
  // A language without letters of its own gets English ones.
  ["pt", "€1,234.56", "5 June 2026"]
] as const

describe("the letter of a debit", () => {
  for (const [locale, amount, day] of written) {
    it(`says amount, day, mandate and creditor: ${locale}`, () => {
      const tenant = { ...content.tenant, locale }
      const { html, subject, text } = writeDebitLetter({ ...content, tenant })
      for (const part of [amount, day]) {
        assert.include(subject, part)
        assert.include(text, part)
      }
      for (const part of ["Camille Martin", content.creditor, ...content.invoices]) {
        assert.include(text, part)
      }
      for (const part of [content.umr, content.creditorIdentifier, content.last4]) {
        assert.include(text, part)
        assert.include(html, part)
      }
      assert.include(html, "Acme &lt;b&gt;&amp; Co&lt;/b&gt;")
      assert.notInclude(html, "<b>")
    })
  }

  it("has words of its own in each language, and greets whom it can name", () => {
    const texts = written
      .slice(0, 5)
      .map(([locale]) => writeDebitLetter({ ...content, tenant: { ...content.tenant, locale } }))
    assert.strictEqual(new Set(texts.map(({ text }) => text.split("\n\n").at(-2))).size, 5)
    const { text } = writeDebitLetter({ ...content, name: undefined })
    assert.match(text, /^Hello,\n/u)
  })

  it("says outside production that it comes from a sandbox", () => {
    const tenant = { ...content.tenant, environment: "sandbox" }
    assert.include(writeDebitLetter({ ...content, tenant }).text, "sandbox")
    assert.notInclude(writeDebitLetter(content).text, "sandbox")
  })
})
