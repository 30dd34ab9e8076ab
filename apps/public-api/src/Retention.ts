import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Retention } from "@quittance/operations/privacy/Retention"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

/** Customers of one preview, unless it says otherwise. */
const defaultCount = 100

export const RetentionHandlers = HttpApiBuilder.group(
  PublicApi,
  "retention",
  Effect.fn(function* (handlers) {
    const retention = yield* Retention

    return handlers.handleAll({
      get: () => retention.get,
      put: ({ payload }) => retention.put(payload),
      preview: ({ query: { after, count = defaultCount } }) => retention.preview(after, count)
    })
  })
).pipe(Layer.provide(Retention.layer))
