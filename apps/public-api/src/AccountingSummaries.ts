import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { AccountingSummary } from "@quittance/operations/accounting/AccountingSummary"
import { Worklists } from "@quittance/operations/accounting/Worklists"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const AccountingSummariesHandlers = HttpApiBuilder.group(
  PublicApi,
  "accountingSummaries",
  Effect.fn(function* (handlers) {
    const summary = yield* AccountingSummary
    const worklists = yield* Worklists

    return handlers.handleAll({
      list: ({ query }) => summary.list(query, pageRequest(query)),
      worklist: ({ query }) => worklists.list(query, pageRequest(query))
    })
  })
).pipe(Layer.provide([AccountingSummary.layer, Worklists.layer]))
