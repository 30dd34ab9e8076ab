import { printable, unprintable } from "@quittance/documents/PrintableText"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

describe("printable text", () => {
  it("is composed, and has nothing that can't be seen", () => {
    assert.strictEqual(printable("e\u0301\u0000\u202Ex\u2066y\u200B\tz\u00AD"), "éxy z")
    assert.strictEqual(printable("a\r\nb\u2028c"), "a\nb\nc")
  })

  it("has the characters that insurance papers of Europe need", () => {
    const needed =
      "ÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ ÄÖẞß ÁÍÓÚÑ¿¡ ÌÒ ąćęłńóśźż čďěňřšťůž őű ăâîșț ğış ðþæøå ĳ Ελληνικά Български «»„“”‚‘’…–—·•†§¶©®™€£°ª²³½¼×÷± 1\u00A0234,56\u202F€"
    assert.deepStrictEqual(unprintable(printable(needed)), [])
  })

  it("names each character that the fonts lack once", () => {
    assert.deepStrictEqual(unprintable("東京東 a😀\n"), ["東", "京", "😀"])
  })

  it.prop("is the same when it is made printable again", [Schema.String], ([text]) => {
    assert.strictEqual(printable(printable(text)), printable(text))
  })
})
