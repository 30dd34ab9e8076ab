import { pageRequest } from "@quittance/contract/requests/Parameters"
import { PublicApi } from "@quittance/contract/api/PublicApi"
import { PersonSignIns } from "@quittance/operations/access/PersonSignIns"
import { Users } from "@quittance/operations/access/Users"
import { SecondFactorReset } from "@quittance/operations/authorization-server/SecondFactorPolicy"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

export const UsersHandlers = HttpApiBuilder.group(
  PublicApi,
  "users",
  Effect.fn(function* (handlers) {
    const factors = yield* SecondFactorReset
    const signIns = yield* PersonSignIns
    const users = yield* Users

    return handlers.handleAll({
      create: ({ payload }) => users.create(payload),
      list: ({ query }) => users.list(query, pageRequest(query)),
      get: ({ params }) => users.get(params.userId),
      update: ({ params, payload }) => users.update(params.userId, payload),
      disable: ({ params }) => users.disable(params.userId),
      enable: ({ params }) => users.enable(params.userId),
      resetSecondFactor: ({ params }) => factors.reset(params.userId),
      listSignIns: ({ params, query }) => signIns.list(params.userId, pageRequest(query)),
      endSignIn: ({ params: { signInId, userId } }) => signIns.end(userId, signInId)
    })
  })
).pipe(Layer.provide([PersonSignIns.layer, SecondFactorReset.layer, Users.layer]))
