/** Characters of SEPA, in which names and texts reach every bank. */

/**
 * `SEPA_BASIC` is the Latin set that every bank of the scheme takes; `UTF8` is for banks that agreed to
 * take all that a document of ISO 20022 may hold.
 */
export type CharacterSet = "SEPA_BASIC" | "UTF8"

/** The most characters of a name, and of the remittance information, in SEPA. */
export const longestName = 70
export const longestRemittance = 140

/** Letters that are no letter with a mark. */
const spelled: Readonly<Record<string, string>> = {
  æ: "ae",
  Æ: "AE",
  œ: "oe",
  Œ: "OE",
  ß: "ss",
  ẞ: "SS",
  ø: "o",
  Ø: "O",
  ł: "l",
  Ł: "L",
  đ: "d",
  Đ: "D",
  ð: "d",
  Ð: "D",
  þ: "th",
  Þ: "TH",
  ħ: "h",
  Ħ: "H",
  ı: "i",
  "&": "+",
  "@": "(at)",
  _: "-",
  ";": ","
}

const quotes = /["`´‘’‚‛“”„‟′″‹›«»]/gu
const dashes = /[‐‑‒–—―−]/gu
const marks = /\p{M}+/gu
const others = /[^a-zA-Z0-9/\-?:().,'+ ]+/gu

/**
 * A text in the characters of SEPA (`a-zA-Z0-9/-?:().,'+ `): marks are taken off letters, `æ œ ß ø ł` become
 * two or one letters, `&` `+`, `@` `(at)`, `_` `-`, `;` `,`, quotes `'`, dashes `-`, and the rest a blank.
 * Blanks are joined. Empty where nothing of it can be written.
 *
 * @param max how many characters it may have; what is longer is cut off
 */
export const sepaText = (text: string, max: number): string => {
  const plain = text
    // Before marks are taken off: `´` alone would become a blank and a mark.
    .replaceAll(quotes, "'")
    .replaceAll(dashes, "-")
    .normalize("NFKD")
    .replaceAll(marks, "")
    .replaceAll(/[^\x20-\x7e]|[&@_;]/gu, (character) => spelled[character] ?? character)
    .replaceAll(others, " ")
  return joined(plain).slice(0, max).trim()
}

/** Characters that a document of XML can't hold. */
const notXml = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/**
 * A text as an account's bank takes it.
 *
 * @param max how many characters it may have; what is longer is cut off
 */
export const bankText = (text: string, max: number, characters: CharacterSet): string => {
  if (characters === "SEPA_BASIC") return sepaText(text, max)
  const kept = joined(text.normalize("NFC").replaceAll(notXml, " "))
  // By characters, not by halves of them.
  return [...kept].slice(0, max).join("").trim()
}

/** Whether a text has the characters of SEPA alone. */
export const isSepaText = (text: string): boolean => /^[a-zA-Z0-9/\-?:().,'+ ]*$/u.test(text)

/** Whether something can be written of a name: one without any letter or digit can't be. */
export const isWritableName = (name: string): boolean =>
  /[a-zA-Z0-9]/u.test(sepaText(name, longestName))

const joined = (text: string): string => text.replaceAll(/\s+/gu, " ").trim()
