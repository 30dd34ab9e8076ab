import { spaced } from "@quittance/documents/Spacing"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

/** What can't be broken is shown as an underscore. */
const shown = (text: string, locale = "fr-FR") =>
  spaced(text, locale).replaceAll(/[\u{A0}\u{202F}]/gu, "_")

describe("spaces at which no line is broken", () => {
  it.for([
    ["Utilitaire jusqu’à 3,5 t", "Utilitaire jusqu’à 3,5_t"],
    ["2 tours à 90 km/h, 12 m²", "2 tours à 90_km/h, 12_m²"],
    ["01/04/2027 – 31/03/2028", "01/04/2027_–_31/03/2028"],
    ["article L113-3, n° 12", "article_L113-3, n°_12"],
    ["Exclusions : « la guerre » !", "Exclusions_: «_la guerre_»_!"],
    ["compte FR76 3000 6000 0112 3456 7890 189 en", "compte FR76_3000_6000_0112_3456_7890_189 en"]
  ] as const)("stand in %s", ([text, expected]) => {
    assert.strictEqual(shown(text), expected)
  })

  it("are those of the language", () => {
    assert.strictEqual(shown("Frage ? Art. 5, § 5", "de-DE"), "Frage ? Art._5, §_5")
  })

  it.prop("change nothing but spaces, and once", [Schema.String], ([text]) => {
    const plain = (one: string) => one.replaceAll(/[\u{A0}\u{202F}]/gu, " ")
    assert.strictEqual(plain(spaced(text, "fr-FR")), plain(text))
    assert.strictEqual(spaced(spaced(text, "fr-FR"), "fr-FR"), spaced(text, "fr-FR"))
  })
})
