/**
 * Whether a product's regular expression is safe to run on a text that a stranger sends. JavaScript's
 * engine backtracks, so a pattern such as `(a+)+` takes exponential time; the ways in which a pattern
 * can match are counted, and one that has too many is refused when the product is published.
 */

/** Far below what a request may cost, far above what an identifier's pattern needs. */
const maxWays = 100_000

const token =
  /\\[pPuxkc]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?::|<?[=!]|<[^>]*>))?|[)|]|[*+?]\??|\{(\d+)(,?)(\d*)\}\??|./gsu

/** What is wrong with the pattern for texts of at most `maxLength` characters. */
export const patternFault = (pattern: string, maxLength: number): string | undefined => {
  if (!compiles(pattern)) return "Give a regular expression of JavaScript with the flag u."
  let ways = 1
  let previous = ""
  for (const match of pattern.matchAll(token)) {
    const [text, least, comma, most] = match
    const quantifier = least !== undefined || /^[*+?]\??$/u.test(text)
    if (/^\(\?<?[=!]/u.test(text) || /^\\[1-9k]/u.test(text)) {
      return "Leave out look-arounds and references to groups."
    }
    if (quantifier && previous === ")" && !text.startsWith("?")) {
      return "Leave out repetitions of groups; they can explode."
    }
    if (quantifier) ways *= widthOf({ text, least, comma, most }, maxLength) + 1
    if (text === "|") ways *= 2
    if (ways > maxWays) {
      return `Give the field a smaller \`max\`, or the pattern fewer open repetitions; a text of ${maxLength} characters could match it in too many ways.`
    }
    previous = text
  }
  return undefined
}

const compiles = (pattern: string): boolean => {
  try {
    // Alone too, so that a `)` of its own does not close the group it is put in.
    RegExp(pattern, "u")
    RegExp(`^(?:${pattern})$`, "u")
    return true
  } catch {
    return false
  }
}

/** How many lengths a repetition can have beyond its least one. */
const widthOf = (
  quantifier: {
    readonly text: string
    readonly least: string | undefined
    readonly comma: string | undefined
    readonly most: string | undefined
  },
  maxLength: number
): number => {
  const { comma, least, most, text } = quantifier
  if (text.startsWith("?")) return 1
  if (least === undefined) return maxLength
  if (comma === "") return 0
  return (most === "" || most === undefined ? maxLength : Number(most)) - Number(least)
}
