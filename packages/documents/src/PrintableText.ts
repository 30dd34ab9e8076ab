/** Text as it is printed: composed, without what can't be seen, in characters that our fonts have. */
import { covered } from "./FontCoverage.ts"

/**
 * Controls, and what changes the direction of text or hides in it: left as it is, a name could make the rest
 * of its line read backwards. A line feed stays: it breaks the line.
 */
const invisible = /(?!\n)[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu

/** NFC, with tabs as spaces and without invisible characters. */
export const printable = (text: string): string =>
  text
    .replaceAll(/\r\n?|\u{2028}|\u{2029}/gu, "\n")
    .replaceAll("\t", " ")
    .replaceAll(invisible, "")
    // After all of this, or else what stood apart would come together in the next reading.
    .normalize("NFC")

/** The characters of a printable text that no font of ours has, each once. */
export const unprintable = (text: string): ReadonlyArray<string> => [
  ...new Set([...text].filter((character) => character !== "\n" && !isCovered(character)))
]

/** Half-open ranges in order: found by halving. */
const isCovered = (character: string): boolean => {
  const code = character.codePointAt(0)!
  let [low, high] = [0, covered.length / 2]
  while (low < high) {
    const middle = (low + high) >> 1
    if (code < covered[middle * 2]!) high = middle
    else if (code >= covered[middle * 2 + 1]!) low = middle + 1
    else return true
  }
  return false
}
