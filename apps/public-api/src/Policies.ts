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
      create: ({ payload }) => policies.create(payload),
      list: ({ query }) => listings.policies(query, pageRequest(query)),
      get: ({ params, query }) => Effect.map(answers.read({ ...params, ...query }), asJson),
      update: ({ params, payload, query }) => policies.update({ ...params, ...query }, payload),
      calculateQuote: ({ params, payload, query }) =>
        quotes.calculate({ ...params, ...query }, payload),
      quote: ({ params, payload, query }) => quotes.quote({ ...params, ...query }, payload),
      availablePricing: ({ params, query }) => quotes.available({ ...params, ...query }),
      confirm: ({ params, query }) => sales.confirm({ ...params, ...query }),
      reopen: ({ params, query }) => sales.reopen({ ...params, ...query }),
      sign: ({ params, payload, query }) => sales.sign({ ...params, ...query }, payload)
    })
  })
).pipe(
  Layer.provide([PolicyLists.layer, Policies.layer, PolicyAnswers.layer, Quotes.layer, Sales.layer])
)

/** A body that is JSON already. */
const asJson = (body: Uint8Array<ArrayBuffer>) =>
  HttpServerResponse.uint8Array(body, { contentType: "application/json" })
