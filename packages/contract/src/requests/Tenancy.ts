import { HttpApiMiddleware } from "effect/http-api"
import { requestErrors } from "./RequestErrors.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/** Reads the header `tenant`, before anything else of the request. Clients say how they send it. */
export class Tenancy extends HttpApiMiddleware.Service<Tenancy, { provides: CurrentTenant }>()(
  "@quittance/contract/Tenancy",
  { error: [requestErrors.MissingTenant, requestErrors.InvalidTenant], requiredForClient: true }
) {}
