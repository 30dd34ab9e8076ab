import { Schema } from "effect"

/** A name or reference that a person reads. */
export const Text = Schema.String.check(
  Schema.isPattern(/\S/u, { message: "Expected a text that is not blank" }),
  Schema.isMaxLength(200)
)

/** Words of a search; every one has to match the beginning of a word, accents and case apart. */
export const QueryString = Schema.String.check(Schema.isMaxLength(200))
