import { assert, describe, it } from "@effect/vitest"
import { decimalText, minorUnits } from "../src/Decimal.ts"
import { bankText, isSepaText, isWritableName, sepaText } from "../src/Sepa.ts"
import { property } from "./Property.ts"

describe("characters of SEPA", () => {
  it("keep the letters of European names", () => {
    const cases: ReadonlyArray<readonly [string, string]> = [
      ["Crédit Agricole d’Île-de-France", "Credit Agricole d'Ile-de-France"],
      ["Müller & Söhne; Straße 3", "Muller + Sohne, Strasse 3"],
      ["Œuvre & Fils", "OEuvre + Fils"],
      ["Łukasz Żółć", "Lukasz Zolc"],
      ["Søren Ærø", "Soren AEro"],
      ["info@acme_sa", "info(at)acme-sa"],
      ["« Étoile » — “Nord”", "' Etoile ' - 'Nord'"],
      ["Jose\u0301", "Jose"],
      ["a\t\n  b\u00A0c", "a b c"],
      ["100 %", "100"],
      ["王", ""]
    ]
    for (const [text, expected] of cases) assert.strictEqual(sepaText(text, 70), expected)
  })

  property("are all that is left, never longer than the limit, and stay as they are", (draw) => {
    const text = Array.from({ length: draw.int(0, 200) }, () =>
      String.fromCodePoint(
        draw.pick([draw.int(32, 126), draw.int(160, 0x17f), draw.int(1, 0xd7ff)])
      )
    ).join("")
    const written = sepaText(text, 140)
    assert.isTrue(isSepaText(written))
    assert.isAtMost(written.length, 140)
    assert.notMatch(written, /^ | $| {2}/u)
    assert.strictEqual(sepaText(written, 140), written)
  })

  it("say which names can't be written", () => {
    assert.isFalse(isWritableName("王小明"))
    assert.isFalse(isWritableName("- '"))
    assert.isTrue(isWritableName("É"))
  })

  it("may be all of XML's for a bank that takes them", () => {
    assert.strictEqual(bankText("Zoé\u0000 \u0007 王🙂", 70, "UTF8"), "Zoé 王🙂")
    assert.strictEqual(bankText("🙂🙂🙂", 2, "UTF8"), "🙂🙂")
  })
})

describe("decimals", () => {
  property("are minor units and back, without a float", (draw) => {
    const amount = draw.pick([
      0,
      1,
      9,
      10,
      99,
      100,
      draw.int(0, 2 ** 31),
      99_999_999_999,
      Number.MAX_SAFE_INTEGER
    ])
    assert.strictEqual(minorUnits(decimalText(amount)), amount)
    assert.strictEqual(minorUnits(`${decimalText(amount)}000`), amount)
  })

  it("have no fraction of a cent, and are decimals", () => {
    for (const text of ["10.001", "1e3", "", ".", "-1", "1 000", "0x10", "90071992547409.93"]) {
      assert.isUndefined(minorUnits(text), text)
    }
    assert.strictEqual(minorUnits("1234.5"), 123_450)
    assert.strictEqual(minorUnits(" 1,50 "), 150)
    assert.strictEqual(minorUnits("7."), 700)
    assert.strictEqual(minorUnits(".5"), 50)
  })
})
