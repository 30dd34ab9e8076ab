import type { CurrentTenant } from "@quittance/domain/tenants/Tenant"
import { HttpApiMiddleware } from "effect/http-api"
import { ApiError } from "../api/ApiError.ts"

/** Reads the header `tenant`, before anything else of the request. Clients say how they send it. */
export class Tenancy extends HttpApiMiddleware.Service<Tenancy, { provides: CurrentTenant }>()(
  "@quittance/contract/Tenancy",
  { error: [ApiError.MissingTenant, ApiError.InvalidTenant], requiredForClient: true }
) {}
