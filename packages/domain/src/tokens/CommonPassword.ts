/**
 * Whether a password is one of those that are tried first (NIST SP 800-63B-4, section 3.1.1.2): common words
 * with digits and signs around them, runs of digits, walks on a keyboard, and what is publicly known of the
 * person. It is read once from left to right, so that its work grows with its length alone.
 */

/** Of all lists of passwords, and what they are made of in the languages of the tenants. */
const words = (
  "password passwort passwd pass motdepasse contrasena contraseña senha wachtwoord geheim secret admin " +
  "administrator root user login welcome willkommen bienvenue bienvenido bonjour hallo hello letmein " +
  "changeme changeit default test testing sandbox quittance insurance assurance versicherung seguros " +
  "iloveyou iloveu ichliebedich jetaime teamo love lover baby babygirl angel princess princesse " +
  "prinzessin superman batman spiderman pokemon starwars naruto football fussball futbol baseball " +
  "basketball soccer hockey liverpool chelsea arsenal barcelona realmadrid manchester united juventus " +
  "bayern schalke dortmund marseille dragon monkey sunshine soleil sonne schatz master trustno shadow " +
  "freedom whatever computer internet google facebook samsung iphone apple michael jordan jessica " +
  "charlie daniel thomas jennifer ashley nicole andrea alexander anthony matthew flower cookie chocolate " +
  "chocolat loulou doudou cheval chouchou coucou butterfly purple orange silver diamond mustang ferrari " +
  "mercedes porsche summer winter spring autumn ete hiver printemps automne sommer fruehling herbst " +
  "january february march april june july august september october november december janvier fevrier " +
  "mars avril juin juillet aout septembre octobre novembre decembre januar februar maerz juni juli " +
  "oktober dezember monday friday sunday lundi vendredi montag freitag company service office temp guest " +
  "info abc qwe asd zxc azerty qwerty qwertz"
).split(" ")

/** Rows, columns and zigzags of the common keyboards; walks go both ways. */
const walks = [
  "01234567890",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiop",
  "asdfghjkl",
  "zxcvbnm",
  "azertyuiop",
  "qsdfghjklm",
  "wxcvbn",
  "qwertzuiop",
  "yxcvbnm",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
  "qazwsxedcrfvtgbyhnujmikolp",
  "q1w2e3r4t5y6u7i8o9p0",
  "1q2w3e4r5t6y7u8i9o0p",
  "a1z2e3r4t5y6u7i8o9p0",
  "zaq1xsw2cde3vfr4bgt5nhy6mju7",
  "147258369",
  "159357"
].flatMap((walk) => [walk, [...walk].toReversed().join("")])

/** Signs and digits that are written for letters, as they are read. */
const read: Readonly<Record<string, string>> = {
  "4": "a",
  "@": "a",
  "8": "b",
  "3": "e",
  "€": "e",
  "6": "g",
  "1": "i",
  "!": "i",
  "0": "o",
  "5": "s",
  $: "s",
  "7": "t",
  "+": "t"
}

/** Fewer pieces than this are put together by a machine before anything else is tried. */
const fewest = 5

/** Own words count from this length on; of shorter ones everything is made. */
const shortestWord = 3
/** The same of a list of passwords, which has most syllables in it. */
const shortestListed = 4
/** Characters of a word that are looked at. It bounds the work at each place of a password. */
export const longestWord = 32

const builtIn: ReadonlySet<string> = new Set(words)
const nothing: ReadonlySet<string> = new Set()

/**
 * Whether too few pieces of the password are unknown to others. `ownWords`: what is publicly known of the
 * person; `listed`: passwords that are tried first, in small letters. At each place of the password each
 * length up to `longestWord` is looked up in each of three readings, twice at most.
 */
export const isCommon = (
  password: string,
  ownWords: ReadonlyArray<string> = [],
  listed: ReadonlySet<string> = nothing
): boolean => {
  const plain = password.normalize("NFKC").toLowerCase()
  if (/^[\p{N}\p{P}\p{Z}\p{S}]+$/u.test(plain) || /^(.{1,4})\1+.{0,3}$/su.test(plain)) return true
  const readings = [...new Set([plain, folded(plain, "i"), folded(plain, "l")])]
  const own = new Set(
    ownWords.map((word) => word.normalize("NFKC").toLowerCase().slice(0, longestWord))
  )
  const isWord = (text: string): boolean =>
    builtIn.has(text) || own.has(text) || (text.length >= shortestListed && listed.has(text))
  const wordsAt = (at: number) => wordLengthsAt(readings, at, isWord)
  return repeatsFew(plain, wordsAt) || hasFew(plain, wordsAt)
}

/** The lengths of the words that begin somewhere, the longest first. */
type WordsAt = (at: number) => ReadonlyArray<number>

/** Whether, read from left to right by the longest pieces, it has few different ones. */
const repeatsFew = (plain: string, wordsAt: WordsAt): boolean => {
  const seen = new Set<string>()
  let others = 0
  for (let at = 0; at < plain.length;) {
    const [longest] = wordsAt(at)
    const piece = longest === undefined ? runAt(plain, at) : plain.slice(at, at + longest)
    // A sign between words counts once, as a word does: people join all of theirs by the same.
    if (piece !== undefined) seen.add(piece)
    else if (/^[\p{P}\p{Z}\p{S}]/u.test(plain.slice(at, at + 2))) seen.add(plain[at]!)
    else others++
    if (seen.size + others >= fewest) return false
    at += piece?.length ?? 1
  }
  return true
}

/** Whether it can be read as few pieces, by shorter ones too: `password2` is a word, and so is `2024`. */
const hasFew = (plain: string, wordsAt: WordsAt): boolean => {
  const reached = new Set([0])
  let last: ReadonlyArray<number> = [0]
  for (let pieces = 1; pieces < fewest; pieces++) {
    const next: Array<number> = []
    for (const at of last) {
      for (const length of [1, runAt(plain, at)?.length ?? 1, ...wordsAt(at)]) {
        if (at + length === plain.length) return true
        if (reached.size < reached.add(at + length).size) next.push(at + length)
      }
    }
    last = next
  }
  return false
}

const wordLengthsAt = (
  readings: ReadonlyArray<string>,
  at: number,
  isWord: (text: string) => boolean
): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let length = longestWord; length >= shortestWord; length--) {
    const begins = (text: string) =>
      at + length <= text.length && isWord(text.slice(at, at + length))
    if (readings.some(begins)) found.push(length)
  }
  return found
}

/** The words that acquaintances of the person know: of names, addresses and the tenant. */
export const wordsOf = (...texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)])

const folded = (text: string, one: string) =>
  [...text].map((sign) => (sign === "1" ? one : (read[sign] ?? sign))).join("")

/** A year, one character again and again, or a walk of three and more, from here on. */
const runAt = (text: string, at: number): string | undefined => {
  const rest = text.slice(at, at + 40)
  const same = /^(.)\1{2,}/su.exec(rest)?.[0]
  if (same !== undefined) return same
  for (let length = rest.length; length >= 3; length--) {
    const piece = rest.slice(0, length)
    if (walks.some((walk) => walk.includes(piece))) return piece
  }
  return /^(?:19|20)\d\d/u.exec(rest)?.[0]
}
