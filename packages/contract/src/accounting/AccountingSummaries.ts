import { ListSummaries, ListWorklist } from "@quittance/domain/accounting/AccountingRequests"
import { AccountingSummary, orderKeys } from "@quittance/domain/accounting/AccountingSummary"
import { Worklist } from "@quittance/domain/accounting/Worklist"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, everyone, needs, people } from "../access/Access.ts"
import { orderedQuery } from "../requests/OrderedQuery.ts"
import { pageQuery } from "../requests/Parameters.ts"
import { bearer } from "../requests/Bearer.ts"
import { reference } from "../requests/AreaReference.ts"
import { accountingParameters, accountingTerms } from "./AccountingTerms.ts"

export class AccountingSummaries extends bearer(
  HttpApiGroup.make("accountingSummaries")
    .add(
      HttpApiEndpoint.get("list", "/accounting-summary", {
        query: orderedQuery({ ...pageQuery, ...ListSummaries.fields }, orderKeys),
        success: AccountingSummary
      })
        .annotateMerge(needs("accounting.read", "ANYWHERE"))
        .annotate(OpenApi.Summary, "List the unpaid invoices of payers")
        .annotate(
          OpenApi.Description,
          "One entry for each customer who pays and policy with at least one unpaid invoice, due or not."
        ),
      HttpApiEndpoint.get("worklist", "/billing/worklist", {
        query: { ...pageQuery, ...ListWorklist.fields },
        success: Worklist
      })
        .annotateMerge(access({ scope: "platform/billing", callers: people }))
        .annotateMerge(needs("billing.read", "ANYWHERE"))
        .annotate(OpenApi.Summary, "List what people have to do about money")
        .annotate(
          OpenApi.Description,
          "What can be done the longest comes first, each with the command that does it. `counts` counts every kind, whichever are asked for."
        )
    )
    .annotateMerge(access({ scope: "platform/billing", callers: everyone }))
    .annotateMerge(reference({ terms: accountingTerms, parameters: accountingParameters }))
    .annotateMerge(
      OpenApi.annotations({
        title: "Accounting summary",
        description: "Accounting: what each policy owes."
      })
    )
) {}
