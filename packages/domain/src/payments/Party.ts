/** Who holds an account, as files of payments name them. */
import { Schema } from "effect"

const part = (most: number) =>
  Schema.String.check(
    Schema.isPattern(/\S/u, { message: "Expected a text that is not blank" }),
    Schema.isMaxLength(most)
  )

/** The longest name in SEPA. */
export const HolderName = part(70)

/** Two letters (ISO 3166). */
export const Country = Schema.String.check(
  Schema.isPattern(/^[A-Z]{2}$/u, { message: "Expected a country in two capitals, such as FR" })
)

/** An address in parts: banks take no lines without a town and a country since 15 November 2026. */
export const PartyAddress = Schema.Struct({
  street: Schema.optionalKey(part(70)),
  number: Schema.optionalKey(part(16)),
  postcode: Schema.optionalKey(part(16)),
  town: part(35),
  country: Country
}).annotate({ identifier: "PartyAddress" })
export type PartyAddress = typeof PartyAddress.Type
