import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { PersonSignIns } from "@quittance/operations/access/PersonSignIns"
import { Users } from "@quittance/operations/access/Users"
import { SecondFactorReset } from "@quittance/operations/authorization-server/SecondFactorPolicy"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

export const UsersHandlers = HttpApiBuilder.group(
  PublicApi,
  "users",
  Effect.fn(function* (handlers) {
    const factors = yield* SecondFactorReset
    const signIns = yield* PersonSignIns
    const users = yield* Users

    return handlers.handleAll({
      create: (request) => asRequest(request, users.create(request.payload)),
      list: ({ query }) => users.list(query, pageRequest(query)),
      get: ({ params }) => users.get(params.userId),
      update: (request) => asRequest(request, users.update(request.params.userId, request.payload)),
      disable: (request) => asRequest(request, users.disable(request.params.userId)),
      enable: (request) => asRequest(request, users.enable(request.params.userId)),
      resetSecondFactor: (request) => asRequest(request, factors.reset(request.params.userId)),
      listSignIns: ({ params, query }) => signIns.list(params.userId, pageRequest(query)),
      endSignIn: (request) => {
        const { signInId, userId } = request.params
        return asRequest(request, signIns.end(userId, signInId))
      }
    })
  })
).pipe(Layer.provide([PersonSignIns.layer, SecondFactorReset.layer, Users.layer]))
