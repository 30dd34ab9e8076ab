import { PublicApi } from "@quittance/contract/api/PublicApi"
import { EventReads } from "@quittance/operations/events/EventReads"
import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

export const EventsHandlers = HttpApiBuilder.group(
  PublicApi,
  "events",
  Effect.fn(function* (handlers) {
    const events = yield* EventReads

    return handlers.handleAll({
      feed: ({ query }) => Effect.map(events.feed(query), asJson),
      get: ({ params }) => events.get(params.eventId),
      ofPolicy: ({ params, query }) => Effect.map(events.ofPolicy(params.policyId, query), asJson)
    })
  })
).pipe(Layer.provide(EventReads.layer))

/** A text that is JSON already. */
const asJson = (text: string) => HttpServerResponse.text(text, { contentType: "application/json" })
