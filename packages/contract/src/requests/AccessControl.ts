import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { HttpApiMiddleware } from "effect/http-api"
import { ApiError } from "../api/ApiError.ts"
import { validationErrors } from "./RequestValidation.ts"

/**
 * Holds the caller against what the route demands: a client against the scope of the area; then,
 * once the request itself is known to be valid, the kind of caller. Everything that is refused from
 * here on, by permissions too, is put on record.
 */
export class AccessControl extends HttpApiMiddleware.Service<
  AccessControl,
  { requires: CurrentTenant | CurrentCaller }
>()("@quittance/contract/AccessControl", {
  error: [ApiError.Forbidden, ApiError.UserNotFound, ...validationErrors]
}) {}
