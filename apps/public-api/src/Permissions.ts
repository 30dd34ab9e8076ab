import { PublicApi } from "@quittance/contract/api/PublicApi"
import { toActions } from "@quittance/domain/access/Role"
import { Permissions } from "@quittance/operations/access/Permissions"
import { Roles } from "@quittance/operations/access/Roles"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { asRequest } from "./http/AsRequest.ts"

const asPermissions = <A, E, R>(grants: Effect.Effect<A, E, R>) =>
  Effect.map(grants, (permissions) => ({ permissions }))

export const PermissionsHandlers = HttpApiBuilder.group(
  PublicApi,
  "permissions",
  Effect.fn(function* (handlers) {
    const permissions = yield* Permissions
    const roles = yield* Roles

    return handlers.handleAll({
      listRoles: () => Effect.map(roles.list, (roles) => ({ roles })),
      putRole: (request) => {
        const { actions, name } = request.payload
        const definition = { name, actions: toActions(actions) }
        return asRequest(request, roles.put(request.params.roleId, definition))
      },
      removeRole: (request) => asRequest(request, roles.remove(request.params.roleId)),
      ofUser: ({ params }) => asPermissions(asRequest({}, permissions.of(params.userId))),
      replace: (request) =>
        asPermissions(
          asRequest(
            request,
            permissions.replace(request.params.userId, request.payload.permissions)
          )
        ),
      explain: ({ query }) => permissions.explain(query)
    })
  })
).pipe(Layer.provide([Permissions.layer, Roles.layer]))
