import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { PolicyLists } from "@quittance/operations/policies/PolicyList"
import { Policies } from "@quittance/operations/policies/Policies"
import { PolicyAnswers } from "@quittance/operations/policies/PolicyAnswers"
import { Quotes } from "@quittance/operations/quotes/Quotes"
import { Sales } from "@quittance/operations/lifecycle/PolicySale"
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const PoliciesHandlers = HttpApiBuilder.group(
  PublicApi,
  "policies",
  Effect.fn(function* (handlers) {
    const answers = yield* PolicyAnswers
    const listings = yield* PolicyLists
    const policies = yield* Policies
    const quotes = yield* Quotes
    const sales = yield* Sales

    return handlers.handleAll({
      create: (request) => asRequest(request, policies.create(request.payload)),
      list: ({ query }) => listings.policies(query, pageRequest(query)),
      get: (request) =>
        Effect.map(asRequest({}, answers.read({ ...request.params, ...request.query })), asJson),
      update: (request) =>
        asRequest(
          request,
          policies.update({ ...request.params, ...request.query }, request.payload)
        ),
      calculateQuote: (request) =>
        asRequest({}, quotes.calculate({ ...request.params, ...request.query }, request.payload)),
      quote: (request) =>
        asRequest(request, quotes.quote({ ...request.params, ...request.query }, request.payload)),
      availablePricing: (request) =>
        asRequest({}, quotes.available({ ...request.params, ...request.query })),
      confirm: (request) =>
        asRequest(request, sales.confirm({ ...request.params, ...request.query })),
      reopen: (request) =>
        asRequest(request, sales.reopen({ ...request.params, ...request.query })),
      sign: (request) =>
        asRequest(request, sales.sign({ ...request.params, ...request.query }, request.payload))
    })
  })
).pipe(
  Layer.provide([PolicyLists.layer, Policies.layer, PolicyAnswers.layer, Quotes.layer, Sales.layer])
)

/** A body that is JSON already. */
const asJson = (body: Uint8Array<ArrayBuffer>) =>
  HttpServerResponse.uint8Array(body, { contentType: "application/json" })
