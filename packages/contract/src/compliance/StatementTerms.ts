/** What the members of statements mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const statementTerms = {
  "Statement.id": "The statement, by its identifier.",
  "Statement.policyId": "The policy that it is about.",
  "Statement.branchId": "The branch that it is about.",
  questionnaireVersion: "The version of the questions that were asked.",
  "Statement.answers":
    "What the customer has answered; questions that were not shown are left out.",
  "RecordStatement.answers":
    "The answers, by the keys of the product's questions, in the form of custom fields.",
  "Statement.needs": "Each question and its answer, in words.",
  "Statement.advice": "What was advised, and why.",
  "RecordStatement.advice": "What a person advises beside the rules of the product.",
  "Advice.kind":
    "`NONE`: nothing is advised. `ADVICE`: why this contract fits. `RECOMMENDATION`: why it fits better than others.",
  "GivenAdvice.kind":
    "`ADVICE`: why this contract fits. `RECOMMENDATION`: why it fits better than others.",
  "Advice.tierId": "The tier that is advised.",
  "GivenAdvice.tierId": "The tier that is advised; that of the rules unless it is said.",
  "Advice.reasons": "The reasons: those of the rules first.",
  "GivenAdvice.reasons": "Reasons of one's own, which come after those of the rules.",
  "reasons.because": "The reason, in words.",
  "reasons.ruleId": "The rule of the product that gives the reason; absent of a person's own.",
  "Advice.compared": "The offers that were compared.",
  "GivenAdvice.compared": "The offers that were compared; at least two for a `RECOMMENDATION`.",
  "ComparedOffer.name": "The offer, by its name.",
  "ComparedOffer.price": "Its price for a term, in minor units of the product's currency.",
  "ComparedOffer.why": "Why it is or is not the better one.",
  "Statement.deviations": "The rules of the product that the cover does not keep.",
  "StatementDeviation.ruleId": "The rule, by its identifier in the product.",
  "StatementDeviation.text": "What the customer is told of it.",
  "StatementDeviation.otherwise":
    "`REFUSE`: such a cover is not sold. `CONFIRM`: it is sold once the customer has confirmed it.",
  confirmedBy: "The user or session that confirmed it, by its identifier.",
  "StatementDeviation.confirmedAt": "When it was confirmed, in UTC.",
  "ConfirmDeviation.ruleId": "The rule, by its identifier in the product.",
  "ConfirmDeviation.confirmed": "That the customer wants this cover all the same.",
  "Statement.author": "The user or session that recorded it, by its identifier.",
  "Statement.createdAt": "When it was recorded, in UTC.",
  "Statement.digest":
    "The SHA-256 of the answers and of the data that they were given for, in lower-case hex.",
  "StatementIncomplete.details.issues": "Every fault of the statement, not just the first.",
  "StatementIncomplete.details.issues.path": "The member, as a JSON pointer into the body.",
  "StatementIncomplete.details.issues.message": "How to correct it.",
  "details.statementId": "The statement that the policy does not have.",
  "details.ruleId": "The rule that refuses."
}

/** What the parameters of this area mean. */
export const statementParameters: ParameterTerms = {
  statementId: { means: "The statement, by its identifier.", example: id("statement") }
}
