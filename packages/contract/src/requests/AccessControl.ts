import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { HttpApiMiddleware } from "effect/http-api"
import { requestErrors } from "./RequestErrors.ts"
import { validationErrors } from "./RequestValidation.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/**
 * Holds the caller against what the route demands: a client against the scope of the area; then,
 * once the request itself is known to be valid, the kind of caller. Everything that is refused from
 * here on, by permissions too, is put on record; of a visitor it is counted.
 */
export class AccessControl extends HttpApiMiddleware.Service<
  AccessControl,
  { requires: CurrentTenant | CurrentCaller }
>()("@quittance/contract/AccessControl", {
  error: [
    requestErrors.Forbidden,
    requestErrors.UserNotFound,
    requestErrors.RateLimited,
    ...validationErrors
  ]
}) {}
