import type { CurrentRequest } from "@quittance/domain/requests/CurrentRequest"
import { HttpApiMiddleware } from "effect/http-api"

/**
 * Gives the use case what the request says of how to serve it: the idempotency key, `if-match` and
 * `dryRun`, of those that the route takes. Answers say with headers what was done with them.
 */
export class RequestContext extends HttpApiMiddleware.Service<
  RequestContext,
  { provides: CurrentRequest }
>()("@quittance/contract/RequestContext") {}
