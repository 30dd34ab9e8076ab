/**
 * The remainder that check digits of IBANs, creditor identifiers and references are made by (ISO 7064,
 * MOD 97-10). Letters count as 10 to 35; a sound text has the remainder 1.
 *
 * @param text digits and capitals alone
 */
export const remainder97 = (text: string): number => {
  let value = 0
  for (const character of text) {
    const digit = Number.parseInt(character, 36)
    value = (value * (digit < 10 ? 10 : 100) + digit) % 97
  }
  return value
}
