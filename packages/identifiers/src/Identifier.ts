/**
 * Whether a text can be an identifier of some kind: its form and its check digits. Only a register knows
 * whether it was ever issued. Letters count in either case and blanks between groups do not count, as people
 * write them; every other character does.
 */
import { prefixes, schema } from "@quittance/domain/values/PrefixedId"
import { remainder97 } from "@quittance/domain/values/Remainder97"
import { Schema } from "effect"
import { isValidBIC, isValidIBAN } from "ibantools"
import { isPossiblePhoneNumber } from "libphonenumber-js"
import { euVat, stdnum } from "stdnum"

export const IdentifierKind = Schema.Literals([
  /** International bank account number (ISO 13616), with the national check of the account. */
  "iban",
  /** Business identifier code of a bank (ISO 9362), of 8 or 11 characters. */
  "bic",
  /** A company in France: 9 digits (Luhn). */
  "siren",
  /** An establishment of it: 14 digits (Luhn; those of La Poste by the sum of their digits). */
  "siret",
  /** VAT number of a company in France, `FR` included. */
  "vatFR",
  /** VAT number in a member state of the European Union, prefix included. */
  "vatEU",
  /** Structured creditor reference (ISO 11649). */
  "creditorReferenceRF",
  /** SEPA creditor identifier (EPC262-08): its business code takes no part in the check digits. */
  "sepaCreditorIdentifier",
  /** Vehicle identification number (ISO 3779): European makers leave the check digit unused. */
  "vin",
  /** Number plate in France: of the present series, or of the one before 2009. */
  "plateFR",
  /** Registration of an insurance intermediary in France: 8 digits. */
  "orias",
  /** Telephone number with its country, such as `+33 6 39 98 00 01`. */
  "phone",
  /** An identifier of this service, of any of its records. */
  "entityId"
])
export type IdentifierKind = typeof IdentifierKind.Type

/** Whether the text can be an identifier of the kind. */
export const isValid = (kind: IdentifierKind, text: string): boolean => checks[kind](text)

const compact = (text: string): string => text.replaceAll(" ", "").toUpperCase()

const matching = (pattern: RegExp) => (text: string) => pattern.test(compact(text))

const isCreditorReference = (text: string): boolean => {
  const parts = /^(RF\d{2})([A-Z0-9]{1,21})$/u.exec(compact(text))
  return parts !== null && remainder97(`${parts[2]}${parts[1]}`) === 1
}

const isCreditorIdentifier = (text: string): boolean => {
  const parts = /^([A-Z]{2}\d{2})[A-Z0-9]{3}([A-Z0-9]{1,28})$/u.exec(compact(text))
  return parts !== null && remainder97(`${parts[2]}${parts[1]}`) === 1
}

/** Greece is EL in its VAT numbers, and GR everywhere else. */
const isVat = (text: string): boolean => {
  const country = text.slice(0, 2)
  const validators = euVat[country === "EL" ? "GR" : country] ?? []
  return validators.some(({ validate }) => validate(text).isValid)
}

const french = (name: "siren" | "siret") => (text: string) =>
  stdnum["FR"]?.[name]?.validate(compact(text)).isValid ?? false

const isEntityId: (text: string) => boolean = Schema.is(Schema.Union(prefixes.map(schema)))

const checks: Readonly<Record<IdentifierKind, (text: string) => boolean>> = {
  iban: (text) => isValidIBAN(compact(text)),
  bic: (text) => isValidBIC(compact(text)),
  siren: french("siren"),
  siret: french("siret"),
  vatFR: (text) => compact(text).startsWith("FR") && isVat(compact(text)),
  vatEU: (text) => isVat(compact(text)),
  creditorReferenceRF: isCreditorReference,
  sepaCreditorIdentifier: isCreditorIdentifier,
  vin: matching(/^[A-HJ-NPR-Z0-9]{17}$/u),
  // Letters never I, O, U nor the pair SS, numbers from 001; before 2009 `123 AB 45` (`2A`, `2B`, `971`…).
  plateFR: (text) =>
    /^(?!SS)[A-HJ-NP-TV-Z]{2}-?(?!000)\d{3}-?(?!SS)[A-HJ-NP-TV-Z]{2}$/u.test(compact(text)) ||
    /^[1-9]\d{0,3}[A-HJ-NP-TV-Z]{1,3}(?:0[1-9]|[1-8]\d|9[0-5]|2[AB]|97[1-6])$/u.test(compact(text)),
  orias: (text) => /^\d{8}$/u.test(text),
  // Not `isValid`, which knows no number that is reserved for examples and lags behind new ranges.
  phone: (text) => text.startsWith("+") && isPossiblePhoneNumber(text),
  entityId: isEntityId
}
