/**
 * IBANs of requests. No error repeats one: a text that does not fit is told by its place alone. Whether the
 * national check digits fit, too, is for the package `identifiers` to say.
 */
import { Schema, SchemaGetter } from "effect"
import { remainder97 } from "../values/Remainder97.ts"

/**
 * The countries and territories of the SEPA schemes by the letters of their IBANs, with the length of these
 * (EPC409-09, list of SEPA scheme countries; SWIFT, IBAN registry).
 */
const lengths: Readonly<Record<string, number>> = {
  AD: 24,
  AL: 28,
  AT: 20,
  BE: 16,
  BG: 22,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  GI: 23,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IS: 26,
  IT: 27,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MC: 27,
  MD: 24,
  ME: 22,
  MK: 19,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  RO: 24,
  RS: 22,
  SE: 24,
  SI: 19,
  SK: 24,
  SM: 27,
  VA: 22
}

/** SEPA outside the EEA: their banks want the debtor's address with a debit (EPC rulebooks 2025, 4.8). */
const outsideEea = new Set(["AD", "AL", "CH", "GB", "GI", "MC", "MD", "ME", "MK", "RS", "SM", "VA"])

const compact = (text: string): string => text.replaceAll(" ", "").toUpperCase()

const isIban = (text: string): boolean => {
  const iban = compact(text)
  return (
    /^[A-Z]{2}\d{2}[A-Z0-9]+$/u.test(iban) &&
    iban.length === lengths[iban.slice(0, 2)] &&
    remainder97(`${iban.slice(4)}${iban.slice(0, 4)}`) === 1
  )
}

/** An account in SEPA, in capitals without blanks; in a request case and blanks between groups do not count. */
export const Iban = Schema.String.check(
  Schema.makeFilter(isIban, {
    message: "Expected the IBAN of an account in SEPA with its check digits"
  })
).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform(compact),
    encode: SchemaGetter.passthrough()
  })
)

/** The two letters of an account's country. */
export const countryOf = (iban: string): string => iban.slice(0, 2)

/** What is shown of an account. */
export const lastFourOf = (iban: string): string => iban.slice(-4)

/** Whether a bank of the country wants the debtor's address. */
export const needsAddress = (country: string): boolean => outsideEea.has(country)

/** A business identifier code (ISO 9362), in capitals. */
export const Bic = Schema.String.check(
  Schema.isPattern(/^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$/u, {
    message: "Expected a BIC of 8 or 11 capitals and digits"
  })
)
