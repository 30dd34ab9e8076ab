/** A typed name: accents and case apart it is the signer's, and no other letters are. */
import { assert, describe, it } from "@effect/vitest"
import { isNameOf } from "@quittance/domain/signatures/TypedName"

const signer = { firstName: "Zoë-Anaïs", lastName: "L’Écuyer Straße" }

describe("a typed name", () => {
  it.each([
    "Zoë-Anaïs L’Écuyer Straße",
    "zoe-anais l'ecuyer strasse",
    "ZOË-ANAÏS  L'ÉCUYER STRASSE ",
    // The same letters, with accents of their own.
    "Zoe\u0308-Anai\u0308s L’E\u0301cuyer Straße"
  ])("is the signer's as %s", (typed) => {
    assert.isTrue(isNameOf(typed, signer))
  })

  it.each([
    "",
    "Zoë-Anaïs",
    "L’Écuyer Straße Zoë-Anaïs",
    "Zoë-Anaïs L’Écuyer",
    // Cyrillic letters that look the same.
    "Zoë-Anaïs L’Écuyеr Straße",
    // Full-width letters, and one that is not seen.
    "Ｚoë-Anaïs L’Écuyer Straße",
    "Zoë\u200b-Anaïs L’Écuyer Straße"
  ])("is not the signer's as %j", (typed) => {
    assert.isFalse(isNameOf(typed, signer))
  })

  it("keeps the vowels of scripts that write them as marks", () => {
    const other = { firstName: "के", lastName: "राम" }
    assert.isTrue(isNameOf("के राम", other))
    assert.isFalse(isNameOf("क राम", other))
  })
})
