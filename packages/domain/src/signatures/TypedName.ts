/** Whether a name that a signer has typed is theirs. */

/** Accents of letters, as Unicode keeps them apart from their letters. */
const accents = /[\u{300}-\u{36f}]/gu

const folded = (name: string): string =>
  name
    // No compatibility forms: a letter of another script or shape is another letter.
    .normalize("NFD")
    .replaceAll(accents, "")
    .toUpperCase()
    .replaceAll("’", "'")
    .replaceAll(/\s+/gu, " ")
    .trim()

/** Whether a typed name is the first name and the last name of a signer, accents and case apart. */
export const isNameOf = (
  typed: string,
  { firstName, lastName }: { readonly firstName: string; readonly lastName: string }
): boolean => folded(typed) === folded(`${firstName} ${lastName}`)
