import { PublicApi } from "@quittance/contract/api/PublicApi"
import { Permissions } from "@quittance/operations/access/Permissions"
import { Roles } from "@quittance/operations/access/Roles"
import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"

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
      putRole: ({ params, payload }) => roles.put(params.roleId, payload),
      removeRole: ({ params }) => roles.remove(params.roleId),
      ofUser: ({ params }) => asPermissions(permissions.of(params.userId)),
      replace: ({ params, payload }) => asPermissions(permissions.replace(params.userId, payload)),
      explain: ({ query }) => permissions.explain(query)
    })
  })
).pipe(Layer.provide([Permissions.layer, Roles.layer]))
