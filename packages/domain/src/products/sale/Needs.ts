/**
 * What a product asks customers about their demands and needs, and what it makes of the answers. French law:
 * art. L521-4 code des assurances; European law: directive (EU) 2016/97, art. 20(1).
 */
import { Schema } from "effect"
import { CustomFieldValue } from "../../values/CustomField.ts"
import { Field, FieldKey } from "../ProductFields.ts"
import { Name } from "../ProductRating.ts"

const Answered = Schema.Struct({
  key: FieldKey,
  in: Schema.Array(CustomFieldValue).check(Schema.isMinLength(1))
})

/** What fits an answer: one of these tiers, and every one of these perils. */
export const NeedsRule = Schema.Struct({
  id: Name,
  when: Answered,
  expect: Schema.Struct({
    tiers: Schema.optionalKey(Schema.Array(Name).check(Schema.isMinLength(1))),
    perils: Schema.optionalKey(Schema.Array(Name).check(Schema.isMinLength(1)))
  }),
  /** `REFUSE`: nothing else is sold. `CONFIRM`: something else, where the customer says that they want it. */
  otherwise: Schema.Literals(["REFUSE", "CONFIRM"]),
  /** What the customer is told where it does not fit. */
  text: Schema.NonEmptyString
})
export type NeedsRule = typeof NeedsRule.Type

/** Which tier an answer speaks for, and why. */
const Recommendation = Schema.Struct({
  id: Name,
  when: Answered,
  tier: Name,
  because: Schema.NonEmptyString
})

export const Needs = Schema.Struct({
  questionnaire: Schema.Struct({
    version: Schema.NonEmptyString.check(Schema.isMaxLength(32)),
    questions: Schema.Array(Field).check(Schema.isMinLength(1), Schema.isMaxLength(100))
  }),
  rules: Schema.Array(NeedsRule).check(Schema.isMaxLength(200)),
  recommend: Schema.optionalKey(Schema.Array(Recommendation).check(Schema.isMaxLength(200)))
})
export type Needs = typeof Needs.Type
