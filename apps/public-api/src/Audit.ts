import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Audit } from "@quittance/operations/audit/Audit"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const AuditHandlers = HttpApiBuilder.group(
  PublicApi,
  "audit",
  Effect.fn(function* (handlers) {
    const audit = yield* Audit

    return handlers.handleAll({
      list: ({ query: { count: _count, page: _page, ...filter }, query }) =>
        audit.list(filter, pageRequest(query))
    })
  })
).pipe(Layer.provide(Audit.layer))
