import type { CurrentCaller } from "@quittance/domain/Caller"
import type { CurrentTenant } from "@quittance/domain/Tenant"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { ApiError } from "./ApiError.ts"
import { validationErrors } from "./RequestValidation.ts"

/**
 * Verifies the bearer token for the current tenant, then its scope for the area. A kind of caller
 * that the route does not serve is refused once the request itself is known to be valid.
 */
export class Authorization extends HttpApiMiddleware.Service<
  Authorization,
  { requires: CurrentTenant; provides: CurrentCaller }
>()("@quittance/contract/Authorization", {
  security: { bearer: HttpApiSecurity.bearer },
  error: [ApiError.Unauthorized, ApiError.Forbidden, ApiError.UserNotFound, ...validationErrors],
  requiredForClient: true
}) {}
