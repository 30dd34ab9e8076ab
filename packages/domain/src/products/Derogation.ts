/** Rules of a product that refer a risk to an underwriter. */
import { Schema } from "effect"
import { Name } from "./ProductRating.ts"

/** A rule: where the rating input, a BOOLEAN, is true of the policy, of a customer or of an asset on it. */
export const DerogationRule = Schema.Struct({
  id: Name,
  /** What prevents it, for readers. */
  label: Schema.NonEmptyString,
  input: Name
})
export type DerogationRule = typeof DerogationRule.Type

/** A rule that stands in the way of a price being sold. */
export const Derogation = Schema.Struct({ id: Name, label: Schema.String }).annotate({
  identifier: "Derogation"
})
export type Derogation = typeof Derogation.Type

export class DerogationRequired extends Schema.TaggedError<DerogationRequired>()(
  "DerogationRequired",
  { derogations: Schema.Array(Derogation) }
) {
  override get message() {
    return "Change what the rules listed in details object to, and quote again; a derogation is needed otherwise."
  }
}
