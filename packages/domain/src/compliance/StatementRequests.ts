/** What requests about statements of demands and needs say. */
import { Schema } from "effect"
import { CustomField, customFieldsOf } from "../values/CustomField.ts"
import { Text } from "../values/Text.ts"
import { ComparedOffer } from "./Statement.ts"

/** What a person advises beside what the rules of the product do. */
export const GivenAdvice = Schema.Struct({
  kind: Schema.Literals(["ADVICE", "RECOMMENDATION"]),
  tierId: Schema.optionalKey(Schema.String),
  reasons: Schema.optionalKey(Schema.Array(Text).check(Schema.isMaxLength(50))),
  compared: Schema.optionalKey(Schema.Array(ComparedOffer).check(Schema.isMaxLength(50)))
}).annotate({ identifier: "GivenAdvice" })
export type GivenAdvice = typeof GivenAdvice.Type

export const RecordStatement = Schema.Struct({
  answers: customFieldsOf(CustomField),
  advice: Schema.optionalKey(GivenAdvice)
}).annotate({ identifier: "RecordStatement" })
export type RecordStatement = typeof RecordStatement.Type

/** That the customer wants a cover that a rule of the product finds not to fit. */
export const ConfirmDeviation = Schema.Struct({
  ruleId: Schema.String,
  confirmed: Schema.Literal(true)
}).annotate({ identifier: "ConfirmDeviation" })
export type ConfirmDeviation = typeof ConfirmDeviation.Type
