import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { ApiError } from "../api/ApiError.ts"

/** Verifies the bearer token for the current tenant: it says who calls. */
export class Authorization extends HttpApiMiddleware.Service<
  Authorization,
  { requires: CurrentTenant; provides: CurrentCaller }
>()("@quittance/contract/Authorization", {
  security: { bearer: HttpApiSecurity.bearer },
  error: ApiError.Unauthorized,
  requiredForClient: true
}) {}
