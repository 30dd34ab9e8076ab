import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Clients } from "@quittance/operations/access/Clients"
import { ClientKeySets } from "@quittance/operations/access/ClientKeySets"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const ClientsHandlers = HttpApiBuilder.group(
  PublicApi,
  "clients",
  Effect.fn(function* (handlers) {
    const clients = yield* Clients
    const keys = yield* ClientKeySets

    return handlers.handleAll({
      create: (request) => asRequest(request, clients.create(request.payload)),
      list: ({ query }) => clients.list(pageRequest(query)),
      get: ({ params }) => clients.get(params.clientId),
      addSecret: (request) => asRequest(request, clients.addSecret(request.params.clientId)),
      removeSecret: (request) => {
        const { clientId, secretId } = request.params
        return asRequest(request, clients.removeSecret(clientId, secretId))
      },
      putKeys: (request) =>
        asRequest(request, keys.replace(request.params.clientId, request.payload.keys)),
      remove: (request) => asRequest(request, clients.remove(request.params.clientId))
    })
  })
).pipe(Layer.provide([ClientKeySets.layer, Clients.layer]))
