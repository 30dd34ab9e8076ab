/** The errors of statements on the wire. The last argument of each shows its details. */
import * as Statement from "@quittance/domain/compliance/Statement"
import { exampleId as id } from "../requests/Examples.ts"
import { wireError } from "../requests/WireError.ts"

export const statementErrors = {
  StatementNotFound: wireError(
    Statement.StatementNotFound,
    404,
    "STATEMENT_NOT_FOUND",
    "The policy has no such statement.",
    { statementId: id("statement") }
  ),
  StatementIncomplete: wireError(
    Statement.StatementIncomplete,
    422,
    "STATEMENT_INCOMPLETE",
    "Answers are missing or wrong, or advice lacks its reasons.",
    { issues: [{ path: "/answers/wantsTheft", message: "Give a value; the product needs it." }] }
  ),
  DeviationNotPossible: wireError(
    Statement.DeviationNotPossible,
    409,
    "DEVIATION_NOT_POSSIBLE",
    "The product does not sell against this rule, whatever the customer wants.",
    { ruleId: "THEFT_WANTED" }
  )
} as const
