import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Preview } from "@quittance/operations/quotes/Preview"
import { Quotes } from "@quittance/operations/quotes/Quotes"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const QuotesHandlers = HttpApiBuilder.group(
  PublicApi,
  "quotes",
  Effect.fn(function* (handlers) {
    const preview = yield* Preview
    const quotes = yield* Quotes

    return handlers.handleAll({
      preview: ({ payload }) => preview.quote(payload),
      listByPolicy: ({ params, query }) =>
        quotes.listByPolicy({ ...params, ...query }, pageRequest(query)),
      explain: ({ params, query }) => quotes.explain({ ...params, ...query }),
      get: ({ params, query }) => quotes.get({ ...params, ...query })
    })
  })
).pipe(Layer.provide([Preview.layer, Quotes.layer]))
