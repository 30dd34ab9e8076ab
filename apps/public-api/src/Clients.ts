import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Clients } from "@quittance/operations/access/Clients"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const ClientsHandlers = HttpApiBuilder.group(
  PublicApi,
  "clients",
  Effect.fn(function* (handlers) {
    const clients = yield* Clients

    return handlers.handleAll({
      create: (request) => asRequest(request, clients.create(request.payload)),
      list: ({ query }) => clients.list(pageRequest(query)),
      get: ({ params }) => clients.get(params.clientId),
      addSecret: (request) => asRequest(request, clients.addSecret(request.params.clientId)),
      removeSecret: (request) => {
        const { clientId, secretId } = request.params
        return asRequest(request, clients.removeSecret(clientId, secretId))
      },
      remove: (request) => asRequest(request, clients.remove(request.params.clientId))
    })
  })
).pipe(Layer.provide(Clients.layer))
