import type { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { AccessControl } from "./AccessControl.ts"
import { Admission } from "./Admission.ts"
import { Authorization } from "./Authorization.ts"
import { RequestContext } from "./RequestContext.ts"
import { RequestValidation } from "./RequestValidation.ts"
import { Tenancy } from "./Tenancy.ts"

/**
 * A group of routes that take a token. Its middlewares run from the last to the first: tenant, token,
 * access, the rest. Each group carries them itself: the type of the whole interface then names its
 * groups, and does not spell out every endpoint, which would be too long for a declaration.
 */
export const bearer = <
  Id extends string,
  Endpoints extends HttpApiEndpoint.Constraint,
  TopLevel extends boolean
>(
  group: HttpApiGroup.HttpApiGroup<Id, Endpoints, TopLevel>
) =>
  group
    .middleware(RequestContext)
    .middleware(Admission)
    .middleware(RequestValidation)
    .middleware(AccessControl)
    .middleware(Authorization)
    .middleware(Tenancy)
