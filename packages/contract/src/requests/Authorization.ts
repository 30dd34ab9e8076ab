import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { requestErrors } from "./RequestErrors.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Verifies the bearer token for the current tenant: it says who calls. */
export class Authorization extends HttpApiMiddleware.Service<
  Authorization,
  { requires: CurrentTenant; provides: CurrentCaller }
>()("@quittance/contract/Authorization", {
  security: { bearer: HttpApiSecurity.bearer },
  error: requestErrors.Unauthorized,
  requiredForClient: true
}) {}
