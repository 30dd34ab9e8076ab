/** Spaces at which no line may be broken, by the customs of a language: `3,5 t`, `n° 12`, `Exclusions :`. */

const fixed = "\u{A0}"
const narrow = "\u{202F}"

const unit = String.raw`(?:t|kg|g|km(?:\/h)?|m[²³]?|cm[²³]?|mm|l|h|min|CV|ch|kW|PS|%|€|°C)`

const everywhere: ReadonlyArray<readonly [RegExp, string]> = [
  // A number and its unit, both ends of a range, and what a number is of.
  [new RegExp(String.raw`(?<=\d) (?=${unit}(?![\p{L}\d]))`, "gu"), fixed],
  [/(?<=\d) – (?=\d)/gu, `${fixed}–${fixed}`],
  [/(?<=\b(?:[Aa]rticles?|[Aa]rt\.|Nr\.|Abs\.|n\.)) (?=\p{Lu}{0,2}\.? ?\d)/gu, fixed],
  [/(?<=[§№]|\b[Nn]°) (?=\d)/gu, fixed]
]

/** French sets a space before marks of two parts and within its quotation marks. */
const french: ReadonlyArray<readonly [RegExp, string]> = [
  [/ (?=[;!?])/gu, narrow],
  [/ (?=[:»])/gu, fixed],
  [/(?<=«) /gu, fixed]
]

/** An account number, in groups of four. */
const iban = /\b[A-Z]{2}\d{2}(?: [0-9A-Z]{4}){2,7}(?: [0-9A-Z]{1,3})?(?![0-9A-Z])/gu

/** The same words: nothing but spaces becomes another character, and those that are fixed stay so. */
export const spaced = (text: string, locale: string): string => {
  const rules = locale.startsWith("fr") ? [...everywhere, ...french] : everywhere
  return rules
    .reduce((so, [pattern, space]) => so.replace(pattern, space), text)
    .replace(iban, (number) => number.replaceAll(" ", fixed))
}
