import { CustomField } from "@quittance/domain/values/CustomField"
import { Duration } from "@quittance/domain/values/Duration"
import { InstantFromString } from "@quittance/domain/values/Instant"
import { InvoicingConfig } from "@quittance/domain/products/InvoicingConfig"
import { Page } from "@quittance/domain/values/Page"
import { BrokerageFee, PolicyId } from "@quittance/domain/policies/Policy"
import { Explanation, PerilChoice, QuoteId, QuoteResult } from "@quittance/domain/products/Quote"
import { ListedQuote } from "@quittance/domain/products/QuoteListing"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { access, everyone, needs, people, unkeyed } from "../access/Access.ts"
import { ApiError } from "../api/ApiError.ts"
import { branchQuery, customFieldsOf, pageQuery, recordQuery } from "../requests/Parameters.ts"
import { priceErrors, saleErrors, viewErrors } from "../policies/PolicyErrors.ts"

/** A whole risk in one body: what a comparison site prices without leaving a record. */
export const PreviewQuote = Schema.Struct({
  productId: Schema.String,
  startedAt: Schema.optionalKey(InstantFromString),
  invoicingConfig: Schema.optionalKey(InvoicingConfig),
  periodDuration: Schema.optionalKey(Duration),
  customFields: customFieldsOf(CustomField),
  customers: Schema.Array(
    Schema.Struct({ role: Schema.String, customFields: customFieldsOf(CustomField) })
  ).check(Schema.isMaxLength(100)),
  assets: Schema.Array(Schema.Struct({ customFields: customFieldsOf(CustomField) })).check(
    Schema.isMaxLength(1000)
  ),
  tierId: Schema.optionalKey(Schema.String),
  perils: Schema.optionalKey(Schema.Array(PerilChoice).check(Schema.isMaxLength(200))),
  brokerageFees: Schema.optionalKey(Schema.Array(BrokerageFee).check(Schema.isMaxLength(100)))
}).annotate({ identifier: "PreviewQuote" })

export const QuotePage = Page(ListedQuote).annotate({ identifier: "QuotePage" })

export class Quotes extends HttpApiGroup.make("quotes")
  .add(
    HttpApiEndpoint.post("preview", "/quotes/preview", {
      payload: PreviewQuote,
      success: QuoteResult,
      error: [...saleErrors, ...priceErrors, ApiError.InvalidRole, ApiError.UnknownProduct]
    })
      .annotateMerge(access({ scope: "platform/quotes", callers: everyone }))
      .annotateMerge(unkeyed)
      .annotateMerge(needs("quote.preview", "ANYWHERE"))
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
      error: [...viewErrors, ApiError.QuoteNotFound]
    })
      .annotateMerge(needs("quote.read", "RECORD"))
      .annotate(OpenApi.Summary, "Read a quote"),
    HttpApiEndpoint.get("explain", "/quotes/:quoteId/explanation", {
      params: { quoteId: QuoteId },
      query: recordQuery,
      success: Explanation,
      error: [...viewErrors, ApiError.QuoteNotFound]
    })
      .annotateMerge(needs("quote.read", "RECORD"))
      .annotate(OpenApi.Summary, "Tell why the price of a quote is what it is")
      .annotate(
        OpenApi.Description,
        "Component by component, what each input moved, in minor units; the steps of a component sum to its price."
      )
  )
  .annotateMerge(access({ scope: "platform/quotes", callers: people }))
  .annotateMerge(
    OpenApi.annotations({ title: "Quotes", description: "Prices, recorded and unrecorded." })
  ) {}
