import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { HttpApiMiddleware } from "effect/http-api"
import { requestErrors } from "./RequestErrors.ts"
import type { CurrentTenant } from "@quittance/domain/requests/Tenancy"

/**
 * Lets a request that fits to its handler, in its turn: so many of a record, of a caller and of a tenant
 * are worked on at a time. Visitors also have windows for what they open and have priced.
 */
export class Admission extends HttpApiMiddleware.Service<
  Admission,
  { requires: CurrentTenant | CurrentCaller }
>()("@quittance/contract/Admission", { error: requestErrors.RateLimited }) {}
