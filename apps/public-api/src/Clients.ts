import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Clients } from "@quittance/operations/access/Clients"
import { ClientKeySets } from "@quittance/operations/access/ClientKeySets"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const ClientsHandlers = HttpApiBuilder.group(
  PublicApi,
  "clients",
  Effect.fn(function* (handlers) {
    const clients = yield* Clients
    const keys = yield* ClientKeySets

    return handlers.handleAll({
      create: ({ payload }) => clients.create(payload),
      list: ({ query }) => clients.list(pageRequest(query)),
      get: ({ params }) => clients.get(params.clientId),
      addSecret: ({ params }) => clients.addSecret(params.clientId),
      removeSecret: ({ params: { clientId, secretId } }) =>
        clients.removeSecret(clientId, secretId),
      putKeys: ({ params, payload }) => keys.replace(params.clientId, payload),
      remove: ({ params }) => clients.remove(params.clientId)
    })
  })
).pipe(Layer.provide([ClientKeySets.layer, Clients.layer]))
