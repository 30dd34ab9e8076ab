import type { CurrentCaller } from "@quittance/domain/requests/Caller"
import { HttpApiMiddleware } from "effect/http-api"
import { requestErrors } from "./RequestErrors.ts"

/**
 * On a route that changes grants, secrets or clients: a person has to have signed in a moment ago. It
 * comes after tenant, token and scope, and before the request itself is looked at.
 */
export class RecentSignIn extends HttpApiMiddleware.Service<
  RecentSignIn,
  { requires: CurrentCaller }
>()("@quittance/contract/RecentSignIn", { error: requestErrors.SignInTooOld }) {}
