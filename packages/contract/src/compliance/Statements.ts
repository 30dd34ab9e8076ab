import { Statement, StatementId } from "@quittance/domain/compliance/Statement"
import { ConfirmDeviation, RecordStatement } from "@quittance/domain/compliance/StatementRequests"
import { PolicyId } from "@quittance/domain/values/Ids"
import { Page } from "@quittance/domain/values/Page"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { access, idempotent, needs, people, RequestExample } from "../access/Access.ts"
import { commandErrors } from "../policies/CommandErrors.ts"
import { policyErrors } from "../policies/PolicyErrors.ts"
import { reference } from "../requests/AreaReference.ts"
import { bearer } from "../requests/Bearer.ts"
import {
  pageQuery,
  policyHeaders,
  triedQuery,
  viewQuery,
  writeHeaders
} from "../requests/Parameters.ts"
import { requestErrors } from "../requests/RequestErrors.ts"
import { statementErrors } from "./StatementErrors.ts"
import { statementParameters, statementTerms } from "./StatementTerms.ts"

export const StatementPage = Page(Statement).annotate({ identifier: "StatementPage" })

export class Statements extends bearer(
  HttpApiGroup.make("statements")
    .add(
      HttpApiEndpoint.post("record", "/policies/:policyId/statements", {
        params: { policyId: PolicyId },
        query: { branchId: viewQuery.branchId, ...triedQuery },
        headers: policyHeaders,
        payload: RecordStatement,
        success: Statement.pipe(HttpApiSchema.status(201)),
        error: [
          ...commandErrors,
          requestErrors.InvalidReference,
          statementErrors.StatementIncomplete
        ]
      })
        .annotateMerge(idempotent)
        .annotateMerge(needs("compliance.write", "RECORD"))
        .annotate(RequestExample, {
          answers: [{ key: "wantsTheft", value: true }],
          advice: { kind: "ADVICE", reasons: ["The car is parked in the street."] }
        })
        .annotate(OpenApi.Summary, "Record what a customer needs")
        .annotate(
          OpenApi.Description,
          "It is made for the cover that the branch has now. Once that cover or data of the policy change, it is outdated. Without `advice` the rules of the product advise. Advice of one's own needs `compliance.advise`."
        ),
      HttpApiEndpoint.get("list", "/policies/:policyId/statements", {
        params: { policyId: PolicyId },
        query: pageQuery,
        success: StatementPage,
        error: policyErrors.PolicyNotFound
      })
        .annotateMerge(needs("compliance.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the statements of a policy, the latest first"),
      HttpApiEndpoint.post(
        "confirmDeviation",
        "/policies/:policyId/statements/:statementId/deviations",
        {
          params: { policyId: PolicyId, statementId: StatementId },
          query: triedQuery,
          headers: writeHeaders,
          payload: ConfirmDeviation,
          success: Statement,
          error: [
            ...commandErrors,
            requestErrors.InvalidReference,
            statementErrors.DeviationNotPossible,
            statementErrors.StatementNotFound
          ]
        }
      )
        .annotateMerge(idempotent)
        .annotateMerge(needs("compliance.write", "RECORD"))
        .annotate(RequestExample, { ruleId: "THEFT_WANTED", confirmed: true })
        .annotate(OpenApi.Summary, "Say that a customer wants a cover that does not fit")
    )
    .annotateMerge(access({ scope: "platform/policies", callers: people }))
    .annotateMerge(
      reference({ errors: statementErrors, terms: statementTerms, parameters: statementParameters })
    )
    .annotateMerge(
      OpenApi.annotations({
        title: "Statements of needs",
        description: "What customers said that they need, what was advised, and why."
      })
    )
) {}
