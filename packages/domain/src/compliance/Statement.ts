/**
 * What a customer said that they need, what was advised, and where the cover that is sold differs from it. A
 * statement never changes; a newer one of the same branch takes its place.
 */
import { Schema } from "effect"
import { CustomField } from "../values/CustomField.ts"
import { BranchId, PolicyId } from "../values/Ids.ts"
import { Instant } from "../values/Instant.ts"
import * as PrefixedId from "../values/PrefixedId.ts"

export const StatementId = PrefixedId.schema("statement")
export type StatementId = typeof StatementId.Type

/** An offer that was looked at beside the one that is recommended. */
export const ComparedOffer = Schema.Struct({
  name: Schema.NonEmptyString.check(Schema.isMaxLength(200)),
  price: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1e12 }))),
  why: Schema.NonEmptyString.check(Schema.isMaxLength(1000))
}).annotate({ identifier: "ComparedOffer" })

/** `ADVICE`: why this contract fits. `RECOMMENDATION`: why it fits better than others (art. L521-4 II). */
export const Advice = Schema.Struct({
  kind: Schema.Literals(["NONE", "ADVICE", "RECOMMENDATION"]),
  tierId: Schema.optionalKey(Schema.String),
  reasons: Schema.Array(
    Schema.Struct({ because: Schema.String, ruleId: Schema.optionalKey(Schema.String) })
  ),
  compared: Schema.optionalKey(Schema.Array(ComparedOffer))
}).annotate({ identifier: "Advice" })
export type Advice = typeof Advice.Type

/** A rule of the product that the cover does not keep; sold where the customer has confirmed it. */
export const Deviation = Schema.Struct({
  ruleId: Schema.String,
  text: Schema.String,
  otherwise: Schema.Literals(["REFUSE", "CONFIRM"]),
  confirmedBy: Schema.optionalKey(Schema.String),
  confirmedAt: Schema.optionalKey(Instant)
}).annotate({ identifier: "StatementDeviation" })
export type Deviation = typeof Deviation.Type

export const Statement = Schema.Struct({
  id: StatementId,
  policyId: PolicyId,
  branchId: BranchId,
  questionnaireVersion: Schema.String,
  answers: Schema.Array(CustomField),
  /** Each question and its answer, in words. */
  needs: Schema.Array(Schema.String),
  advice: Advice,
  deviations: Schema.Array(Deviation),
  author: Schema.String,
  createdAt: Instant,
  /** SHA-256 of the answers and of the policy's data that they were given for, in hex. */
  digest: Schema.String
}).annotate({ identifier: "Statement" })
export type Statement = typeof Statement.Type

/** The same with the number of the policy's last change before it: what has changed since outdates it. */
export const StoredStatement = Schema.Struct({ ...Statement.fields, changeSeq: Schema.Int })
export type StoredStatement = typeof StoredStatement.Type

export class StatementNotFound extends Schema.TaggedError<StatementNotFound>()(
  "StatementNotFound",
  { statementId: StatementId }
) {
  override get message() {
    return `The policy has no statement ${this.statementId}; list them first.`
  }
}

/** Answers are missing or wrong, or advice lacks its reasons. */
export class StatementIncomplete extends Schema.TaggedError<StatementIncomplete>()(
  "StatementIncomplete",
  { issues: Schema.Array(Schema.Struct({ path: Schema.String, message: Schema.String })) }
) {
  override get message() {
    return "Correct what details list; the product's `needs` define the questions."
  }
}

/** A rule that refuses is not for the customer to set aside. */
export class DeviationNotPossible extends Schema.TaggedError<DeviationNotPossible>()(
  "DeviationNotPossible",
  { ruleId: Schema.String }
) {
  override get message() {
    return `The product does not sell against ${this.ruleId}; choose a cover that fits, and quote again.`
  }
}
