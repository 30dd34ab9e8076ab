import { PreviewQuote } from "@quittance/domain/quotes/QuoteRequests"
import { Page } from "@quittance/domain/values/Page"
import { Explanation, QuoteResult } from "@quittance/domain/products/Quote"
import { ListedQuote } from "@quittance/domain/products/QuoteListing"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  access,
  everyone,
  needs,
  people,
  prices,
  unkeyed,
  RequestExample
} from "../access/Access.ts"
import { productErrors } from "../products/ProductErrors.ts"
import { branchQuery, pageQuery, recordQuery } from "../requests/Parameters.ts"
import { priceErrors, saleErrors, viewErrors } from "../policies/CommandErrors.ts"
import { bearer } from "../requests/Bearer.ts"
import { PolicyId, QuoteId } from "@quittance/domain/values/Ids"
import { exampleDriver, exampleRisk, exampleVehicle } from "../requests/Examples.ts"
import { reference } from "../requests/AreaReference.ts"
import { quoteParameters, quoteTerms } from "./QuoteTerms.ts"

export const QuotePage = Page(ListedQuote).annotate({ identifier: "QuotePage" })

export class Quotes extends bearer(
  HttpApiGroup.make("quotes")
    .add(
      HttpApiEndpoint.post("preview", "/quotes/preview", {
        payload: PreviewQuote,
        success: QuoteResult,
        error: [
          ...saleErrors,
          ...priceErrors,
          productErrors.InvalidRole,
          productErrors.UnknownProduct
        ]
      })
        .annotateMerge(access({ scope: "platform/quotes", callers: everyone }))
        .annotateMerge(unkeyed)
        .annotateMerge(needs("quote.preview", "ANYWHERE"))
        .annotateMerge(prices)
        .annotate(RequestExample, {
          productId: "motor-fr",
          customFields: exampleRisk,
          customers: [{ role: "POLICYHOLDER", customFields: exampleDriver }],
          assets: [{ customFields: exampleVehicle }],
          tierId: "THIRD_PARTY_PLUS"
        })
        .annotate(OpenApi.Summary, "Price a risk without any record"),
      HttpApiEndpoint.get("listByPolicy", "/quotes/policies/:policyId", {
        params: { policyId: PolicyId },
        query: { ...pageQuery, ...branchQuery },
        success: QuotePage,
        error: viewErrors
      })
        .annotateMerge(needs("quote.read", "RECORD"))
        .annotate(OpenApi.Summary, "List the quotes of a policy")
        .annotate(OpenApi.Description, "With `branchId` those that were given on that branch."),
      HttpApiEndpoint.get("get", "/quotes/:quoteId", {
        params: { quoteId: QuoteId },
        query: recordQuery,
        success: ListedQuote,
        error: [...viewErrors, productErrors.QuoteNotFound]
      })
        .annotateMerge(needs("quote.read", "RECORD"))
        .annotate(OpenApi.Summary, "Read a quote"),
      HttpApiEndpoint.get("explain", "/quotes/:quoteId/explanation", {
        params: { quoteId: QuoteId },
        query: recordQuery,
        success: Explanation,
        error: [...viewErrors, productErrors.QuoteNotFound]
      })
        .annotateMerge(needs("quote.read", "RECORD"))
        .annotate(OpenApi.Summary, "Explain the price of a quote")
        .annotate(
          OpenApi.Description,
          "Component by component, what each input moved, in minor units; the steps of a component sum to its price."
        )
    )
    .annotateMerge(access({ scope: "platform/quotes", callers: people }))
    .annotateMerge(reference({ terms: quoteTerms, parameters: quoteParameters }))
    .annotateMerge(
      OpenApi.annotations({ title: "Quotes", description: "Prices, recorded and unrecorded." })
    )
) {}
