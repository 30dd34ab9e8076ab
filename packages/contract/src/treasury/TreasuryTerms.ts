/** What the members of statements and of the treasury's journal mean. */
import type { ParameterTerms } from "../requests/AreaReference.ts"
import { exampleId as id } from "../requests/Examples.ts"

export const statementTerms = {}

/** What the parameters of this area mean. */
export const treasuryParameters: ParameterTerms = {
  bankAccountId: { means: "The bank account, by its identifier.", example: id("bank_account") },
  bankStatementId: { means: "The statement, by its identifier.", example: id("bank_statement") }
}
