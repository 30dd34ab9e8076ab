/**
 * Names against a list of asset freezes. Freezes bind everybody (in the Union by regulations such as (EC)
 * 881/2002), lists have many spellings, and word orders differ: names are compared by their words.
 */
import { Schema } from "effect"

/** A person or an organisation on the list, with all names that the list has. */
export const ListedParty = Schema.Struct({
  /** As the list calls it. */
  id: Schema.NonEmptyString.check(Schema.isMaxLength(100)),
  names: Schema.NonEmptyArray(Schema.NonEmptyString.check(Schema.isMaxLength(500))).check(
    Schema.isMaxLength(200)
  )
})
export type ListedParty = typeof ListedParty.Type

/** A list as an operator loads it. */
export const ScreeningList = Schema.Struct({
  /** By which answers say what they were given by, such as the list's day of issue. */
  version: Schema.NonEmptyString.check(Schema.isMaxLength(100)),
  entries: Schema.NonEmptyArray(ListedParty).check(Schema.isMaxLength(100_000))
})
export type ScreeningList = typeof ScreeningList.Type

/** A list that was loaded. */
export interface LoadedList {
  readonly version: string
  readonly entries: number
}

const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i"
}

/** The words of a name, each once: without marks, case and punctuation. */
export const wordsOf = (name: string): ReadonlyArray<string> => {
  const folded = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/gu, (letter) => letters[letter]!)
    .replace(/['’`]/gu, "")
  return [...new Set(folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ""))]
}

const isWithin = (some: ReadonlyArray<string>, all: ReadonlyArray<string>): boolean =>
  some.length > 0 && some.every((word) => all.includes(word))

/**
 * Whether a payee may be who a listed name is of: all words of the listed name are in the payee's, or the
 * payee's, at least two, are all in the listed one, which often has more given names.
 */
export const isLike = (payee: string, listed: string): boolean => {
  const [words, others] = [wordsOf(payee), wordsOf(listed)]
  return isWithin(others, words) || (words.length >= 2 && isWithin(words, others))
}
